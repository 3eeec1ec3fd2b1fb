import { checkOptions, checkThat } from '../checks/check-object.ts';
import { anyFunction, flag } from '../checks/option-rule.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { delay } from '../util/async/waiting.ts';
import { awkwardTexts, checksFor, expectSame, type ChecksOf, type StoreCheck } from './check.ts';

/** Options of {@link storeChecks}. */
export interface StoreChecksOptions {
  /**
   * Makes another client of the state that the stores of `makeStore` share.
   * @default undefined (nothing is checked of several clients)
   */
  readonly makeOther?: (() => SummaryStore | Promise<SummaryStore>) | undefined;
  /**
   * Whether entries are absent once their time has passed. The names of the checks say where it is not promised.
   * @default true
   */
  readonly expires?: boolean | undefined;
  /**
   * Whether `compareAndSet` lets one of several writers win. The names of the checks say where it is not promised.
   * @default true
   */
  readonly isAtomic?: boolean | undefined;
}

/**
 * What every {@link SummaryStore} has to do, as checks for any test runner. They may share one state and
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
  const rules = { makeOther: anyFunction(), expires: flag, isAtomic: flag };
  checkOptions(options, 'makeOther, expires and isAtomic, or nothing', rules);
  const { makeOther, expires = true, isAtomic = true } = options;
  const ofOne: ChecksOf<Clients> = {
    ...valueChecks,
    ...compareChecks,
    ...raceChecks('', isAtomic),
    ...(expires ? expiryChecks : noExpiryChecks),
  };
  const alone = checksFor(ofOne, async () => [await makeStore()] as const, newKey);
  if (makeOther === undefined) return alone;
  const ofTwo = { ...sharingChecks, ...raceChecks(' of two clients', isAtomic) };
  const makeBoth = async () => [await makeStore(), await makeOther()] as const;
  return [...alone, ...checksFor(ofTwo, makeBoth, newKey)];
}

/** A client, and where there are two, the other one of the same state. */
type Clients = readonly [one: SummaryStore, ...others: SummaryStore[]];

/** A key as those of the package are: 64 hexadecimal digits. */
function newKey(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');
}

/** Whether there is a value: anything but a string says that there is none. */
function isThere(value: string | null | undefined): value is string {
  return typeof value === 'string';
}

/** @throws {Error} unless a key holds a value; `undefined`: nothing. */
const holds = async (store: SummaryStore, key: string, value: string | undefined, what = 'is') => {
  const held = await store.get(key);
  expectSame(isThere(held) ? held : undefined, value, `what ${what} there`);
};

/** Writes a value where there is none. Returns whether the store says that it has. */
const add = async (store: SummaryStore, key: string, value: string, ttlMs?: number) =>
  store.compareAndSet(key, { expected: undefined, value, ttlMs });

/** Writes a value over whatever stands there. Returns whether the store says that it has. */
const put = async (store: SummaryStore, key: string, value: string, ttlMs?: number) =>
  store.compareAndSet(key, { expected: (await store.get(key)) ?? undefined, value, ttlMs });

/** @throws {Error} where a value is written over another one than is there. */
const refuses = async (store: SummaryStore, key: string, expected: string) => {
  const isWritten = await store.compareAndSet(key, { expected, value: '"other"' });
  expectSame(isWritten, false, `the write over ${expected.slice(-9)}`);
};

/** @throws {Error} unless a store takes values, one in the place of another, and gives each back as it was. */
const keeps = async (store: SummaryStore, key: string, values: readonly string[]) => {
  for (const value of values) {
    expectSame(await put(store, key, value), true, 'whether it was written');
    await holds(store, key, value);
  }
};

/** @throws {Error} saying `otherwise` unless a condition holds at one of the moments of the next 30 seconds. */
async function eventually(condition: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (let poll = 0; poll < 1500; poll += 1) {
    if (await condition()) return;
    await delay(20, undefined);
  }
  throw new Error(otherwise);
}

/** That values come back as they were, under their own keys alone. */
const valueChecks: ChecksOf<Clients> = {
  'gives every value back as it was': ([store], key) => keeps(store, key, awkwardTexts.map(json)),

  'gives values back that look like other things than strings': ([store], key) =>
    keeps(store, key, ['{}', '0', '-1.50e3', '12345678901234567890', 'null', '{ "a" : [1, 2.0] }']),

  'gives values of 1 MB back as they were': ([store], key) =>
    keeps(store, key, ['x'.repeat(1_000_000), 'ä日😀'.repeat(111_111)].map(json)),

  'gives lone surrogates, escaped as JSON does, back as they were': ([store], key) =>
    keeps(store, key, ['\ud800', 'a\udfffb', '\ude00\ud83d'].map(json)),

  'keeps keys apart that differ in one character': async ([store], key) => {
    // In the first digit, one in the middle, the last.
    const neighbours = [0, 32, 63].map((index) => {
      const digit = (Number.parseInt(key.charAt(index), 16) + 1) % 16;
      return `${key.slice(0, index)}${digit.toString(16)}${key.slice(index + 1)}`;
    });
    await put(store, key, '"own"');
    for (const neighbour of neighbours) await holds(store, neighbour, undefined);
    for (const neighbour of neighbours) await put(store, neighbour, json(neighbour));
    for (const neighbour of neighbours) await holds(store, neighbour, json(neighbour));
    for (const neighbour of neighbours) await store.delete(neighbour);
    await holds(store, key, '"own"');
  },

  'holds nothing any more under a key that was deleted': async ([store], key) => {
    await put(store, key, '"value"');
    await store.delete(key);
    await holds(store, key, undefined);
    await store.delete(key);
    await keeps(store, key, ['"again"']);
  },
};

