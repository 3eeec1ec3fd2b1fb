import type { SummaryStore } from '../stores/summary-store.ts';
import { delay } from '../util/async/waiting.ts';
import { eventually } from './eventually.ts';
import { add, expectSame, isThere, put, type ChecksOf } from './store-check.ts';

/** Milliseconds that pass soon. What is checked is that they have an end, not when it is. */
const ttlMs = 50;

/** Of a store that forgets. */
export const expiryChecks: ChecksOf<SummaryStore> = {
  'forgets a value whose time has passed, and takes another then': async (store, key) => {
    expectSame(await add(store, key, '"value"', ttlMs), true, 'the write');
    await forgotten(store, key);
    if (store.list !== undefined) expectSame(await store.list(key), [], 'the keys');
    expectSame(await add(store, key, '"new"'), true, 'the write after it');
    expectSame(await store.get(key), '"new"', 'the value');
  },

  'takes a value for nothing once its time has passed': async (store, key) => {
    await add(store, key, '"old"', ttlMs);
    // Nothing reads it before: a store that forgets on reading alone has not forgotten.
    await eventually(
      () => add(store, key, '"new"'),
      'no new value was taken for one whose time had passed',
    );
    expectSame(await store.get(key), '"new"', 'the value');
  },

  'does not write over a value that was expected once its time has passed': async (store, key) => {
    await add(store, key, '"old"', ttlMs);
    const last = `${key.slice(1)}0`;
    await add(store, last, '"last"', ttlMs);
    // Its time began after that of the other.
    await forgotten(store, last);
    const entry = { expected: '"old"', value: '"new"' };
    expectSame(await store.compareAndSet(key, entry), false, 'the write');
  },

  'gives a value that is written again a new time': async (store, key) => {
    const second = `${key.slice(1)}0`;
    const writeAgain = async (name: string, againMs?: number): Promise<void> =>
      eventually(async () => {
        await add(store, name, '"first"', ttlMs);
        return put(store, name, '"again"', againMs);
      }, 'a value was not written again');
    await writeAgain(key, 600_000);
    await writeAgain(second);
    const last = `${key.slice(1)}1`;
    // Its time begins after those of the others.
    await add(store, last, '"last"', ttlMs);
    await forgotten(store, last);
    expectSame(await store.get(key), '"again"', 'the value with a longer time');
    expectSame(await store.get(second), '"again"', 'the value without a time');
  },
};

/** Of a store that may keep what it should have forgotten. */
export const noExpiryChecks: ChecksOf<SummaryStore> = {
  'gives a value whose time has passed back as it was or not at all (expiry is not promised)':
    async (store, key) => {
      await put(store, key, '"value"', ttlMs);
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
