import type { SummaryStore } from '../../src/index.ts';
import { canary } from '../properties/generators/faults.ts';
import type { SharedStore } from '../support/shared-store.ts';
import { untyped } from '../support/untyped.ts';

/** What may be wrong with a store. */
export const storeFaults = [
  'rejects',
  'throws',
  'hangs',
  'hangs at reads',
  'hangs at writes',
  'rejects every other',
  'takes 300 ms',
  'takes 5 s',
  'garbles',
  'cuts off',
  'answers null',
  'answers objects',
  'answers of other keys',
  'loses writes',
  'is read-only',
  'writes and rejects',
  'is stale',
] as const;

/** What is wrong with a store, if anything. */
export type StoreFault = 'none' | (typeof storeFaults)[number];

/** A process's way to the store, in which something can be wrong. */
export interface FaultyStore extends SummaryStore {
  fault: StoreFault;
  /** Whether something has been wrong since the process knows it. */
  wasFaulty: boolean;
}

const forever = <Result>(): Promise<Result> => new Promise(() => {});
const fail = async (): Promise<never> => Promise.reject(new Error(canary));
const after = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * Opens a shared store for a process that knows nothing yet.
 *
 * @param onRead - Told of each key of which it says what stands there, truly and at once.
 */
export function faultyStore(shared: SharedStore, onRead: (key: string) => void): FaultyStore {
  const plain = shared.open();
  const seen = new Map<string, string | null | undefined>();
  let operations = 0;

  /** What all operations have in common; `undefined` lets them through. */
  const stopped = (fault: StoreFault): Promise<never> | undefined => {
    operations += 1;
    if (fault === 'throws') throw new Error(canary);
    if (fault === 'rejects') return fail();
    if (fault === 'rejects every other' && operations % 2 === 0) return fail();
    return fault === 'hangs' ? forever() : undefined;
  };
  const delayed = async (fault: StoreFault): Promise<void> => {
    if (fault === 'takes 300 ms') await after(300);
    if (fault === 'takes 5 s') await after(5000);
  };
  const read = async (fault: StoreFault, key: string): ReturnType<SummaryStore['get']> => {
    await delayed(fault);
    const value = await plain.get(key);
    if (fault === 'none') onRead(key);
    if (fault === 'garbles') return value?.replace(/.$/, '!');
    if (fault === 'cuts off') return value?.slice(0, 100);
    if (fault === 'answers null') return null;
    if (fault === 'answers objects') return untyped({ [canary]: 1 });
    if (fault === 'answers of other keys') {
      // Never by chance its own: who reads that hears of an erasure.
      const others = [...shared.entries].filter(([other]) => other !== key);
      return others.at(operations % (others.length || 1))?.[1].value;
    }
    if (fault === 'is stale' && seen.has(key)) return seen.get(key);
    seen.set(key, value);
    return value;
  };
  const store: FaultyStore = {
    fault: 'none',
    wasFaulty: false,
    get: (key) => {
      const { fault } = store;
      if (fault === 'hangs at reads') return forever();
      return stopped(fault) ?? read(fault, key);
    },
    compareAndSet: async (key, entry) => {
      const { fault } = store;
      if (fault === 'hangs at writes') return forever();
      if (fault === 'loses writes') return true;
      if (fault === 'is read-only') return false;
      await stopped(fault);
      await delayed(fault);
      const isSet = await plain.compareAndSet(key, entry);
      return fault === 'writes and rejects' ? fail() : isSet;
    },
    delete: async (key) => {
      const { fault } = store;
      if (fault === 'hangs at writes') return forever();
      if (fault === 'loses writes' || fault === 'is read-only') return;
      await stopped(fault);
      await delayed(fault);
      await plain.delete(key);
      if (fault === 'writes and rejects') await fail();
    },
  };
  return store;
}