function json(value: string): string {
  return JSON.stringify(value);
}

/** Of one who writes after another. */
const compareChecks: ChecksOf<Clients> = {
  'writes where nothing was expected and nothing is': async ([store], key) => {
    expectSame(await add(store, key, '"first"'), true, 'the first write');
    expectSame(await add(store, key, '"second"'), false, 'the second write');
    await holds(store, key, '"first"');
    await store.delete(key);
    await holds(store, key, undefined);
    expectSame(await add(store, key, '"second"'), true, 'the write after delete');
    await holds(store, key, '"second"');
  },

  'writes over the value that was expected, and over no other': async ([store], key) => {
    const others = ['"First"', '"first" ', '"first', '', 'first', '"firs_"', '"%"'];
    for (const over of ['"first"', ...others]) await refuses(store, key, over);
    await holds(store, key, undefined);
    await add(store, key, '"first"');
    for (const over of others) await refuses(store, key, over);
    await holds(store, key, '"first"');
    const entry = { expected: '"first"', value: '"second"' };
    expectSame(await store.compareAndSet(key, entry), true, 'the write over the value');
    await refuses(store, key, '"first"');
    await holds(store, key, '"second"');
    await store.delete(key);
    await refuses(store, key, '"second"');
    await holds(store, key, undefined);
  },

  'compares values of 100 kB in all their characters': async ([store], key) => {
    const long = 'x'.repeat(100_000);
    await add(store, key, `"${long}1"`);
    await refuses(store, key, `"${long}2"`);
    const entry = { expected: `"${long}1"`, value: '"other"' };
    expectSame(await store.compareAndSet(key, entry), true, 'the write over the value');
  },

  'lists the keys that begin so and hold something, where it lists': async ([store], key) => {
    if (store.list === undefined) return;
    const [one, other] = [key.slice(0, 32), `${key.slice(1, 32)}_`];
    const keys = Array.from({ length: 30 }, (_, index) => `${one}${`${index}`.padStart(32, '0')}`);
    for (const each of keys) await add(store, each, '"value"');
    for (const prefix of ['*', '%', '?', '']) await add(store, `${other}${prefix}`, '"other"');
    for (const each of keys.slice(20)) await store.delete(each);
    expectSame((await store.list(one)).toSorted(), keys.slice(0, 20), 'the keys');
    expectSame((await store.list(`${other}%`)).toSorted(), [`${other}%`], 'the keys');
    expectSame(await store.list(`${key}_`), [], 'the keys of a prefix that none begins with');
  },
};

/** Of many who write at once. */
function raceChecks(who: string, isAtomic: boolean): ChecksOf<Clients> {
  return isAtomic
    ? {
        [`lets one of 100 writers${who} win who expect the same`]: expectOneWinner,
        [`loses no change of 10 writers${who}, who read, change and try again`]: expectAllChanges,
      }
    : {
        [`ends with the value of one of 100 writers${who} (not atomic: several may win)`]:
          expectSomeWinner,
      };
}

/** That one of many writers, each with a value of its own, is told that it won, and did: over nothing, then over that. */
async function expectOneWinner(clients: Clients, key: string): Promise<void> {
  for (const round of ['first', 'second']) {
    const [held, ...more] = await race(clients, key, round);
    expectSame(more, [], `other winners of the ${round} round`);
    for (const client of clients) await holds(client, key, held);
  }
}

/** That what is there in the end is the value of one who was told that he won. */
async function expectSomeWinner(clients: Clients, key: string): Promise<void> {
  const winners = await race(clients, key, 'first');
  for (const client of clients) {
    const value = await client.get(key);
    const isOfWinner = winners.some((winner) => winner === value);
    expectSame(isOfWinner, true, `whether ${String(value)} is of one who won`);
  }
}

