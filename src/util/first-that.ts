/**
 * Finds the first candidate that fits, by bisection: the later the cut, the less is left.
 *
 * @param pause - Lets others work between two candidates.
 */
export async function firstThat(
  candidates: readonly number[],
  fits: (candidate: number) => boolean | Promise<boolean>,
  pause?: () => Promise<void> | undefined,
): Promise<number | undefined> {
  let low = 0;
  let high = candidates.length;
  while (low < high) {
    await pause?.();
    const middle = Math.floor((low + high) / 2);
    if (await fits(candidates[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return candidates[low];
}

/** Cuts that are tried one after another before it is done by bisection. */
const mostTries = 32;

/**
 * Finds the first of several cuts that fits; beyond 32 tries by bisection, for nearly always the later the
 * cut, the less is sent. `undefined` when none does.
 */
export async function firstThatFits(
  cuts: readonly number[],
  fits: (cut: number) => Promise<boolean>,
): Promise<number | undefined> {
  for (const cut of cuts.slice(0, mostTries)) if (await fits(cut)) return cut;
  return firstThat(cuts.slice(mostTries), fits);
}
