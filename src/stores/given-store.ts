import { anyObject, hasFunctions, type OptionRule } from '../checks/option-rule.ts';
import { turns } from '../util/async/waiting.ts';
import type { KeyValueStore, SummaryStore } from './summary-store.ts';

/** What a caller may give as a store. */
export type GivenStore = SummaryStore | KeyValueStore;

/** What is taken for a store, told by the functions that it has, and what to give instead. */
const mistakes: readonly (readonly [has: readonly string[], hint: string])[] = [
  [['then'], 'this is a promise: await it'],
  [['getItem', 'setItem'], 'for a storage of unstorage give unstorageStore(storage)'],
  [['get', 'set', 'del'], 'for a client of Redis give redisStore(client)'],
  [['query'], 'for a client of Postgres give postgresStore({ client })'],
  [['prepare', 'exec'], 'for a database of SQLite give sqliteStore({ path })'],
  [
    ['get', 'set', 'delete', 'disconnect'],
    'for a Keyv give an object whose set passes ttlMs on and resolves to true',
  ],
  [['get', 'set', 'has', 'clear'], 'for a Map give memoryStore()'],
];

/** What every place accepts that takes a store. */
export const storeRule: OptionRule = {
  allowed:
    'a SummaryStore, an object with the functions get, compareAndSet and delete, or get, set and delete',
  accepts: (value) => {
    if (hasFunctions(value, 'get', 'compareAndSet', 'delete')) return true;
    // A Map, a Keyv and other caches have these too, and take other arguments.
    const isCache = !anyObject.accepts(value) || hasFunctions(value, 'disconnect');
    return hasFunctions(value, 'get', 'set', 'delete') && !isCache;
  },
  hint: (value) =>
    typeof value === 'function'
      ? 'this is a function: give what it returns'
      : mistakes.find(([has]) => hasFunctions(value, ...has))?.[1],
};

/** Whether a store compares before it writes, and need not be wrapped. */
export function isComparing(store: GivenStore): store is SummaryStore {
  return 'compareAndSet' in store;
}

const wrapped = new WeakMap<KeyValueStore, SummaryStore>();

/** The store as it is used: one that writes without comparing is wrapped, in the same wrapper each time. */
export function usedStore(store: GivenStore): SummaryStore {
  if (isComparing(store)) return store;
  const known = wrapped.get(store);
  if (known !== undefined) return known;
  const wrapper: SummaryStore = {
    get: async (key) => store.get(key),
    compareAndSet: readThenWrite(
      async (key) => store.get(key),
      async (key, value, ttlMs) => store.set(key, value, { ttlMs }),
    ),
    delete: async (key) => store.delete(key),
    list: store.list?.bind(store),
    scrub: store.scrub?.bind(store),
    isLocal: store.isLocal,
    isEmpty: store.isEmpty?.bind(store),
  };
  wrapped.set(store, wrapper);
  return wrapper;
}

/** Milliseconds for which one write holds up the next of its key. */
const longestTurnMs = 15_000;

/**
 * Compares and sets where nothing does both in one step: reads, then writes. In this process one after the other;
 * another process may write in between.
 */
export function readThenWrite(
  read: (key: string) => Promise<string | null | undefined>,
  write: (key: string, value: string, ttlMs: number | undefined) => Promise<boolean>,
): SummaryStore['compareAndSet'] {
  const inTurn = turns(longestTurnMs);
  return (key, { expected, value, ttlMs }) =>
    inTurn(key, async () => {
      const held = await read(key);
      const isAsExpected = (typeof held === 'string' ? held : undefined) === expected;
      return isAsExpected && write(key, value, ttlMs);
    });
}