/** The values of those of 100 writers over one value who were told that they won. */
async function race(clients: Clients, key: string, round: string): Promise<readonly string[]> {
  const expected = (await clients[0].get(key)) ?? undefined;
  const write = async (_: unknown, index: number): Promise<string[]> => {
    // All of one length: what two wrote into one file at once is then of one of them.
    const value = JSON.stringify(`writer ${`${index}`.padStart(2, '0')} of the ${round} round`);
    const client = clients[index % clients.length] ?? clients[0];
    const isWritten = await client.compareAndSet(key, { expected, value, ttlMs: 600_000 });
    return isWritten ? [value] : [];
  };
  return (await Promise.all(Array.from({ length: 100 }, write))).flat();
}

/** That nobody overwrites what somebody else has written: ten writers each add to a list, five times. */
async function expectAllChanges(clients: Clients, key: string): Promise<void> {
  const added: string[] = [];
  const change = async (_: unknown, writer: number): Promise<void> => {
    const client = clients[writer % clients.length] ?? clients[0];
    for (let left = 5; left > 0;) {
      const expected = (await client.get(key)) ?? undefined;
      const word = ` ${writer}-${left} `;
      const value = `${expected ?? ''}${word}`;
      if (!(await client.compareAndSet(key, { expected, value, ttlMs: 600_000 }))) continue;
      added.push(word);
      left -= 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, change));
  const text = String(await clients[0].get(key));
  const lost = added.filter((word) => !text.includes(word));
  expectSame(lost, [], 'the changes that are lost');
}

/** Milliseconds that pass soon. What is checked is that they have an end, not when it is. */
const ttlMs = 50;

/** Of a store that forgets. */
const expiryChecks: ChecksOf<Clients> = {
  'forgets a value whose time has passed, and takes another then': async ([store], key) => {
    expectSame(await add(store, key, '"value"', ttlMs), true, 'the write');
    await forgotten(store, key);
    if (store.list !== undefined) expectSame(await store.list(key), [], 'the keys');
    expectSame(await add(store, key, '"new"'), true, 'the write after it');
    await holds(store, key, '"new"');
  },

  'takes a value for nothing once its time has passed': async ([store], key) => {
    await add(store, key, '"old"', ttlMs);
    // Nothing reads it before: a store that forgets on reading alone has not forgotten.
    await eventually(() => add(store, key, '"new"'), 'an old value is never taken for nothing');
    await holds(store, key, '"new"');
  },

  'does not write over a value that was expected once its time has passed': async (
    [store],
    key,
  ) => {
    await add(store, key, '"old"', ttlMs);
    await forgottenAfter(store, key);
    await refuses(store, key, '"old"');
  },

  'gives a value that is written again a new time': async ([store], key) => {
    const second = `${key.slice(1)}1`;
    for (const [name, againMs] of [[key, 600_000] as const, [second] as const])
      await eventually(async () => {
        await add(store, name, '"first"', ttlMs);
        return put(store, name, '"again"', againMs);
      }, 'a value was not written again');
    await forgottenAfter(store, key);
    await holds(store, key, '"again"', 'with a longer time is');
    await holds(store, second, '"again"', 'without a time is');
  },
};

/** Of a store that may keep what it should have forgotten. */
const noExpiryChecks: ChecksOf<Clients> = {
  'gives a value whose time has passed back as it was or not at all (expiry is not promised)':
    async ([store], key) => {
      await put(store, key, '"value"', ttlMs);
      await delay(2 * ttlMs, undefined);
      if (isThere(await store.get(key))) await holds(store, key, '"value"');
    },
};

async function forgotten(store: SummaryStore, key: string): Promise<void> {
  const otherwise = `a value is still there, ${ttlMs} ms after which it was to be forgotten have long passed`;
  await eventually(async () => !isThere(await store.get(key)), otherwise);
}

/** Waits until a value is forgotten whose time began after that of all others, without reading those. */
async function forgottenAfter(store: SummaryStore, key: string): Promise<void> {
  const last = `${key.slice(1)}0`;
  await add(store, last, '"last"', ttlMs);
  await forgotten(store, last);
}

/** Of two clients that write one after the other. */
const sharingChecks: ChecksOf<Clients> = {
  'shows one client what another wrote and deleted': async ([one, other = one], key) => {
    await put(one, key, '"of one"');
    await holds(other, key, '"of one"', 'the other client reads');
    await put(other, key, '"of the other"');
    await holds(one, key, '"of the other"', 'the first client reads');
    await other.delete(key);
    await holds(one, key, undefined, 'the first client reads');
  },

  'keeps what one client wrote from another that expects something else': async (
    [one, other = one],
    key,
  ) => {
    expectSame(await add(one, key, '"of one"'), true, 'the first write');
    expectSame(await add(other, key, '"second"'), false, 'the second write');
    await holds(other, key, '"of one"', 'the other client reads');
    const entry = { expected: '"of one"', value: '"of the other"' };
    expectSame(await other.compareAndSet(key, entry), true, 'the write over it');
    await refuses(one, key, '"of one"');
    await holds(one, key, '"of the other"', 'the first client reads');
  },
};
