import { checkInput, checkObject, checkThat } from '../checks/check-object.ts';
import { anyFunction, flag, hasFunctions } from '../checks/option-rule.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { clientChecks, nonAtomicClientChecks } from './client-checks.ts';
import { expiryChecks, noExpiryChecks } from './expiry-checks.ts';
import { compareChecks, nonAtomicChecks } from './compare-checks.ts';
import { newKey } from './new-key.ts';
import { outageChecks, type ServerHooks } from './outage-checks.ts';
import { checksFor, type ChecksOf, type StoreCheck } from './store-check.ts';
import { valueChecks } from './value-checks.ts';

/** Options of {@link storeChecks}. */
export interface StoreChecksOptions {
  /**
   * Makes another client of the state that the stores of `makeStore` share.
   * @default undefined (nothing is checked of several clients)
   */
  readonly makeOther?: (() => SummaryStore | Promise<SummaryStore>) | undefined;
  /**
   * Takes the server away and brings it back. What it holds may be lost.
   * @default undefined (nothing is checked of a server that goes away)
   */
  readonly server?: ServerHooks | undefined;
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
 * run in any order, each has keys of its own; where `server` is given, not at the same time. A store that
 * never does what is waited for fails after 30 seconds.
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
  checkInput(options, 'makeOther, server, expires and isAtomic, or nothing');
  checkObject(options, storeCheckRules, '');
  const { makeOther, server, expires = true, isAtomic = true } = options;
  const checks: ChecksOf<SummaryStore> = {
    ...valueChecks,
    ...(isAtomic ? compareChecks : nonAtomicChecks),
    ...(expires ? expiryChecks : noExpiryChecks),
    ...(server === undefined ? {} : outageChecks(server)),
  };
  const alone = checksFor(checks, makeStore, newKey);
  if (makeOther === undefined) return alone;
  const makeBoth = async () => [await makeStore(), await makeOther()] as const;
  return [
    ...alone,
    ...checksFor(isAtomic ? clientChecks : nonAtomicClientChecks, makeBoth, newKey),
  ];
}

const storeCheckRules = {
  makeOther: anyFunction,
  server: {
    allowed: 'an object with stop and start, both functions',
    accepts: (value: unknown) => hasFunctions(value, 'stop', 'start'),
  },
  expires: flag,
  isAtomic: flag,
};
