import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LeaseStore } from '../../src/stores/lease.ts';
import { storeKeys } from '../../src/stores/seal/store-keys.ts';
import { spend, type SpendingBound } from '../../src/summaries/spending.ts';
import { boundedMap } from '../../src/util/maps/bounded-map.ts';
import { storeOver, type SharedMap } from '../stores/shared-map.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 10 * 3_600_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

type SlotStore = Pick<LeaseStore, 'get' | 'set'>;

function slotsIn(entries: SharedMap): SlotStore & { readonly operations: () => number } {
  const { get, set } = storeOver(entries);
  let operations = 0;
  return {
    operations: () => operations,
    get: async (key) => {
      operations += 1;
      return { known: true, value: (await get(key)) ?? undefined };
    },
    set: async (key, value, options) => {
      operations += 1;
      return (await set(key, value, options)) ? 'written' : 'taken';
    },
  };
}

/** What bounds one process. */
function processWith(
  store: SlotStore | undefined,
  maxSummariesPerHour: number,
  namespace = '',
): SpendingBound {
  const keys = storeKeys('a secret of the tests', namespace);
  return { maxSummariesPerHour, store, keys, spent: boundedMap(10) };
}

async function spendTimes(bound: SpendingBound, times: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: times }, () => spend(bound)));
  return taken.filter(Boolean).length;
}

describe('spend', () => {
  it('bounds what processes that share a store spend together, each hour anew', async () => {
    const entries: SharedMap = new Map();
    const processes = [1, 2, 3].map(() => processWith(slotsIn(entries), 7));
    const together = async (): Promise<number> => {
      const spent = await Promise.all(processes.map((bound) => spendTimes(bound, 5)));
      return spent.reduce((sum, each) => sum + each, 0);
    };
    expect(await together()).toBe(7);
    vi.setSystemTime(11 * 3_600_000 - 1);
    expect(await together()).toBe(0);
    vi.setSystemTime(11 * 3_600_000);
    expect(await together()).toBe(7);
  });

  it('keeps namespaces apart', async () => {
    const entries: SharedMap = new Map();
    const bounds = ['a', 'b'].map((name) => processWith(slotsIn(entries), 2, name));
    expect(await Promise.all(bounds.map((bound) => spendTimes(bound, 3)))).toEqual([2, 2]);
  });

  it('asks little of the store, also in a process that has just started', async () => {
    const entries: SharedMap = new Map();
    const warm = slotsIn(entries);
    expect(await spendInTurn(processWith(warm, 1000), 700)).toBe(700);
    expect(warm.operations()).toBe(700);
    const cold = slotsIn(entries);
    const started = processWith(cold, 1000);
    expect(await spend(started)).toBe(true);
    expect(cold.operations()).toBeLessThan(25);
    expect(await spendInTurn(started, 400)).toBe(299);
  });

  it.each<[string, SlotStore | undefined]>([
    ['there is none', undefined],
    ['it does not answer', { get: async () => ({ known: false }), set: async () => 'failed' }],
    [
      'it says that all is taken and holds nothing',
      { get: async () => ({ known: true }), set: async () => 'taken' },
    ],
  ])('counts in this process where the store is of no use: %s', async (_name, store) => {
    expect(await spendTimes(processWith(store, 50), 70)).toBe(50);
  });
});

async function spendInTurn(bound: SpendingBound, times: number): Promise<number> {
  let spent = 0;
  for (let time = 0; time < times; time += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    spent += (await spend(bound)) ? 1 : 0;
  return spent;
}
