import { harmlessly } from '../../util/async/harmlessly.ts';
import { turns, type InTurn } from '../../util/async/in-turn.ts';
import { storeBreaker, type BreakerChange } from './store-breaker.ts';
import type { SummaryStore, SummaryStoreSetOptions } from '../summary-store.ts';
import { watchOperation } from './watch-operation.ts';

/** What a store said to a `get`. */
export interface StoreAnswer {
  /** Whether it answered: not after a fault, in the time or while it is left alone. */
  readonly known: boolean;
  /** What it holds; `undefined` with `known`: nothing that is a string. */
  readonly value?: string | undefined;
}

/** How a `set` ended; `failed`: nothing says that it was written. */
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
  readonly get: (key: string, options: StoreWait) => Promise<StoreAnswer>;
  readonly set: (
    key: string,
    value: string,
    options: StoreWait & SummaryStoreSetOptions,
  ) => Promise<StoreWrite>;
  /** Whether the store said that it is done. */
  readonly delete: (key: string, options: StoreWait) => Promise<boolean>;
  /** Runs what reads a key and writes it anew, so that this process does not overwrite what it wrote itself. */
  readonly inTurn: InTurn;
}

/** Hears what one caller's operations came upon. */
export interface StoreReport {
  /** A fault, also a time that was up; once for an operation, never for one that was not begun. */
  readonly onFault: (error: unknown, operation: 'get' | 'set' | 'delete') => void;
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

/** Milliseconds for which one turn holds up the next: a few operations, each of which is waited for. */
const longestTurnMs = 15_000;

const guards = new WeakMap<SummaryStore, GuardStore>();

/**
 * Makes a store harmless, with one guard for each store object, so that middlewares that are made anew for
 * each request share what is known of it: one breaker leaves it alone while it fails, that is, throws, rejects
 * or is silent for 2 s. What answers later than its caller waits is only slow. A store whose `set` resolves
 * to anything but `true` has written nothing as far as anybody knows.
 */
export function guardedStore(store: SummaryStore): GuardStore {
  const guard = guards.get(store) ?? makeGuard(store);
  guards.set(store, guard);
  return guard;
}

// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
function makeGuard(store: SummaryStore): GuardStore {
  const isLocal = store.isLocal === true;
  // A store in this process answers before much can be in flight.
  const permit = storeBreaker(!isLocal);
  const inTurn = turns(longestTurnMs);
  let hasToldOfSet = false;

  // oxlint-disable-next-line max-lines-per-function -- likewise
  return (report) => {
    let isAnswering = true;
    /** Begins an operation where the breaker permits it, and tells what comes of it. */
    const run = async <Result>(
      name: 'get' | 'set' | 'delete',
      operation: () => Promise<Result>,
      { timeoutMs, isUrgent = false }: StoreWait,
    ): Promise<{ readonly result: Result } | undefined> => {
      const attempt = permit(isUrgent);
      const answer =
        attempt &&
        (await watchOperation(operation, {
          timeoutMs,
          isLocal,
          onFault: (error) => harmlessly(() => report.onFault(error, name)),
          onEnd: (isWell) => tellChange(attempt.end(isWell), report),
        }));
      isAnswering = answer !== undefined;
      return answer;
    };
    return {
      isLocal,
      inTurn,
      isEmpty: () => isEmpty(store, report),
      isAnswering: () => isAnswering,
      get: async (key, wait) => {
        const answer = await run('get', async () => store.get(key), wait);
        return answer === undefined
          ? { known: false }
          : { known: true, value: stringOf(answer.result) };
      },
      set: async (key, value, { timeoutMs, isUrgent, ...options }) => {
        const operation = async (): Promise<unknown> => store.set(key, value, options);
        const answer = await run('set', operation, { timeoutMs, isUrgent });
        if (answer === undefined) return 'failed';
        if (answer.result === true) return 'written';
        if (answer.result === false) return options.ifAbsent === true ? 'taken' : 'failed';
        const { result } = answer;
        if (!hasToldOfSet) harmlessly(() => report.onFault(noBoolean(result), 'set'));
        hasToldOfSet = true;
        return 'failed';
      },
      delete: async (key, wait) =>
        (await run('delete', async () => store.delete(key), wait)) !== undefined,
    };
  };
}

function isEmpty(store: SummaryStore, report: StoreReport): boolean {
  try {
    return store.isEmpty?.() === true;
  } catch (error) {
    harmlessly(() => report.onFault(error, 'get'));
    return false;
  }
}

function tellChange(
  change: BreakerChange | undefined,
  { onOutage, onRecovery }: StoreReport,
): void {
  if (change === 'outage') harmlessly(() => onOutage?.());
  if (change === 'recovery') harmlessly(() => onRecovery?.());
}

/** Raw key-value clients answer `null` for what they do not have, and some of them bytes or objects. */
function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Without the value: some clients answer a write with what stood there before. */
function noBoolean(value: unknown): TypeError {
  const kind = value === null ? 'null' : typeof value;
  return new TypeError(
    `The store's set must resolve to a boolean: true if the value was written; it resolved to ${kind}.`,
  );
}
