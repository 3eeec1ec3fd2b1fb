/** Finds the first candidate that fits, by bisection: the later the cut, the less is left. */
export function firstThat(
  candidates: readonly number[],
  fits: (candidate: number) => boolean,
): number | undefined {
  let low = 0;
  let high = candidates.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(candidates[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return candidates[low];
}
