import { abortable } from '../util/async/abortable.ts';
import { alarm } from '../util/async/alarm.ts';
import { harmlessly } from '../util/async/harmlessly.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { clockMs } from '../util/clock-ms.ts';

/**
 * Runs work once for everybody who asks for it at the same time.
 *
 * Work gives signs of life: on some platforms it ends with the request that began it, without a word, and its promise
 * never settles. Who waits for work that gives none begins it anew. Timers, signals and promises belong to the request
 * that made them there, so that nobody counts on reaching what another one has begun.
 */
export interface SingleFlight<T> {
  /**
   * Joins the work in progress under a key, or starts it. A caller whose signal aborts rejects at once with
   * the signal's reason and leaves the others alone. Work that has begun goes on when the last of them has
   * left, for whoever comes next; what has not begun is aborted.
   *
   * @param onOver - Called once, when the work that this caller began or joined has ended, or was given up as dead.
   * @returns `undefined` when the caller was not to wait any longer.
   */
  readonly run: (
    key: string,
    work: (flight: Flight) => Promise<T>,
    patience?: Patience,
    onOver?: () => void,
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
  /** Whether somebody waits for it who can do nothing without. */
  readonly isNeeded: () => boolean;
  /** It is seen to go on: who can do nothing without it has the time that it takes, up to three times as long. */
  readonly alive: () => void;
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
  /**
   * Milliseconds of rest after which the work is told to hurry at once.
   * @default as long as it may take
   */
  readonly hurryAtRestMs?: number | undefined;
}

/**
 * Callers of one key that may abort one after another: their patience is shorter than the work, so that the
 * next one does not wait, or has it hurried where it can do nothing without.
 */
const maxAborts = 3;

/** Keys whose aborts are remembered. */
const maxAbortedKeys = 1000;

interface Waiter {
  readonly hurryAt: () => number;
  readonly leaveAt: () => number;
  readonly hurryAtRestMs: number;
  readonly leave: () => void;
}

/** Milliseconds between two signs of life. */
const pulseMs = 500;

/** Turns of one's own clock without a sign of life after which work that is waited for is dead. */
const maxSilentTurns = 3;

/** Milliseconds after which it is dead for who comes: a busy event loop holds up everybody's signs. */
const maxSilenceMs = 10_000;

/** How many times as long as it would be waited for is waited for what is seen to go on. */
const maxExtension = 3;

interface RunningFlight<T> {
  result: Promise<T>;
  readonly startedAt: number;
  /** Signs of life so far, and when the last one came. */
  pulses: number;
  lastPulseAt: number;
  readonly onOver: Set<() => void>;
  readonly abandon: AbortController;
  readonly hurry: AbortController;
  readonly waiters: Set<Waiter>;
  isBegun: boolean;
  restsUntil: number;
  aliveAt: number;
}

/** Makes a {@link SingleFlight}. Keys of different tenants have to differ. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function singleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, RunningFlight<T>>();
  const aborts = boundedMap<number>(maxAbortedKeys);
  const isHarried = (key: string): boolean => (aborts.get(key) ?? 0) >= maxAborts;

  const start = (key: string, work: (flight: Flight) => Promise<T>): RunningFlight<T> => {
    const flight = newFlight<T>(isHarried(key));
    const stopPulse = repeat(() => {
      flight.pulses += 1;
      flight.lastPulseAt = clockMs();
    });
    const run = async (): Promise<T> => {
      try {
        const value = await work(seenByWork(flight));
        aborts.delete(key);
        return value;
      } finally {
        stopPulse();
        end(key, flight);
      }
    };
    flight.result = Promise.resolve().then(run);
    // Everybody may have left by the time it rejects.
    flight.result.catch(() => {});
    flights.set(key, flight);
    return flight;
  };
  /** Takes a flight out, whether it has ended or is dead. */
  const end = (key: string, flight: RunningFlight<T>): void => {
    if (flights.get(key) === flight) flights.delete(key);
    for (const each of flight.onOver) each();
    flight.onOver.clear();
  };
  const living = (key: string): RunningFlight<T> | undefined => {
    const flight = flights.get(key);
    if (flight === undefined || clockMs() - flight.lastPulseAt < maxSilenceMs) return flight;
    end(key, flight);
    return undefined;
  };

  return {
    size: () => flights.size,
    ended: async (key) => {
      await flights.get(key)?.result.catch(() => {});
    },
    run: async (key, work, patience = {}, onOver = () => {}) => {
      const { abortSignal } = patience;
      if (abortSignal?.aborted === true) onOver();
      abortSignal?.throwIfAborted();
      for (;;) {
        const joined = living(key);
        const flight = joined ?? start(key, work);
        flight.onOver.add(onOver);
        const waiting = isHarried(key) ? harried(patience) : patience;
        const result = await waitFor(flight, waiting, joined !== undefined, () => {
          if (abortSignal?.aborted === true) aborts.set(key, (aborts.get(key) ?? 0) + 1);
          // Still in the map means still at work, and nobody is left to want the result.
          if (flight.waiters.size > 0 || flight.isBegun || flights.get(key) !== flight) return;
          flights.delete(key);
          harmlessly(() => flight.abandon.abort(abortSignal?.reason));
        });
        if (result !== dead) return result;
        end(key, flight);
      }
    },
  };
}

