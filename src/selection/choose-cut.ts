import { firstThatFits } from '../util/first-that-fits.ts';

/** What a cut is chosen from. Tokens are of single messages unless said otherwise. */
export interface CutInput {
  /** Tokens of each message of the conversation. */
  readonly messageTokens: readonly number[];
  /** Indexes at which a cut may be made, ascending. */
  readonly candidates: readonly number[];
  /** Tokens of the messages kept in front of the tail for a cut. */
  readonly keptTokens: (cut: number) => number | Promise<number>;
  /** Messages to keep at the end. */
  readonly preserveRecent: number;
  /** Tokens up to which the tail grows beyond `preserveRecent`. */
  readonly preserveRecentTokens: number;
  /** Tokens that kept messages and tail may take together. */
  readonly budget: number;
}

/**
 * Chooses where the tail begins: `preserveRecent` messages and back to the next legal cut, more while
 * they fit their share, fewer while they do not fit the budget. `undefined` when nothing can be covered.
 */
export async function chooseCut(input: CutInput): Promise<number | undefined> {
  const { messageTokens, candidates, preserveRecent, budget } = input;
  const count = messageTokens.length;
  const tailTokens = suffixSums(messageTokens);
  const tokensFrom = (cut: number): number => tailTokens[cut] ?? 0;
  const fits = async (cut: number): Promise<boolean> =>
    (await input.keptTokens(cut)) + tokensFrom(cut) <= budget;

  const wanted = candidates.findLastIndex((cut) => count - cut >= preserveRecent);
  let position = wanted;
  if (wanted === -1) {
    // The whole conversation is shorter than the tail it should keep.
    if (tokensFrom(0) <= budget) return undefined;
    position = 0;
  }
  while (position > 0 && tokensFrom(candidates[position - 1] ?? 0) <= input.preserveRecentTokens)
    position -= 1;
  // A tail that is too long by itself needs no look at what stands before it.
  const short = candidates.slice(position).filter((cut) => tokensFrom(cut) <= budget);
  return (await firstThatFits(short, fits)) ?? candidates.at(-1);
}

function suffixSums(values: readonly number[]): readonly number[] {
  const sums = [...values, 0];
  for (let index = values.length - 1; index >= 0; index -= 1)
    sums[index] = (sums[index] ?? 0) + (sums[index + 1] ?? 0);
  return sums;
}
