import type { SummaryStore } from '../stores/summary-store.ts';
import { expectNothing, expectSame, type ChecksOf } from './store-check.ts';

/** Writers that want the same key at once. */
const writers = 100;

const oneAfterAnotherChecks: ChecksOf<SummaryStore> = {
  'keeps the first value with ifAbsent': async (store, key) => {
    expectSame(await store.set(key, '"first"', { ifAbsent: true }), true, 'the first write');
    expectSame(await store.set(key, '"second"', { ifAbsent: true }), false, 'the second write');
    expectSame(await store.get(key), '"first"', 'the value');
  },

  'takes a new value with ifAbsent after delete': async (store, key) => {
    await store.set(key, '"first"', { ifAbsent: true });
    await store.delete(key);
    expectNothing(await store.get(key), 'the deleted value');
    expectSame(await store.set(key, '"second"', { ifAbsent: true }), true, 'the second write');
    expectSame(await store.get(key), '"second"', 'the value');
  },
};

/** Of a store whose `ifAbsent` lets one writer win. */
export const ifAbsentChecks: ChecksOf<SummaryStore> = {
  ...oneAfterAnotherChecks,
  'lets one of 100 writers win with ifAbsent': async (store, key) => expectOneWinner([store], key),
};

/** Of a store whose `ifAbsent` looks first and writes then. */
export const nonAtomicChecks: ChecksOf<SummaryStore> = {
  ...oneAfterAnotherChecks,
  'ends with the value of one of 100 writers with ifAbsent (not atomic: several may win)': async (
    store,
    key,
  ) => expectSomeWinner([store], key),
};

/** That one of many writers, each with a value of its own, is told that it won, and did. */
export async function expectOneWinner(
  clients: readonly SummaryStore[],
  key: string,
): Promise<void> {
  const winners = await race(clients, key);
  expectSame(winners.length, 1, 'the number of winners');
  for (const client of clients) expectSame(await client.get(key), winners[0], 'the value');
}

/** That what is there in the end is the value of one who was told that he won. */
export async function expectSomeWinner(
  clients: readonly SummaryStore[],
  key: string,
): Promise<void> {
  const winners = await race(clients, key);
  for (const client of clients) {
    const value = await client.get(key);
    const isOfWinner = winners.some((winner) => winner === value);
    expectSame(isOfWinner, true, `whether ${String(value)} is of one who won`);
  }
}

/** The values of those who were told that they won. */
async function race(clients: readonly SummaryStore[], key: string): Promise<readonly string[]> {
  const write = async (index: number): Promise<string[]> => {
    // All of one length: what two wrote into one file at once is then of one of them.
    const value = JSON.stringify(`writer ${`${index}`.padStart(2, '0')}`);
    const client = clients[index % clients.length];
    const isWritten = await client?.set(key, value, { ifAbsent: true, ttlMs: 600_000 });
    return isWritten === true ? [value] : [];
  };
  return (await Promise.all(Array.from({ length: writers }, (_, index) => write(index)))).flat();
}
