import type { ContextOverflow } from './context-overflow.ts';

/** What is known of a refused call. */
export interface RefusedCall {
  /** Our count of the refused prompt. */
  readonly sentTokens: number;
  readonly maxOutputTokens?: number | undefined;
  /** The largest prompt that the model has taken, as it reported; 0 if none. */
  readonly acceptedTokens: number;
}

/** No count is further off than this. */
const mostScale = 2;

/**
 * Takes a limit out of an overflow that cannot be why the call was refused: one below what the model has
 * taken before, or one that leaves room for the prompt and its answer twice over.
 */
export function believableOverflow(
  overflow: ContextOverflow,
  { sentTokens, maxOutputTokens, acceptedTokens }: RefusedCall,
): ContextOverflow {
  const { limit, isInputLimit: _, ...rest } = overflow;
  if (limit === undefined) return overflow;
  const answer = maxOutputTokens ?? overflow.answerTokens ?? 0;
  const asked = Math.max(sentTokens, overflow.tokens ?? 0) + answer;
  const isBelievable = limit >= acceptedTokens && limit <= mostScale * asked;
  return isBelievable ? overflow : rest;
}
