import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SummaryStore } from '../../../../src/index.ts';
import { guardedStore } from '../../../../src/state/stores/sealed-store.ts';
import { storeKeys } from '../../../../src/state/stores/store-keys.ts';
import { countCall } from '../../../../src/call/writing/spending.ts';
import { boundedMap } from '../../../../src/foundations/util/maps/bounded-map.ts';
import { sharedStore, type SharedStore } from '../../../support/shared-store.ts';

// That what is beyond the bound is left to the rules is held by test/middleware/shared-store.test.ts.

const hour = 3_600_000;
const answering = { isAnswered: () => true };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 10 * hour });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A process that may pay for so many calls an hour. */
function processWith(
  shared: SharedStore,
  maxSummaryCallsPerHour: number,
  more: (plain: SummaryStore) => Partial<SummaryStore> = () => ({}),
) {
  const keys = storeKeys('a secret of the tests', '');
  const guarded = guardedStore(shared.open(more), { onFault: () => {} });
  const bound = {
    options: { maxSummaryCallsPerHour },
    place: { store: guarded, keys, storeTimeoutMs: 2000 },
    memory: { spent: boundedMap<number>(10) },
  };
  const spendInTurn = async (times: number): Promise<number> => {
    let spent = 0;
    for (let time = 0; time < times; time += 1)
      spent += (await countCall(bound, answering)) ? 1 : 0;
    return spent;
  };
  return { bound, spendInTurn };
}

it('bounds what processes that share a store spend together, each hour anew', async () => {
  const shared = sharedStore();
  const bounds = [1, 2, 3].flatMap(() => Array(5).fill(processWith(shared, 7).bound));
  const together = async (): Promise<readonly number[]> =>
    (await Promise.all(bounds.map(async (bound) => countCall(bound, answering))))
      .flatMap((calls) => calls || [])
      .toSorted((one, other) => one - other);
  const left = [1, 2, 3, 4, 5, 6, 7];
  expect(await together()).toEqual(left);
  vi.setSystemTime(11 * hour - 1);
  expect(await together()).toEqual([]);
  vi.setSystemTime(11 * hour);
  expect(await together()).toEqual(left);
});

const fault = async (): Promise<never> => Promise.reject(new Error('ECONNRESET'));
const taken = { compareAndSet: async () => false };

it.each<[string, (plain: SummaryStore) => Partial<SummaryStore>]>([
  ['rejects', () => ({ get: fault, compareAndSet: fault })],
  ['says that all is taken, and holds nothing', () => taken],
  ['holds what we did not write', () => ({ ...taken, get: async () => 'taken' })],
  [
    'is written twice for one call',
    ({ compareAndSet }) => ({
      compareAndSet: async (...given) =>
        compareAndSet(...given).then(async () => compareAndSet(...given)),
    }),
  ],
])('counts in this process where the store %s', async (_what, more) => {
  expect(await processWith(sharedStore(), 3, more).spendInTurn(4)).toBe(3);
});
