import type { LearnedLimit } from '../overflow/learn-limit.ts';
import type { CallContext } from '../call/call-context.ts';

/** Remembers what a refusal taught about a call's model, and says so when it is news. */
export function rememberLimit(
  { memory, modelKey, emitForCall }: CallContext,
  learned: LearnedLimit,
  { refusedTokens, isStated }: { readonly refusedTokens: number; readonly isStated: boolean },
): void {
  const acceptedTokens = memory.limits.accepted(modelKey);
  // Refused at less than what was taken before: whatever the reason, it is not the size.
  if (!isStated && refusedTokens <= acceptedTokens) return;
  if (!memory.limits.remember(modelKey, learned)) return;
  const { contextLength, inputLimit } = memory.limits.recall(modelKey) ?? learned;
  emitForCall({
    type: 'limit-learned',
    contextLength,
    inputLimit,
    evidence: isStated ? 'stated' : 'refused',
    refusedTokens,
    acceptedTokens,
  });
}
