import { ratioIfUndone } from '../planning/decide.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { CallContext } from './reading/call-context.ts';
import { keepAlive } from './keep-alive.ts';
import type { CallReading } from './reading/read-call.ts';

/**
 * Lets a prepared summary that stands in a prompt be found from now on: by this process at once, by the others
 * beside the call.
 *
 * @param sizes - Tokens of the prompt without it and with it.
 */
export function putInPlace(
  context: CallContext,
  { view: { identity, conversation }, policy, state }: CallReading,
  summary: StoredSummary,
  { tokensBefore, tokensAfter }: { readonly tokensBefore: number; readonly tokensAfter: number },
): void {
  const standing = {
    lastSummarization: {
      depth: summary.record.depth,
      messageCount: identity.significantBefore(conversation.length),
      tokenRatio: tokensAfter / policy.limit,
    },
    ratioIfUndone: ratioIfUndone(tokensBefore, tokensAfter, policy),
  };
  keepAlive(context, state.putInPlace(summary, standing));
}
