import { clockMs } from '../../util/clock-ms.ts';

/** Milliseconds a store is left alone after a failure: they double with each one more in a row. */
export const firstRestMs = 1000;
export const longestRestMs = 60_000;

/** Failures in a row from which on it is an outage, which is told; before, it may be a moment. */
const outageFailures = 3;

/** Operations that may be in flight at once: the look-ups, of 16 keys each, of 256 calls. */
export const maxInFlight = 4096;

/** As many while the last that is known of the store is a failure: those that hang do not pile up. */
export const maxInDoubt = 1024;

/** Permission for one operation. */
export interface StoreAttempt {
  /** Says how the operation ended. Its first word counts, and is owed: what has none stays in flight. */
  readonly end: (isWell: boolean) => BreakerChange | undefined;
}

/** `outage`: the store has failed several times in a row; `recovery`: it answers again. */
export type BreakerChange = 'outage' | 'recovery';

/**
 * Leaves a store alone for a second after a failure, and for twice as long after each one more, up to a minute; the
 * first success ends that. A failure is what goes wrong in one moment: what began before the last one was known says
 * nothing new of the store.
 *
 * @param isLimited - Whether the number of operations in flight is.
 * @returns A function that permits an operation, or not. One on which money hangs (`isUrgent`) is permitted as long
 * as it may have been a moment; its failure makes no rest longer.
 */
export function storeBreaker(isLimited: boolean): (isUrgent: boolean) => StoreAttempt | undefined {
  let failures = 0;
  let failuresKnown = 0;
  let restsUntil = 0;
  /** Since when each operation is. What ends with its request, without a word, is there for a minute at most. */
  const inFlight = new Set<{ readonly since: number }>();

  const fail = (): BreakerChange | undefined => {
    failuresKnown += 1;
    failures += 1;
    restsUntil = clockMs() + Math.min(firstRestMs * 2 ** (failures - 1), longestRestMs);
    return failures === outageFailures ? 'outage' : undefined;
  };
  const succeed = (): BreakerChange | undefined => {
    const wasOutage = failures >= outageFailures;
    failures = 0;
    restsUntil = 0;
    return wasOutage ? 'recovery' : undefined;
  };

  return (isUrgent) => {
    const isResting = clockMs() < restsUntil;
    if (isResting && !(isUrgent && failures < outageFailures)) return undefined;
    const isFull = (): boolean => inFlight.size >= (failures > 0 ? maxInDoubt : maxInFlight);
    if (isLimited && isFull())
      for (const each of inFlight)
        if (clockMs() - each.since >= longestRestMs) inFlight.delete(each);
    if (isLimited && isFull()) return undefined;
    const operation = { since: clockMs() };
    inFlight.add(operation);
    const knownBefore = failuresKnown;
    let hasEnded = false;
    return {
      end: (isWell) => {
        if (hasEnded) return undefined;
        hasEnded = true;
        inFlight.delete(operation);
        if (isWell) return succeed();
        return isResting || failuresKnown !== knownBefore ? undefined : fail();
      },
    };
  };
}
