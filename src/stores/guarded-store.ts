import { harmlessly } from '../util/async/harmlessly.ts';
import { withDeadline } from '../util/async/with-deadline.ts';
import { clockMs } from '../util/clock-ms.ts';
import type { CompareAndSet, SummaryStore } from './summary-store.ts';

/** What a store said to a `get`. */
export interface StoreAnswer {
  /** Whether it answered: not after a fault, in the time or while it is left alone. */
  readonly known: boolean;
  /** What it holds; `undefined` with `known`: nothing that is a string. */
  readonly value?: string | undefined;
}

/** How a write ended; `taken`: the key held something else; `failed`: nothing says that it was written. */
export type StoreWrite = 'written' | 'taken' | 'failed';

/** How an operation is waited for. */
export interface StoreWait {
  readonly timeoutMs: number;
  /**
   * Whether money hangs on it: then a store is asked that has just failed.
   * @default false
   */
  readonly isUrgent?: boolean | undefined;
}

/** A store that never rejects and never keeps anybody waiting for longer than they want to. */
export interface GuardedStore {
  readonly isLocal: boolean;
  readonly isEmpty: () => boolean;
  /** Whether this caller's last operation was answered in time: nobody waits twice for a store that is sick. */
  readonly isAnswering: () => boolean;
  readonly get: (key: string, wait: StoreWait) => Promise<StoreAnswer>;
  readonly compareAndSet: (
    key: string,
    entry: CompareAndSet,
    wait: StoreWait,
  ) => Promise<StoreWrite>;
  /** Whether the store said that it is done. */
  readonly delete: (key: string, wait: StoreWait) => Promise<boolean>;
}

/** Hears what one caller's operations came upon. */
export interface StoreReport {
  /** A fault, also a time that was up; once for an operation, never for one that was not begun. */
  readonly onFault: (error: unknown) => void;
  /**
   * The store has failed several times in a row: told once for each outage, to the caller whose operation
   * saw it, which may be after that caller stopped waiting.
   */
  readonly onOutage?: () => void;
  /** The store answers again: told once, likewise. */
  readonly onRecovery?: () => void;
}

/** Gives a caller the guarded store; faults are told to that caller, but counted for all. */
export type GuardStore = (report: StoreReport) => GuardedStore;

/** Milliseconds of silence after which a store counts as down; with less it is slow. */
export const outageMs = 2000;

/** Milliseconds a store is left alone after a failure: they double with each one more in a row. */
export const firstRestMs = 1000;
export const longestRestMs = 60_000;

/** Failures in a row from which on it is an outage, which is told; before, it may be a moment. */
const outageFailures = 3;

const guards = new WeakMap<SummaryStore, GuardStore>();

/**
 * Makes a store harmless, with one guard for each store object, so that middlewares that are made anew for
 * each request share what is known of it. One that fails, that is, throws, rejects or is silent for 2 s, is left alone
 * for a second, and for twice as long after each failure more, up to a minute; the first success ends that. What
 * answers later than its caller waits is only slow. A store whose `compareAndSet` resolves to anything but a boolean
 * has written nothing as far as anybody knows.
 */
export function guardedStore(store: SummaryStore): GuardStore {
  const guard = guards.get(store) ?? makeGuard(store);
  guards.set(store, guard);
  return guard;
}

// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
function makeGuard(store: SummaryStore): GuardStore {
  let failures = 0;
  let restsUntil = 0;
  let hasToldOfWrites = false;

  // oxlint-disable-next-line max-lines-per-function -- likewise
  return ({ onFault, onOutage, onRecovery }) => {
    const tellFault = (error: unknown): void => harmlessly(() => onFault(error));
    const succeed = (): void => {
      if (failures >= outageFailures) harmlessly(() => onRecovery?.());
      failures = 0;
      restsUntil = 0;
    };
    const fail = (): void => {
      failures += 1;
      restsUntil = clockMs() + Math.min(firstRestMs * 2 ** (failures - 1), longestRestMs);
      if (failures === outageFailures) harmlessly(() => onOutage?.());
    };
    let isAnswering = true;

    /**
     * Waits for an operation, unless the store is left alone, and goes on watching when its caller has gone. One in
     * flight is never cancelled: on a pooled connection that would leave its reply to the next caller.
     *
     * @returns Its result, `undefined` if there was none in time.
     */
    const run = async <Result>(
      operation: () => Promise<Result>,
      { timeoutMs, isUrgent = false }: StoreWait,
    ): Promise<{ readonly result: Result } | undefined> => {
      const isResting = clockMs() < restsUntil;
      isAnswering = !isResting || (isUrgent && failures < outageFailures);
      if (!isAnswering) return undefined;
      const restedUntil = restsUntil;
      const answer = operation();
      const waiting = withDeadline(undefined, timeoutMs, () => answer);
      withDeadline(undefined, Math.max(timeoutMs, outageMs), () => answer).then(succeed, () => {
        // What was asked too early, or before the last failure was known, says nothing new.
        if (!isResting && restsUntil === restedUntil) fail();
      });
      try {
        return { result: await waiting };
      } catch (error) {
        tellFault(error);
        isAnswering = false;
        return undefined;
      }
    };

    return {
      isLocal: store.isLocal === true,
      isEmpty: () => store.isEmpty?.() === true,
      isAnswering: () => isAnswering,
      get: async (key, wait) => {
        const answer = await run(async () => store.get(key), wait);
        if (answer === undefined) return { known: false };
        // Raw key-value clients answer `null` for what they do not have, and some of them bytes or objects.
        const value: unknown = answer.result;
        return { known: true, value: typeof value === 'string' ? value : undefined };
      },
      compareAndSet: async (key, entry, wait) => {
        const answer = await run(async () => store.compareAndSet(key, entry), wait);
        const result: unknown = answer?.result;
        if (typeof result === 'boolean') return result ? 'written' : 'taken';
        if (answer !== undefined && !hasToldOfWrites) tellFault(noBoolean(result));
        hasToldOfWrites ||= answer !== undefined;
        return 'failed';
      },
      delete: async (key, wait) => (await run(async () => store.delete(key), wait)) !== undefined,
    };
  };
}

/** Without the value: some clients answer a write with what stood there before. */
function noBoolean(value: unknown): TypeError {
  const kind = value === null ? 'null' : typeof value;
  return new TypeError(
    `The store's compareAndSet, or set, must resolve to a boolean: true if the value was written; it resolved to ${kind}.`,
  );
}
