/** Sum over items. */
export function sumOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += sizeOf(item);
  return sum;
}

/** Sums of all values before each index. */
export function sumsBefore(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return sums;
}

/** How many of ascending numbers are not above a value. */
export function countUpTo(numbers: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Finds the first candidate that fits, by bisection: the later the cut, the less is left.
 */
export async function bisectFirst(
  candidates: readonly number[],
  fits: (candidate: number) => boolean | Promise<boolean>,
): Promise<number | undefined> {
  let low = 0;
  let high = candidates.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(candidates[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return candidates[low];
}

/** Tokens of a summary over those of what it was made from, clamped to [0, 1]; 0 when that is nothing. */
export function compressionRatio(inputTokens: number, outputTokens: number): number {
  return inputTokens > 0 ? Math.min(1, outputTokens / inputTokens) : 0;
}

/** Calculates the most of each size with which all fit: the room that small ones leave goes to the others. */
export function shareOfEach(sizes: readonly number[], room: number): number {
  let left = room;
  const ordered = sizes.toSorted((one, other) => one - other);
  for (const [index, size] of ordered.entries()) {
    const share = left / (ordered.length - index);
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Infinity;
}
