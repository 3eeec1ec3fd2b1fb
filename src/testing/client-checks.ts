import type { SummaryStore } from '../stores/summary-store.ts';
import { expectAllChanges, expectOneWinner, expectSomeWinner } from './compare-checks.ts';
import { add, expectNothing, expectSame, put, type ChecksOf } from './store-check.ts';

type TwoClients = readonly [SummaryStore, SummaryStore];

const sharingChecks: ChecksOf<TwoClients> = {
  'shows one client what another wrote and deleted': async ([one, other], key) => {
    await put(one, key, '"of one"');
    expectSame(await other.get(key), '"of one"', 'what the other client reads');
    await put(other, key, '"of the other"');
    expectSame(await one.get(key), '"of the other"', 'what the first client reads');
    await other.delete(key);
    expectNothing(await one.get(key), 'what the first client reads after delete');
  },

  'keeps what one client wrote from another that expects something else': async (
    [one, other],
    key,
  ) => {
    expectSame(await add(one, key, '"of one"'), true, 'the first write');
    expectSame(await add(other, key, '"second"'), false, 'the second write');
    expectSame(await other.get(key), '"of one"', 'what the other client reads');
    const entry = { expected: '"of one"', value: '"of the other"' };
    expectSame(await other.compareAndSet(key, entry), true, 'the write over it');
    expectSame(await one.compareAndSet(key, { ...entry, value: '"late"' }), false, 'the late one');
    expectSame(await one.get(key), '"of the other"', 'what the first client reads');
  },
};

/** Of two clients of one state. */
export const clientChecks: ChecksOf<TwoClients> = {
  ...sharingChecks,
  'lets one of 100 writers of two clients win who expect the same': expectOneWinner,
  'loses no change of 10 writers of two clients': expectAllChanges,
};

/** Of two clients of one state that read first and write then. */
export const nonAtomicClientChecks: ChecksOf<TwoClients> = {
  ...sharingChecks,
  'ends with the value of one of 100 writers of two clients (not atomic: several may win)':
    expectSomeWinner,
};
