import type { LanguageModelV4GenerateResult, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { generateWithRetry, streamWithRetry } from '../retry/overflow-retry.ts';
import type { SentCall } from '../retry/sent-call.ts';

/** Sends a call: see `generateWithRetry`, and `generateNatively` where the provider is to compact it. */
export async function generateCall(sending: {
  readonly call: SentCall;
  readonly doGenerate: () => PromiseLike<LanguageModelV4GenerateResult>;
}): Promise<LanguageModelV4GenerateResult> {
  const { native } = sending.call;
  if (native === undefined) return generateWithRetry(sending);
  const { generateNatively } = await import('../retry/native-attempt.ts');
  return generateNatively({ ...sending, call: { ...sending.call, native } });
}

/** As {@link generateCall} for a stream. */
export async function streamCall(sending: {
  readonly call: SentCall;
  readonly doStream: () => PromiseLike<LanguageModelV4StreamResult>;
}): Promise<LanguageModelV4StreamResult> {
  const { native } = sending.call;
  if (native === undefined) return streamWithRetry(sending);
  const { streamNatively } = await import('../retry/native-attempt.ts');
  return streamNatively({ ...sending, call: { ...sending.call, native } });
}
