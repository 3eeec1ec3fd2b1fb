import type { ContextOverflow } from '../overflow/context-overflow.ts';
import { overflowOfError, type SentPrompt } from '../overflow/overflow-of-answer.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { abortable } from '../util/async/abortable.ts';
import { refusedAgain, rememberLimit } from './retry-outcome.ts';
import type { SentCall } from './sent-call.ts';
import type { ShortenedCall } from './shorten-call.ts';

/** The shortened call; `undefined` when there is none to be had and the provider's word stands. */
export async function shorten(
  call: SentCall,
  overflow: ContextOverflow,
): Promise<ShortenedCall | undefined> {
  if (call.isServerManaged) return undefined;
  const { abortSignal } = call.params;
  abortSignal?.throwIfAborted();
  try {
    const { shortenCall } = await import('./shorten-call.ts');
    const shortened = await abortable(shortenCall(call, overflow), abortSignal);
    // What the provider states is true whatever comes of the second attempt.
    if (shortened.evidence === 'stated') rememberLimit(shortened);
    return shortened;
  } catch (error) {
    abortSignal?.throwIfAborted();
    const reason = 'the prompt cannot be made as short as the provider asks';
    call.emit({ type: 'failed', stage: 'recover', reason, error });
    return undefined;
  }
}

/** Sends a shortened call. What comes of it is remembered where it is refused. */
export async function sendAgain<T>(
  call: SentCall,
  shortened: ShortenedCall,
  send: (params: CallOptions) => PromiseLike<T>,
): Promise<T> {
  try {
    return await send(shortened.call.params);
  } catch (error) {
    const overflow = await overflowOfError(error, sentPrompt(call, shortened));
    refusedAgain(shortened, { error, overflow });
    throw error;
  }
}

/** What is known of the size of a prompt that may be refused; of a shortened one, how full the first was. */
export function sentPrompt(call: SentCall, shortened?: ShortenedCall): SentPrompt {
  const { prompt } = (shortened?.call ?? call).params;
  return { prompt, fullness: call.report.tokens / call.policy.limit };
}
