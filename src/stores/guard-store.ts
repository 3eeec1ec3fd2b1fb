import { withDeadline } from '../util/with-deadline.ts';
import type { SummaryStore } from './summary-store.ts';

/** Milliseconds a store operation may take before the call goes on without it. */
export const storeTimeoutMs = 250;

/** Milliseconds a store that failed three times in a row is left alone. */
export const storePauseMs = 60_000;

/** Gives a caller the guarded store; the caller's faults are reported to it, but counted for all. */
export type GuardedStore = (onFault: (error: unknown) => void) => SummaryStore;

/**
 * Makes a store harmless: an operation that fails or takes longer than 250 ms counts as a miss (`get`)
 * or as not written (`set`), and is reported; a value that is not a string is a miss. After three faults
 * in a row the store is left alone for a minute; what began before the last of them was known is no
 * further one. An operation in flight is never cancelled: on a pooled connection that would leave its
 * reply to the next caller. A store that says it lives in this process has no timer as long as it answers
 * at once: one for each access would cost more than the access.
 */
export function guardStore(store: SummaryStore): GuardedStore {
  let faults = 0;
  // Faults counted so far: an operation that began before the last one says nothing new of the store.
  let counted = 0;
  let pausedUntil = 0;
  const inTime = async <T>(operation: () => Promise<T>): Promise<T> => {
    if (store.isLocal !== true) return withDeadline(undefined, storeTimeoutMs, operation);
    const running = operation();
    if (await settlesAtOnce(running)) return running;
    return withDeadline(undefined, storeTimeoutMs, () => running);
  };

  const guarded = async <T>(
    operation: () => Promise<T>,
    fallback: T,
    onFault: (error: unknown) => void,
  ): Promise<T> => {
    if (performance.now() < pausedUntil) return fallback;
    const countedBefore = counted;
    try {
      const result = await inTime(operation);
      faults = 0;
      return result;
    } catch (error) {
      if (counted === countedBefore) {
        counted += 1;
        faults += 1;
      }
      if (faults >= 3) {
        faults = 0;
        pausedUntil = performance.now() + storePauseMs;
      }
      onFault(error);
      return fallback;
    }
  };

  return (onFault) => ({
    get: async (key) => {
      const value: unknown = await guarded(async () => store.get(key), undefined, onFault);
      // Raw key-value clients answer `null` for what they do not have, and some of them bytes or objects.
      return typeof value === 'string' ? value : undefined;
    },
    set: (key, value, options) =>
      guarded(async () => store.set(key, value, options), false, onFault),
    delete: (key) => guarded(async () => store.delete(key), undefined, onFault),
    isEmpty: () => {
      try {
        return store.isEmpty?.() === true;
      } catch (error) {
        onFault(error);
        return false;
      }
    },
  });
}

/** Looks at a store in this process before it counts as slow; the default one needs three. */
const looks = 8;

/** Whether a promise settles without anybody else having had a turn. */
async function settlesAtOnce(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(() => true).catch(() => true);
  for (let look = 0; look < looks; look += 1)
    if (await Promise.race([settled, Promise.resolve(false)])) return true;
  return false;
}
