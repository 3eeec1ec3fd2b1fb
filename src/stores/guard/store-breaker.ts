/** Milliseconds a store is left alone after three outages in a row, and again after a probe that failed. */
export const storePauseMs = 60_000;

/** Operations that may be in flight at once: the look-ups, of 16 keys each, of 256 calls. */
export const maxInFlight = 4096;

/**
 * As many while the last that is known of the store is an outage, so that one that hangs collects fewer than
 * 10,000 before it is left alone.
 */
export const maxInDoubt = 1024;

const maxOutages = 3;

/** Permission for one operation. */
export interface StoreAttempt {
  /** Says how the operation ended. Its first word counts, and is owed: what has none stays in flight. */
  readonly end: (isWell: boolean) => BreakerChange | undefined;
}

/** `outage`: the store is left alone from now on; `recovery`: it is used again. */
export type BreakerChange = 'outage' | 'recovery';

/**
 * Leaves a store alone for a minute after three outages in a row; then one operation probes it, and its
 * end decides. An outage is the faults of one moment: what began before the last one was known says nothing
 * new of the store.
 *
 * @param isLimited - Whether the number of operations in flight is.
 * @returns A function that permits an operation, or not.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function storeBreaker(isLimited: boolean): () => StoreAttempt | undefined {
  let outagesInRow = 0;
  let outagesKnown = 0;
  let pausedUntil: number | undefined;
  let isProbing = false;
  let inFlight = 0;

  const pause = (): void => {
    pausedUntil = performance.now() + storePauseMs;
  };
  const endProbe = (isWell: boolean): BreakerChange | undefined => {
    isProbing = false;
    if (!isWell) {
      pause();
      return undefined;
    }
    pausedUntil = undefined;
    return 'recovery';
  };
  const countOutage = (): BreakerChange | undefined => {
    outagesKnown += 1;
    outagesInRow += 1;
    if (outagesInRow < maxOutages) return undefined;
    outagesInRow = 0;
    pause();
    return 'outage';
  };

  return () => {
    const isProbe = pausedUntil !== undefined;
    if (pausedUntil !== undefined) {
      if (isProbing || performance.now() < pausedUntil) return undefined;
      isProbing = true;
    } else if (isLimited && inFlight >= (outagesInRow > 0 ? maxInDoubt : maxInFlight))
      return undefined;
    inFlight += 1;
    const knownBefore = outagesKnown;
    let hasEnded = false;
    return {
      end: (isWell) => {
        if (hasEnded) return undefined;
        hasEnded = true;
        inFlight -= 1;
        if (isProbe) return endProbe(isWell);
        if (!isWell) return outagesKnown === knownBefore ? countOutage() : undefined;
        outagesInRow = 0;
        return undefined;
      },
    };
  };
}
