import type { SummaryStore } from '../stores/summary-store.ts';
import { hostileTexts } from './hostile-texts.ts';
import { expectSame, storeChecks, type ChecksOf, type StoreCheck } from './store-check.ts';

/**
 * What every {@link SummaryStore} has to do, as checks for any test runner. They may share one store and
 * run in any order: each has keys of its own.
 *
 * @example
 * for (const { name, run } of summaryStoreChecks(() => myStore())) it(name, run);
 */
export function summaryStoreChecks(
  makeStore: () => SummaryStore | Promise<SummaryStore>,
): readonly StoreCheck[] {
  return storeChecks(keyChecks, makeStore, newKey);
}

/** Anything but a string says that there is none. */
function expectNothing(value: unknown, what: string): void {
  if (typeof value === 'string') expectSame(value, undefined, what);
}

const keyChecks: ChecksOf<SummaryStore> = {
  'holds nothing under an unknown key': async (store, key) => {
    expectNothing(await store.get(key), 'the value');
    await store.delete(key);
  },

  'gives every value back as it was': async (store, key) => {
    for (const text of hostileTexts) {
      const value = JSON.stringify(text);
      expectSame(await store.set(key, value), true, 'whether it was written');
      expectSame(await store.get(key), value, 'the value');
    }
  },

  'keeps the first value with ifAbsent': async (store, key) => {
    expectSame(await store.set(key, '"first"', { ifAbsent: true }), true, 'the first write');
    expectSame(await store.set(key, '"second"', { ifAbsent: true }), false, 'the second write');
    expectSame(await store.get(key), '"first"', 'the value');
  },

  'lets one of many writers win with ifAbsent': async (store, key) => {
    const values = Array.from({ length: 20 }, (_, index) => JSON.stringify(`writer ${index}`));
    const written = await Promise.all(
      values.map((value) => store.set(key, value, { ifAbsent: true })),
    );
    expectSame(written.filter(Boolean).length, 1, 'the number of winners');
    expectSame(await store.get(key), values[written.indexOf(true)], 'the value');
  },

  'takes a new value with ifAbsent after delete': async (store, key) => {
    await store.set(key, '"first"');
    await store.delete(key);
    expectNothing(await store.get(key), 'the deleted value');
    expectSame(await store.set(key, '"second"', { ifAbsent: true }), true, 'the second write');
    expectSame(await store.get(key), '"second"', 'the value');
  },

  'keeps keys apart': async (store, key) => {
    const other = newKey();
    await store.set(key, '"one"');
    await store.set(other, '"other"');
    await store.delete(other);
    expectSame(await store.get(key), '"one"', 'the value');
  },

  'keeps a value for as long as it may': async (store, key) => {
    await store.set(key, '"value"', { ttlMs: 60_000 });
    expectSame(await store.get(key), '"value"', 'the value');
  },
};

/** As the keys of the package are: 64 hexadecimal digits. */
function newKey(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');
}
