import type { ContextOverflow } from './context-overflow.ts';
import type { LearnedLimit } from './learned-limit.ts';

/** Share of what was sent that is tried next when nothing better is known. */
export const blindShare = 0.8;

/** Room for what our count may be off by: there is only one retry. */
const margin = 0.95;

/** No count is further off than this; a figure that says so speaks of something else. */
const leastScale = 0.5;
const mostScale = 2;

/**
 * The same where limit and count are both stated, and the count is above the limit: some vocabularies make seven tokens of
 * what o200k has one for.
 */
const leastStatedScale = 1 / 8;

/** What is known of a refused call. */
export interface RefusedCall {
  /** Our count of the refused prompt. */
  readonly sentTokens: number;
  readonly maxOutputTokens?: number | undefined;
  /** The largest prompt that the model has taken, as it reported; 0 if none. */
  readonly acceptedTokens: number;
}

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

/**
 * Works out from an overflow what may be sent to the model. The provider's count of the refused prompt,
 * where it states one, corrects ours.
 */
export function learnLimit(
  overflow: ContextOverflow,
  { sentTokens, maxOutputTokens }: Omit<RefusedCall, 'acceptedTokens'>,
): LearnedLimit {
  const { limit, isInputLimit = false, tokens } = overflow;
  if (limit === undefined)
    return { inputLimit: Math.floor(sentTokens * blindShare), usableShare: 1 };
  if (isInputLimit)
    return { inputLimit: limit, usableShare: usableShare(limit, sentTokens, tokens) };
  const answerTokens = maxOutputTokens === undefined ? overflow.answerTokens : undefined;
  const reserve = Math.min(maxOutputTokens ?? answerTokens ?? 0, Math.floor(limit / 2));
  return {
    contextLength: limit,
    ...(answerTokens === undefined ? {} : { answerTokens }),
    usableShare: usableShare(limit - reserve, sentTokens, tokens),
  };
}

function usableShare(room: number, sentTokens: number, tokens: number | undefined): number {
  const scale = tokens === undefined ? undefined : sentTokens / tokens;
  const least = tokens !== undefined && tokens > room ? leastStatedScale : leastScale;
  if (scale !== undefined && scale >= least && scale <= mostScale)
    return margin * Math.min(1, scale);
  // Above the limit by our count too: the configured limit was wrong, not the count.
  if (sentTokens > room) return margin;
  return Math.max(leastScale, (sentTokens * blindShare) / room);
}
