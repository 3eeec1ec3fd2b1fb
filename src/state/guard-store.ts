import { isMemoryStore } from '../stores/memory-store.ts';
import type { SummaryStore } from './summary-store.ts';

/** Milliseconds a store operation may take before the call goes on without it. */
export const storeTimeoutMs = 250;

/** Milliseconds a store that failed three times in a row is left alone. */
export const storePauseMs = 60_000;

/** Gives a caller the guarded store; the caller's faults are reported to it, but counted for all. */
export type GuardedStore = (onFault: (error: unknown) => void) => SummaryStore;

/**
 * Makes a store harmless: an operation that fails or takes longer than 250 ms counts as a miss (`get`)
 * or as not written (`set`), and is reported. After three faults in a row the store is left alone for a
 * minute. An operation in flight is never cancelled: on a pooled connection that would leave its reply
 * to the next caller.
 */
export function guardStore(store: SummaryStore): GuardedStore {
  // Nothing to guard against, and a timer for each access costs more than the access.
  if (isMemoryStore(store)) return () => store;
  let faults = 0;
  let pausedUntil = 0;

  const guarded = async <T>(
    operation: () => Promise<T>,
    fallback: T,
    onFault: (error: unknown) => void,
  ): Promise<T> => {
    if (performance.now() < pausedUntil) return fallback;
    try {
      const result = await withTimeout(operation());
      faults = 0;
      return result;
    } catch (error) {
      faults += 1;
      if (faults >= 3) {
        faults = 0;
        pausedUntil = performance.now() + storePauseMs;
      }
      onFault(error);
      return fallback;
    }
  };

  return (onFault) => ({
    get: (key) => guarded(async () => store.get(key), undefined, onFault),
    set: (key, value, options) =>
      guarded(async () => store.set(key, value, options), false, onFault),
    delete: (key) => guarded(async () => store.delete(key), undefined, onFault),
  });
}

async function withTimeout<T>(operation: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The summary store did not answer within ${storeTimeoutMs} ms.`)),
      storeTimeoutMs,
    );
  });
  try {
    return await Promise.race([operation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
