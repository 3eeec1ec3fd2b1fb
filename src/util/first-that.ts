/**
 * Finds the first candidate that fits, by bisection: the later the cut, the less is left.
 *
 * @param pause - Lets others work between two candidates.
 */
export async function firstThat(
  candidates: readonly number[],
  fits: (candidate: number) => boolean | Promise<boolean>,
  pause: () => Promise<void> | undefined,
): Promise<number | undefined> {
  let low = 0;
  let high = candidates.length;
  while (low < high) {
    await pause();
    const middle = Math.floor((low + high) / 2);
    if (await fits(candidates[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return candidates[low];
}
