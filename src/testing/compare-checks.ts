import type { SummaryStore } from '../stores/summary-store.ts';
import { add, expectNothing, expectSame, isThere, type ChecksOf } from './store-check.ts';

/** Writers that want the same key at once. */
const writers = 100;

const oneAfterAnotherChecks: ChecksOf<SummaryStore> = {
  'writes where nothing was expected and nothing is': async (store, key) => {
    expectSame(await add(store, key, '"first"'), true, 'the first write');
    expectSame(await add(store, key, '"second"'), false, 'the second write');
    expectSame(await store.get(key), '"first"', 'the value');
    await store.delete(key);
    expectNothing(await store.get(key), 'the deleted value');
    expectSame(await add(store, key, '"second"'), true, 'the write after delete');
    expectSame(await store.get(key), '"second"', 'the value');
  },

  'writes over the value that was expected, and over no other': async (store, key) => {
    const over = async (expected: string, value: string) =>
      store.compareAndSet(key, { expected, value });
    expectSame(await over('"first"', '"second"'), false, 'the write over nothing');
    expectNothing(await store.get(key), 'the value');
    await add(store, key, '"first"');
    for (const other of ['"First"', '"first" ', '"first', '', 'first', '"firs_"', '"%"'])
      expectSame(await over(other, '"second"'), false, `the write over ${other}`);
    expectSame(await store.get(key), '"first"', 'the value');
    expectSame(await over('"first"', '"second"'), true, 'the write over the value');
    expectSame(await over('"first"', '"third"'), false, 'the write over the value before');
    expectSame(await store.get(key), '"second"', 'the value');
    await store.delete(key);
    expectSame(await over('"second"', '"third"'), false, 'the write over what was deleted');
    expectNothing(await store.get(key), 'the value');
  },

  'compares values of 100 kB in all their characters': async (store, key) => {
    const long = 'x'.repeat(100_000);
    await add(store, key, `"${long}1"`);
    const second = { expected: `"${long}2"`, value: '"other"' };
    expectSame(await store.compareAndSet(key, second), false, 'the write over another value');
    const first = { expected: `"${long}1"`, value: '"other"' };
    expectSame(await store.compareAndSet(key, first), true, 'the write over the value');
  },
};

const listChecks: ChecksOf<SummaryStore> = {
  'lists the keys that begin so and hold something, where it lists': async (store, key) => {
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

/** Of a store that compares and sets in one step. */
export const compareChecks: ChecksOf<SummaryStore> = {
  ...oneAfterAnotherChecks,
  ...listChecks,
  'lets one of 100 writers win who expect the same': async (store, key) =>
    expectOneWinner([store], key),
  'loses no change of 10 writers who read, change and try again': async (store, key) =>
    expectAllChanges([store], key),
};

/** Of a store that reads first and writes then. */
export const nonAtomicChecks: ChecksOf<SummaryStore> = {
  ...oneAfterAnotherChecks,
  ...listChecks,
  'ends with the value of one of 100 writers (not atomic: several may win)': async (store, key) =>
    expectSomeWinner([store], key),
};

/** That one of many writers, each with a value of its own, is told that it won, and did: over nothing, then over that. */
export async function expectOneWinner(
  clients: readonly SummaryStore[],
  key: string,
): Promise<void> {
  let held: string | undefined;
  for (const round of ['first', 'second']) {
    const winners = await race(clients, key, held, round);
    expectSame(winners.length, 1, `the number of winners of the ${round} round`);
    [held] = winners;
    for (const client of clients) expectSame(await client.get(key), held, 'the value');
  }
}

/** That what is there in the end is the value of one who was told that he won. */
export async function expectSomeWinner(
  clients: readonly SummaryStore[],
  key: string,
): Promise<void> {
  const winners = await race(clients, key, undefined, 'first');
  for (const client of clients) {
    const value = await client.get(key);
    const isOfWinner = winners.some((winner) => winner === value);
    expectSame(isOfWinner, true, `whether ${String(value)} is of one who won`);
  }
}

/** The values of those who were told that they won. */
async function race(
  clients: readonly SummaryStore[],
  key: string,
  expected: string | undefined,
  round: string,
): Promise<readonly string[]> {
  const write = async (index: number): Promise<string[]> => {
    // All of one length: what two wrote into one file at once is then of one of them.
    const value = JSON.stringify(`writer ${`${index}`.padStart(2, '0')} of the ${round} round`);
    const client = clients[index % clients.length];
    const isWritten = await client?.compareAndSet(key, { expected, value, ttlMs: 600_000 });
    return isWritten === true ? [value] : [];
  };
  return (await Promise.all(Array.from({ length: writers }, (_, index) => write(index)))).flat();
}

/** Writers that each add to a list, and changes of each. */
const changers = 10;
const changes = 5;

/** That nobody overwrites what somebody else has written. */
export async function expectAllChanges(
  clients: readonly SummaryStore[],
  key: string,
): Promise<void> {
  const change = async (client: SummaryStore, writer: string): Promise<void> => {
    for (let left = changes; left > 0;) {
      const held = await client.get(key);
      const expected = isThere(held) ? held : undefined;
      const value = `${expected ?? ' '}${writer}-${left} `;
      if (await client.compareAndSet(key, { expected, value, ttlMs: 600_000 })) left -= 1;
    }
  };
  const names = Array.from({ length: changers / clients.length }, (_, index) => `writer${index}`);
  const each = clients.flatMap((client, at) =>
    names.map((name) => [client, `${name}of${at}`] as const),
  );
  await Promise.all(each.map(async ([client, writer]) => change(client, writer)));
  const text = String(await clients[0]?.get(key));
  for (const [, writer] of each)
    for (let left = changes; left > 0; left -= 1)
      expectSame(text.includes(` ${writer}-${left} `), true, `whether ${writer}-${left} is kept`);
}
