import { checkOptions, checkThat } from '../../foundations/checks/check-object.ts';
import { anyFunction, anyBoolean } from '../../foundations/checks/option-rule.ts';
import type { SummaryStore } from '../../state/stores/summary-store.ts';
import { delay } from '../../foundations/util/async/waiting.ts';
import { awkwardTexts, checksFor, expectSame, type ChecksOf, type StoreCheck } from './check.ts';

/** Options of {@link storeChecks}. */
export interface StoreChecksOptions {
  /**
   * Makes another client of the state that the stores of `makeStore` share.
   * @default the store itself
   */
  readonly makeOther?: (() => SummaryStore | Promise<SummaryStore>) | undefined;
  /**
   * Whether entries are absent once their time has passed; else nothing is checked of it.
   * @default true
   */
  readonly expires?: boolean | undefined;
  /**
   * Whether `compareAndSet` lets one of several writers win; else nothing is checked of it.
   * @default true
   */
  readonly isAtomic?: boolean | undefined;
}

/**
 * Contract of every {@link SummaryStore}, as checks for any test runner. They may share one state and
 * run in any order, each has keys of its own. A store that never does what is waited for fails after 30 seconds.
 *
 * @param makeStore - Makes a store, for each check one, or gives the same each time.
 * @throws {SummarizationOptionError} when an argument is wrong.
 *
 * @example
 * for (const { name, run } of storeChecks(() => myStore())) it(name, run, 60_000);
 */
export function storeChecks(
  makeStore: () => SummaryStore | Promise<SummaryStore>,
  options: StoreChecksOptions = {},
): readonly StoreCheck[] {
  checkThat(typeof makeStore === 'function', 'makeStore', makeStore, 'a function');
  const rules = { makeOther: anyFunction(), expires: anyBoolean, isAtomic: anyBoolean };
  checkOptions(options, 'makeOther, expires and isAtomic, or nothing', rules);
  const { makeOther, expires = true, isAtomic = true } = options;
  const checks = { ...valueChecks, ...(isAtomic && raceChecks), ...(expires && expiryChecks) };
  return checksFor(checks, async () => underTest(await makeStore(), await makeOther?.()));
}

type Subject = ReturnType<typeof underTest>;

