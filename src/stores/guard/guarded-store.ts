import { harmlessly } from '../../util/async/harmlessly.ts';
import { turns, type InTurn } from '../../util/async/in-turn.ts';
import { storeBreaker, type StoreAttempt } from './store-breaker.ts';
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

/** How long an operation is waited for. */
export interface StoreWait {
  readonly timeoutMs: number;
}

/** A store that never rejects and never keeps anybody waiting for longer than they want to. */
export interface GuardedStore {
  readonly isLocal: boolean;
  readonly isEmpty: () => boolean;
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
   * The store is left alone from now on: told once for each outage, to the caller whose operation saw it,
   * which may be after that caller stopped waiting.
   */
  readonly onOutage?: (of: 'reads' | 'writes') => void;
  /** The store is used again: told once, likewise. */
  readonly onRecovery?: (of: 'reads' | 'writes') => void;
}

/** Gives a caller the guarded store; faults are told to that caller, but counted for all. */
export type GuardStore = (report: StoreReport) => GuardedStore;

const guards = new WeakMap<SummaryStore, GuardStore>();

/**
 * Makes a store harmless, with one guard for each store object, so that middlewares that are made anew for
 * each request share what is known of it. Reads and writes each have a breaker that leaves the store alone
 * while it is down: it throws, rejects or is silent for 2 s. What answers later than its caller waits is
 * only slow. A store whose `set` resolves to anything but `true` has written nothing as far as anybody
 * knows.
 */
export function guardedStore(store: SummaryStore): GuardStore {
  const guard = guards.get(store) ?? makeGuard(store);
  guards.set(store, guard);
  return guard;
}

function makeGuard(store: SummaryStore): GuardStore {
  const isLocal = store.isLocal === true;
  // A store in this process answers before much can be in flight.
  const breakers = { reads: storeBreaker(!isLocal), writes: storeBreaker(!isLocal) };
  const inTurn = turns();
  let hasToldOfSet = false;

  return (report) => {
    const run = operationsOf(breakers, isLocal, report);
    return {
      isLocal,
      inTurn,
      isEmpty: () => isEmpty(store, report),
      get: async (key, { timeoutMs }) => {
        const answer = await run('reads', 'get', async () => store.get(key), timeoutMs);
        return answer === undefined
          ? { known: false }
          : { known: true, value: stringOf(answer.result) };
      },
      set: async (key, value, { timeoutMs, ...options }) => {
        const operation = async (): Promise<unknown> => store.set(key, value, options);
        const answer = await run('writes', 'set', operation, timeoutMs);
        if (answer === undefined) return 'failed';
        if (answer.result === true) return 'written';
        if (answer.result === false) return options.ifAbsent === true ? 'taken' : 'failed';
        const { result } = answer;
        if (!hasToldOfSet) harmlessly(() => report.onFault(noBoolean(result), 'set'));
        hasToldOfSet = true;
        return 'failed';
      },
      delete: async (key, { timeoutMs }) => {
        const operation = async (): Promise<void> => store.delete(key);
        return (await run('writes', 'delete', operation, timeoutMs)) !== undefined;
      },
    };
  };
}

/** Begins an operation where its breaker permits it, and tells what comes of it. */
type RunOperation = <Result>(
  of: 'reads' | 'writes',
  name: 'get' | 'set' | 'delete',
  operation: () => Promise<Result>,
  timeoutMs: number,
) => Promise<{ readonly result: Result } | undefined>;

function operationsOf(
  breakers: Readonly<Record<'reads' | 'writes', () => StoreAttempt | undefined>>,
  isLocal: boolean,
  report: StoreReport,
): RunOperation {
  return (of, name, operation, timeoutMs) => {
    const attempt = breakers[of]();
    if (attempt === undefined) return Promise.resolve(undefined);
    return watchOperation(operation, {
      timeoutMs,
      isLocal,
      onFault: (error) => harmlessly(() => report.onFault(error, name)),
      onEnd: (isWell) => tellChange(attempt, isWell, of, report),
    });
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
  attempt: StoreAttempt,
  isWell: boolean,
  of: 'reads' | 'writes',
  { onOutage, onRecovery }: StoreReport,
): void {
  const change = attempt.end(isWell);
  if (change === 'outage') harmlessly(() => onOutage?.(of));
  if (change === 'recovery') harmlessly(() => onRecovery?.(of));
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
