import type * as NativeAttempt from '../retry/native-attempt.ts';
import { generateWithRetry, streamWithRetry } from '../retry/placement-retry.ts';
import type { Generated, Send, SentCall, Streamed } from '../retry/sent-call.ts';

/** Sends a call: see `generateWithRetry`, and `generateNatively` where the provider is to compact it. */
export async function generateCall(call: SentCall, send: Send<Generated>): Promise<Generated> {
  const { native } = call;
  const attempt = native && (await loadAttempt(call));
  if (native === undefined || attempt === undefined) return generateWithRetry(call, send);
  return attempt.generateNatively({ ...call, native }, send);
}

/** As {@link generateCall} for a stream. */
export async function streamCall(call: SentCall, send: Send<Streamed>): Promise<Streamed> {
  const { native } = call;
  const attempt = native && (await loadAttempt(call));
  if (native === undefined || attempt === undefined) return streamWithRetry(call, send);
  return attempt.streamNatively({ ...call, native }, send);
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