/** A client, another one of the same state, a key that nobody else uses, and what is asked and expected of them. */
function underTest(store: SummaryStore, other = store) {
  const key = `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');
  /** Anything but a string says that there is none. */
  const get = async (name = key, client = store): Promise<string | undefined> => {
    const value = await client.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const set = async (
    expected: string | undefined,
    value: string,
    where: { name?: string; ttlMs?: number; client?: SummaryStore } = {},
  ): Promise<boolean> => {
    const { name = key, ttlMs, client = store } = where;
    return client.compareAndSet(name, { expected, value, ttlMs });
  };
  const holds = async (value: string | undefined, name = key, client = store): Promise<void> =>
    expectSame(await get(name, client), value, 'what is there');
  return {
    store,
    other,
    key,
    get,
    set,
    /** @throws {Error} unless a key holds a value; `undefined`: nothing. */
    holds,
    /** @throws {Error} unless a value is written over what is expected, or is not, as is said. */
    writes: async (isWritten: boolean, ...write: Parameters<typeof set>): Promise<void> => {
      const what = `whether ${write[1].slice(-9)} is written over ${write[0]?.slice(-9)}`;
      expectSame(await set(...write), isWritten, what);
    },
    /** @throws {Error} unless a key holds nothing any more at one of the moments of the next 30 seconds. */
    forgets: async (name = key): Promise<void> =>
      eventually(async () => (await get(name)) === undefined),
  };
}

/** @throws {Error} unless a condition holds at one of the moments of the next 30 seconds. */
async function eventually(condition: () => Promise<boolean>): Promise<void> {
  for (let poll = 0; poll < 1500; poll += 1) {
    if (await condition()) return;
    await delay(20, undefined);
  }
  throw new Error(`a value is still there, ${soon.ttlMs} ms after which it has to go long passed`);
}

/** A time that passes soon. The check tests that a value expires, not when. */
const soon = { ttlMs: 50 };

/** Checks of consecutive writers. */
const valueChecks: ChecksOf<Subject> = {
  'gives every value back as it was': async ({ store, get, holds, writes }) => {
    // In their quotes.
    const most = Math.min(store.maxBytes ?? Infinity, 1_000_000) - 2;
    const long = ['x'.repeat(most), 'ä日😀'.repeat(Math.floor(most / 9))];
    const texts = [...awkwardTexts, ...long, '\ud800', 'a\udfffb', '\ude00\ud83d'];
    // Lone surrogates are escaped in JSON; what follows may be taken for something else than strings.
    const others = ['{}', '-1.50e3', '12345678901234567890', '{ "a" : [1, 2.0] }'];
    for (const value of [...texts.map((text) => JSON.stringify(text)), ...others]) {
      await writes(true, await get(), value);
      await holds(value);
    }
  },

  'keeps keys apart that differ in one character': async ({ store, key, set, holds }) => {
    // In the first digit, one in the middle, the last.
    const neighbours = [0, 32, 63].map((index) => {
      const digit = (Number.parseInt(key.charAt(index), 16) + 1) % 16;
      return `${key.slice(0, index)}${digit.toString(16)}${key.slice(index + 1)}`;
    });
    await set(undefined, '"own"');
    for (const name of neighbours) await holds(undefined, name);
    for (const name of neighbours) await set(undefined, name, { name });
    for (const name of neighbours) await holds(name, name);
    for (const name of neighbours) await store.delete(name);
    await holds('"own"');
  },

  'writes over what was expected, and over nothing else': async ({ store, key, holds, writes }) => {
    const long = 'x'.repeat(100_000);
    const others = ['"First"', '"first" ', '"first', '', 'first', '"firs_"', '"%"', long];
    for (const expected of ['"first"', ...others]) await writes(false, expected, '"other"');
    await writes(true, undefined, '"first"');
    for (const expected of [undefined, ...others]) await writes(false, expected, '"other"');
    await holds('"first"');
    await writes(true, '"first"', `${long}1`);
    await writes(false, `${long}2`, '"other"');
    await writes(true, `${long}1`, '"second"');
    await holds('"second"');
    await store.delete(key);
    await writes(false, '"second"', '"other"');
    await holds(undefined);
  },

  'holds nothing any more under a key that was deleted': async ({ store, key, holds, writes }) => {
    await writes(true, undefined, '"value"');
    await store.delete(key);
    await holds(undefined);
    await store.delete(key);
    await writes(true, undefined, '"again"');
    await holds('"again"');
  },

  'lists the keys that begin so and hold something, where it lists': async ({
    store,
    key,
    set,
  }) => {
    if (store.list === undefined) return;
    const [one, other] = [key.slice(0, 32), `${key.slice(1, 32)}_`];
    const keys = Array.from({ length: 30 }, (_, index) => `${one}${`${index}`.padStart(32, '0')}`);
    const others = ['*', '%', '?', ''].map((end) => `${other}${end}`);
    for (const name of [...keys, ...others]) await set(undefined, '"value"', { name });
    for (const each of keys.slice(20)) await store.delete(each);
    expectSame((await store.list(one)).toSorted(), keys.slice(0, 20), 'the keys');
    expectSame((await store.list(`${other}%`)).toSorted(), [`${other}%`], 'the keys');
    expectSame(await store.list(`${key}_`), [], 'the keys of a prefix that none begins with');
  },

  'shows one client what another wrote and deleted': async (subject) => {
    const { other, key, holds, writes } = subject;
    await writes(true, undefined, '"of one"');
    await writes(false, undefined, '"second"', { client: other });
    await holds('"of one"', key, other);
    await writes(true, '"of one"', '"of the other"', { client: other });
    await writes(false, '"of one"', '"third"');
    await holds('"of the other"');
    await other.delete(key);
    await holds(undefined);
  },
};

/** Checks of concurrent writers. */
const raceChecks: ChecksOf<Subject> = {
  'lets one of 100 writers win who expect the same': async ({ store, other, get, set, holds }) => {
    // Over nothing, then over that.
    for (const round of ['first', 'second']) {
      const expected = await get();
      const write = async (_: unknown, index: number): Promise<string[]> => {
        // All of one length: what two wrote into one file at once is then of one of them.
        const value = `"writer ${`${index}`.padStart(2, '0')} of the ${round} round"`;
        const client = index % 2 === 0 ? store : other;
        return (await set(expected, value, { ttlMs: 600_000, client })) ? [value] : [];
      };
      const [held, ...more] = (await Promise.all(Array.from({ length: 100 }, write))).flat();
      expectSame(more, [], `other winners of the ${round} round`);
      for (const client of [store, other]) await holds(held, undefined, client);
    }
  },
};

/** Checks of a store that forgets. */
const expiryChecks: ChecksOf<Subject> = {
  'forgets a value whose time has passed, and takes another then': async (subject) => {
    const { store, key, holds, writes, forgets } = subject;
    await writes(true, undefined, '"value"', soon);
    await forgets();
    if (store.list !== undefined) expectSame(await store.list(key), [], 'the keys');
    await writes(true, undefined, '"new"');
    await holds('"new"');
  },

  'takes a value for nothing once its time has passed': async ({ set, holds }) => {
    await set(undefined, '"old"', soon);
    // Nothing reads it before: a store that forgets on reading alone has not forgotten.
    await eventually(() => set(undefined, '"new"'));
    await holds('"new"');
  },

  'does not write over a value that was expected once its time has passed': async (subject) => {
    const { key, set, writes, forgets } = subject;
    await set(undefined, '"old"', soon);
    // One whose time began later, so that the first is not read.
    const name = `${key.slice(1)}0`;
    await set(undefined, '"last"', { ...soon, name });
    await forgets(name);
    await writes(false, '"old"', '"other"');
  },

  'gives a value that is written again a new time': async ({ key, get, set, holds, forgets }) => {
    const [withoutTime, last] = [`${key.slice(1)}1`, `${key.slice(1)}0`];
    for (const again of [{ ttlMs: 600_000 }, { name: withoutTime }])
      await eventually(async () => {
        await set(undefined, '"first"', { ...again, ...soon });
        return set(await get(again.name), '"again"', again);
      });
    await set(undefined, '"last"', { ...soon, name: last });
    await forgets(last);
    await holds('"again"');
    await holds('"again"', withoutTime);
  },
};
