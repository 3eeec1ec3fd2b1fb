import { firstThatFits, sumsFrom } from '../util/numbers.ts';

/** What a cut is chosen from. Tokens are of single messages unless said otherwise. */
export interface CutChoice {
  /** Tokens of each message of the conversation. */
  readonly messageTokens: readonly number[];
  /** Indexes at which a cut may be made, ascending. */
  readonly candidates: readonly number[];
  /** Tokens of the messages kept in front of the recent ones for a cut. */
  readonly keptTokens: (cut: number) => number | Promise<number>;
  /** Messages to keep at the end. */
  readonly preserveRecent: number;
  /** Tokens up to which the recent messages grow beyond `preserveRecent`. */
  readonly preserveRecentTokens: number;
  /** Tokens that kept and recent messages may take together. */
  readonly budget: number;
}

/**
 * Chooses where the recent messages begin: `preserveRecent` of them and back to the next legal cut, more
 * while they fit their share, fewer while they do not fit the budget. `undefined` when there is nothing
 * to summarise.
 */
export async function chooseRecentMessages(input: CutChoice): Promise<number | undefined> {
  const { messageTokens, candidates, preserveRecent, budget } = input;
  const count = messageTokens.length;
  const recentTokens = sumsFrom(messageTokens);
  const tokensFrom = (cut: number): number => recentTokens[cut] ?? 0;
  const fits = async (cut: number): Promise<boolean> =>
    (await input.keptTokens(cut)) + tokensFrom(cut) <= budget;

  let position = candidates.findLastIndex((cut) => count - cut >= preserveRecent);
  if (position === -1) {
    // The whole conversation is shorter than what it should keep.
    if (tokensFrom(0) <= budget) return undefined;
    position = 0;
  }
  while (position > 0 && tokensFrom(candidates[position - 1] ?? 0) <= input.preserveRecentTokens)
    position -= 1;
  // Recent messages that are too long by themselves need no look at what stands before it.
  const short = candidates.slice(position).filter((cut) => tokensFrom(cut) <= budget);
  return (await firstThatFits(short, fits)) ?? candidates.at(-1);
}
