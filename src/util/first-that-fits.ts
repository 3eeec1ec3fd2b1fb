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
  let low = mostTries;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const cut = cuts[middle];
    if (cut !== undefined && (await fits(cut))) high = middle;
    else low = middle + 1;
  }
  return cuts[low];
}
