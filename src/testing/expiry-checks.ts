import type { SummaryStore } from '../stores/summary-store.ts';
import { delay } from '../util/async/delay.ts';
import { eventually } from './eventually.ts';
import { expectSame, isThere, type ChecksOf } from './store-check.ts';

/** Milliseconds that pass soon. What is checked is that they have an end, not when it is. */
const ttlMs = 50;

/** Of a store that forgets. */
export const expiryChecks: ChecksOf<SummaryStore> = {
  'forgets a value whose time has passed': async (store, key) => {
    await store.set(key, '"value"', { ttlMs });
    await forgotten(store, key);
  },

  'forgets a value that was written with ifAbsent, and takes another then': async (store, key) => {
    expectSame(await store.set(key, '"value"', { ifAbsent: true, ttlMs }), true, 'the write');
    await forgotten(store, key);
    expectSame(await store.set(key, '"new"', { ifAbsent: true }), true, 'the write after it');
    expectSame(await store.get(key), '"new"', 'the value');
  },

  'takes a new value with ifAbsent once the time of the old one has passed': async (store, key) => {
    await store.set(key, '"old"', { ttlMs });
    // Nothing reads it before: a store that forgets on reading alone has not forgotten.
    await eventually(
      () => store.set(key, '"new"', { ifAbsent: true }),
      'ifAbsent did not take a new value for one whose time had passed',
    );
    expectSame(await store.get(key), '"new"', 'the value');
  },

  'gives a value that is written again a new time': async (store, key) => {
    const second = `${key.slice(1)}0`;
    await store.set(key, '"first"', { ttlMs });
    await store.set(key, '"again"', { ttlMs: 600_000 });
    await store.set(second, '"first"', { ttlMs });
    await store.set(second, '"again"');
    const last = `${key.slice(1)}1`;
    await store.set(last, '"last"', { ttlMs });
    // Its time began after those of the others.
    await forgotten(store, last);
    expectSame(await store.get(key), '"again"', 'the value with a longer time');
    expectSame(await store.get(second), '"again"', 'the value without a time');
  },
};

/** Of a store that may keep what it should have forgotten. */
export const noExpiryChecks: ChecksOf<SummaryStore> = {
  'gives a value whose time has passed back as it was or not at all (expiry is not promised)':
    async (store, key) => {
      await store.set(key, '"value"', { ttlMs });
      await delay(2 * ttlMs, undefined);
      const value = await store.get(key);
      if (isThere(value)) expectSame(value, '"value"', 'the value');
    },
};

async function forgotten(store: SummaryStore, key: string): Promise<void> {
  await eventually(
    async () => !isThere(await store.get(key)),
    `a value is still there, ${ttlMs} ms after which it was to be forgotten have long passed`,
  );
}