function newFlight<T>(isBegun: boolean): RunningFlight<T> {
  const now = clockMs();
  return {
    result: new Promise(() => {}),
    startedAt: now,
    pulses: 0,
    lastPulseAt: now,
    onOver: new Set(),
    abandon: new AbortController(),
    hurry: new AbortController(),
    waiters: new Set(),
    isBegun,
    restsUntil: 0,
    aliveAt: 0,
  };
}

function seenByWork<T>(flight: RunningFlight<T>): Flight {
  return {
    abortSignal: flight.abandon.signal,
    hurry: flight.hurry.signal,
    begin: () => {
      flight.isBegun = true;
    },
    isAwaited: () => flight.waiters.size > 0,
    isNeeded: () => [...flight.waiters].some(({ hurryAt }) => hurryAt() < Infinity),
    alive: () => {
      flight.aliveAt = clockMs();
    },
    rest: (ms) => {
      flight.restsUntil = clockMs() + ms;
      for (const waiter of flight.waiters) loseHope(flight, waiter);
    },
  };
}

/** A caller that waits for nothing: neither for the work nor, where it cannot do without, for its best. */
function harried({ hurryAfterMs, leaveAfterMs, ...patience }: Patience): Patience {
  return hurryAfterMs === undefined
    ? { ...patience, leaveAfterMs: 0 }
    : { ...patience, hurryAfterMs: 0, leaveAfterMs };
}

/** What a caller hears of work that has given no sign of life. */
const dead: unique symbol = Symbol('dead');

async function waitFor<T>(
  flight: RunningFlight<T>,
  patience: Patience,
  isJoined: boolean,
  onLeft: () => void,
): Promise<T | typeof dead | undefined> {
  const { abortSignal, hurryAfterMs = Infinity, leaveAfterMs = Infinity } = patience;
  const { startedAt, result, waiters } = flight;
  // Who can do without does not wait longer for what is slow.
  const due = (ms: number) => (): number =>
    hurryAfterMs === Infinity
      ? startedAt + ms
      : Math.max(startedAt, Math.min(flight.aliveAt, startedAt + (maxExtension - 1) * ms)) + ms;
  const left = Promise.withResolvers<typeof dead | undefined>();
  const leave = (): void => {
    // Who leaves in time still wants it, for the next call.
    flight.isBegun = true;
    left.resolve(undefined);
  };
  const { hurryAtRestMs = Infinity } = patience;
  const waiter = { hurryAt: due(hurryAfterMs), leaveAt: due(leaveAfterMs), hurryAtRestMs, leave };
  waiters.add(waiter);
  loseHope(flight, waiter);
  const silence = [
    alarmAt(waiter.hurryAt, () => hasten(flight)),
    alarmAt(waiter.leaveAt, leave),
    ...(isJoined ? [watch(flight, () => left.resolve(dead))] : []),
  ];
  try {
    return await abortable(Promise.race([result, left.promise]), abortSignal);
  } finally {
    for (const each of silence) each();
    waiters.delete(waiter);
    onLeft();
  }
}

/** Rings at a time that may be put off until then. */
function alarmAt(due: () => number, ring: () => void): () => void {
  let silence: (() => void) | undefined;
  const arm = (): void => {
    silence = alarm(due() - clockMs(), () => {
      if (due() > clockMs() && silence !== undefined) arm();
      else ring();
    });
  };
  arm();
  return () => silence?.();
}

/** Tells work to hurry, where that is to be reached. */
function hasten<T>({ hurry }: RunningFlight<T>): void {
  harmlessly(() => hurry.abort());
}

/** Does now what a waiter would do anyway before anything can come. */
function loseHope<T>(flight: RunningFlight<T>, waiter: Waiter): void {
  const { restsUntil } = flight;
  const { hurryAt, leaveAt, hurryAtRestMs } = waiter;
  if (restsUntil > Math.min(hurryAt(), clockMs() + hurryAtRestMs)) hasten(flight);
  else if (restsUntil > leaveAt()) waiter.leave();
}

/** Looks for signs of life, by the clock of who looks: where that stands still, theirs does, too. */
function watch<T>(flight: RunningFlight<T>, onDead: () => void): () => void {
  let seen = flight.pulses;
  let silentTurns = 0;
  return repeat(() => {
    silentTurns = flight.pulses === seen ? silentTurns + 1 : 0;
    seen = flight.pulses;
    if (silentTurns >= maxSilentTurns) onDead();
  });
}

/** Does something with each pulse until what it returns is called. Keeps no process alive. */
function repeat(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const again = (): void => {
    timer = setTimeout(() => {
      again();
      work();
    }, pulseMs);
    // A number where there is no Node.
    if (typeof timer === 'object') timer.unref();
  };
  again();
  return () => clearTimeout(timer);
}
