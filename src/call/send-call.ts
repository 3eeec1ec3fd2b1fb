import type { LanguageModelV4GenerateResult, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import type * as NativeAttempt from '../retry/native-attempt.ts';
import { generateWithRetry, streamWithRetry } from '../retry/overflow-retry.ts';
import type { SentCall } from '../retry/sent-call.ts';

/** Sends a call: see `generateWithRetry`, and `generateNatively` where the provider is to compact it. */
export async function generateCall(sending: {
  readonly call: SentCall;
  readonly doGenerate: () => PromiseLike<LanguageModelV4GenerateResult>;
}): Promise<LanguageModelV4GenerateResult> {
  const { native } = sending.call;
  const attempt = native && (await loadAttempt(sending.call));
  if (native === undefined || attempt === undefined) return generateWithRetry(sending);
  return attempt.generateNatively({ ...sending, call: { ...sending.call, native } });
}

/** As {@link generateCall} for a stream. */
export async function streamCall(sending: {
  readonly call: SentCall;
  readonly doStream: () => PromiseLike<LanguageModelV4StreamResult>;
}): Promise<LanguageModelV4StreamResult> {
  const { native } = sending.call;
  const attempt = native && (await loadAttempt(sending.call));
  if (native === undefined || attempt === undefined) return streamWithRetry(sending);
  return attempt.streamNatively({ ...sending, call: { ...sending.call, native } });
}

/** Loads what a refusal of the provider's compaction is answered with; a call does without it rather than fail. */
async function loadAttempt({
  emit,
}: Pick<SentCall, 'emit'>): Promise<typeof NativeAttempt | undefined> {
  try {
    return await import('../retry/native-attempt.ts');
  } catch (error) {
    const reason = 'a module could not be loaded';
    emit({ type: 'failed', stage: 'native', reason, error });
    return undefined;
  }
}
