import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SummaryStore } from '../../../src/index.ts';
import { guardedStore, sealedStore } from '../../../src/stores/sealed-store.ts';
import { storeKeys, type StoreKeys } from '../../../src/stores/store-keys.ts';
import { spend, type SpendingBound } from '../../../src/summaries/spending.ts';
import { boundedMap } from '../../../src/util/maps/bounded-map.ts';
import { sharedStore, type SharedStore } from '../../support/shared-store.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 10 * 3_600_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

const fault = async (): Promise<never> => Promise.reject(new Error('ECONNRESET'));

type SlotStore = NonNullable<SpendingBound['store']>;

const keysOf = (namespace: string): StoreKeys => storeKeys('a secret of the tests', namespace);

function slotsIn(
  shared: SharedStore,
  { namespace = '', ...more }: Partial<SummaryStore> & { readonly namespace?: string } = {},
): SlotStore & { readonly operations: () => number } {
  const store = guardedStore(shared.open(() => more))({ onFault: () => {} });
  const { read, write } = sealedStore(store, keysOf(namespace), { timeoutMs: 2000 });
  let operations = 0;
  return {
    operations: () => operations,
    read: async (key) => {
      operations += 1;
      return read(key);
    },
    write: async (...given) => {
      operations += 1;
      return write(...given);
    },
  };
}

/** What bounds one process. */
function processWith(
  store: SlotStore | undefined,
  maxSummaryCallsPerHour: number,
  namespace = '',
): SpendingBound {
  return { maxSummaryCallsPerHour, store, keys: keysOf(namespace), spent: boundedMap(10) };
}

async function spendTimes(bound: SpendingBound, times: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: times }, () => spend(bound)));
  return taken.filter(Boolean).length;
}

describe('spend', () => {
  it('bounds what processes that share a store spend together, each hour anew', async () => {
    const shared = sharedStore();
    const processes = [1, 2, 3].map(() => processWith(slotsIn(shared), 7));
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

  it('asks little of the store, also in a process that has just started', async () => {
    const shared = sharedStore();
    const warm = slotsIn(shared);
    expect(await spendInTurn(processWith(warm, 1000), 700)).toBe(700);
    expect(warm.operations()).toBe(1400);
    const cold = slotsIn(shared);
    const started = processWith(cold, 1000);
    expect(await spend(started)).toBe(300);
    expect(cold.operations()).toBeLessThan(25);
    expect(await spendInTurn(started, 400)).toBe(299);
  });

  it.each<[string, Partial<SummaryStore> | undefined]>([
    ['there is none', undefined],
    ['it rejects', { get: fault, compareAndSet: fault }],
    ['it says that all is taken and holds nothing', { compareAndSet: async () => false }],
    [
      'it says that all is taken by what we did not write',
      { get: async () => 'taken', compareAndSet: async () => false },
    ],
  ])('counts in this process where the store is of no use: %s', async (_name, more) => {
    const store = more && slotsIn(sharedStore(), more);
    expect(await spendTimes(processWith(store, 50), 70)).toBe(50);
  });

  it('takes what we did not seal for nothing spent', async () => {
    const shared = sharedStore();
    await spendInTurn(processWith(slotsIn(shared), 7), 5);
    shared.alter(() => 'taken');
    expect(await spendInTurn(processWith(slotsIn(shared), 7), 10)).toBe(7);
    expect(await spendInTurn(processWith(slotsIn(shared), 7), 10)).toBe(0);
  });

  it('counts a call once for which the client writes twice', async () => {
    const shared = sharedStore();
    const plain = shared.open();
    const twice: SummaryStore['compareAndSet'] = async (...given) => {
      await plain.compareAndSet(...given);
      return plain.compareAndSet(...given);
    };
    expect(await spendInTurn(processWith(slotsIn(shared, { compareAndSet: twice }), 7), 10)).toBe(
      7,
    );
  });
});

async function spendInTurn(bound: SpendingBound, times: number): Promise<number> {
  let spent = 0;
  for (let time = 0; time < times; time += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    spent += (await spend(bound)) ? 1 : 0;
  return spent;
}
