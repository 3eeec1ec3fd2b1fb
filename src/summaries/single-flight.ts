import { abortable } from '../util/async/abortable.ts';
import { alarm } from '../util/async/alarm.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { clockMs } from '../util/clock-ms.ts';

/** Runs work once for everybody who asks for it at the same time. */
export interface SingleFlight<T> {
  /**
   * Joins the work in progress under a key, or starts it. A caller whose signal aborts rejects at once with
   * the signal's reason and leaves the others alone. Work that has begun goes on when the last of them has
   * left, for whoever comes next; what has not begun is aborted.
   *
   * @returns `undefined` when the caller was not to wait any longer.
   */
  readonly run: (
    key: string,
    work: (flight: Flight) => Promise<T>,
    patience?: Patience,
  ) => Promise<T | undefined>;
  /** Resolves when the work in progress under a key has ended, however it did; at once where there is none. */
  readonly ended: (key: string) => Promise<void>;
  /** Keys with work in progress. */
  readonly size: () => number;
}

/** What the work knows of those who wait for it. */
export interface Flight {
  /** Aborts when all who asked have aborted before the work began. */
  readonly abortSignal: AbortSignal;
  /** Aborts when somebody can wait no longer: what is quickest is to be done now. */
  readonly hurry: AbortSignal;
  /** From here on it is worth finishing, whoever leaves. */
  readonly begin: () => void;
  /** Whether somebody waits for it. */
  readonly isAwaited: () => boolean;
  /** Nothing will come for so many milliseconds: who would leave before need not wait for it. */
  readonly rest: (ms: number) => void;
}

/** How long a caller waits; counted from the start of the work, whenever the caller came. */
export interface Patience {
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * Milliseconds after which the work is told to hurry.
   * @default it is not
   */
  readonly hurryAfterMs?: number | undefined;
  /**
   * Milliseconds after which the caller leaves with nothing.
   * @default it stays
   */
  readonly leaveAfterMs?: number | undefined;
}

/**
 * Callers of one key that may abort one after another: their patience is shorter than the work, so that the
 * next one does not wait, or has it hurried where it can do nothing without.
 */
const maxAborts = 3;

/** Keys whose aborts are remembered. */
const maxAbortedKeys = 1000;

interface Waiter {
  readonly hurryAt: number;
  readonly leaveAt: number;
  readonly leave: () => void;
}

interface RunningFlight<T> {
  result: Promise<T>;
  readonly startedAt: number;
  readonly abandon: AbortController;
  readonly hurry: AbortController;
  readonly waiters: Set<Waiter>;
  isBegun: boolean;
  restsUntil: number;
}

/** Makes a {@link SingleFlight}. Keys of different tenants have to differ. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function singleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, RunningFlight<T>>();
  const aborts = boundedMap<number>(maxAbortedKeys);
  const isHarried = (key: string): boolean => (aborts.get(key) ?? 0) >= maxAborts;

  const start = (key: string, work: (flight: Flight) => Promise<T>): RunningFlight<T> => {
    const abandon = new AbortController();
    const hurry = new AbortController();
    const begin = (): void => {
      flight.isBegun = true;
    };
    const rest = (ms: number): void => {
      flight.restsUntil = clockMs() + ms;
      for (const waiter of flight.waiters) loseHope(flight, waiter);
    };
    const run = async (): Promise<T> => {
      try {
        const isAwaited = (): boolean => flight.waiters.size > 0;
        const signals = { abortSignal: abandon.signal, hurry: hurry.signal };
        const value = await work({ ...signals, begin, rest, isAwaited });
        aborts.delete(key);
        return value;
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    };
    const flight: RunningFlight<T> = {
      result: Promise.resolve().then(run),
      startedAt: clockMs(),
      abandon,
      hurry,
      waiters: new Set(),
      isBegun: isHarried(key),
      restsUntil: 0,
    };
    // Everybody may have left by the time it rejects.
    flight.result.catch(() => {});
    flights.set(key, flight);
    return flight;
  };

  return {
    size: () => flights.size,
    ended: async (key) => {
      await flights.get(key)?.result.catch(() => {});
    },
    run: async (key, work, patience = {}) => {
      const { abortSignal } = patience;
      abortSignal?.throwIfAborted();
      const flight = flights.get(key) ?? start(key, work);
      return waitFor(flight, isHarried(key) ? harried(patience) : patience, () => {
        if (abortSignal?.aborted === true) aborts.set(key, (aborts.get(key) ?? 0) + 1);
        // Still in the map means still at work, and nobody is left to want the result.
        if (flight.waiters.size > 0 || flight.isBegun || flights.get(key) !== flight) return;
        flights.delete(key);
        flight.abandon.abort(abortSignal?.reason);
      });
    },
  };
}

/** A caller that waits for nothing: neither for the work nor, where it cannot do without, for its best. */
function harried({ abortSignal, hurryAfterMs, leaveAfterMs }: Patience): Patience {
  return hurryAfterMs === undefined
    ? { abortSignal, leaveAfterMs: 0 }
    : { abortSignal, hurryAfterMs: 0, leaveAfterMs };
}

async function waitFor<T>(
  flight: RunningFlight<T>,
  { abortSignal, hurryAfterMs = Infinity, leaveAfterMs = Infinity }: Patience,
  onLeft: () => void,
): Promise<T | undefined> {
  const { startedAt, result, hurry, waiters } = flight;
  const left = Promise.withResolvers<undefined>();
  const leave = (): void => {
    // Who leaves in time still wants it, for the next call.
    flight.isBegun = true;
    left.resolve(undefined);
  };
  const waiter = { hurryAt: startedAt + hurryAfterMs, leaveAt: startedAt + leaveAfterMs, leave };
  waiters.add(waiter);
  loseHope(flight, waiter);
  const now = clockMs();
  const silence = [
    alarm(waiter.hurryAt - now, () => hurry.abort()),
    alarm(waiter.leaveAt - now, leave),
  ];
  try {
    return await abortable(Promise.race([result, left.promise]), abortSignal);
  } finally {
    for (const each of silence) each();
    waiters.delete(waiter);
    onLeft();
  }
}

/** Does now what a waiter would do anyway before anything can come. */
function loseHope<T>({ restsUntil, hurry }: RunningFlight<T>, waiter: Waiter): void {
  if (restsUntil > waiter.hurryAt) hurry.abort();
  else if (restsUntil > waiter.leaveAt) waiter.leave();
}
