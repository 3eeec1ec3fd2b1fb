import type { SummaryStore } from '../stores/summary-store.ts';
import { expectOneWinner, expectSomeWinner } from './if-absent-checks.ts';
import { expectNothing, expectSame, type ChecksOf } from './store-check.ts';

type TwoClients = readonly [SummaryStore, SummaryStore];

const sharingChecks: ChecksOf<TwoClients> = {
  'shows one client what another wrote and deleted': async ([one, other], key) => {
    await one.set(key, '"of one"');
    expectSame(await other.get(key), '"of one"', 'what the other client reads');
    await other.set(key, '"of the other"');
    expectSame(await one.get(key), '"of the other"', 'what the first client reads');
    await other.delete(key);
    expectNothing(await one.get(key), 'what the first client reads after delete');
  },

  'keeps what one client wrote first from another with ifAbsent': async ([one, other], key) => {
    expectSame(await one.set(key, '"of one"', { ifAbsent: true }), true, 'the first write');
    expectSame(await other.set(key, '"second"', { ifAbsent: true }), false, 'the second write');
    expectSame(await other.get(key), '"of one"', 'what the other client reads');
  },
};

/** Of two clients of one state. */
export const clientChecks: ChecksOf<TwoClients> = {
  ...sharingChecks,
  'lets one of 100 writers of two clients win with ifAbsent': expectOneWinner,
};

/** Of two clients of one state whose `ifAbsent` looks first and writes then. */
export const nonAtomicClientChecks: ChecksOf<TwoClients> = {
  ...sharingChecks,
  'ends with the value of one of 100 writers of two clients (not atomic: several may win)':
    expectSomeWinner,
};
