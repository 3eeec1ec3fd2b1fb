import { SummarizationError } from '../errors/summarization-error.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { abortable, alarm } from '../util/async/waiting.ts';
import { harmlessly } from '../util/async/callbacks.ts';
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
   * the signal's reason and leaves the others alone; the work goes on for whoever comes next.
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
}

/** What the work knows of those who wait for it. */
export interface Flight {
  /** Aborts when somebody can wait no longer: what is quickest is to be done now. */
  readonly hurry: AbortSignal;
  /** Whether it is worth to be begun: not where all who asked have aborted. Nobody joins it then. */
  readonly isWanted: () => boolean;
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

/** Milliseconds between two signs of life. */
const pulseMs = 500;

/** Milliseconds without a sign of life after which work that is waited for is dead. */
const maxSilenceMs = 1500;

/** Milliseconds after which it is dead for who comes: a busy event loop holds up everybody's signs. */
const maxSilenceBeforeMs = 10_000;

/** How many times as long as it would be waited for is waited for what is seen to go on. */
const maxExtension = 3;

/** What a caller hears of work that has given no sign of life. */
const dead: unique symbol = Symbol('dead');

const flightsByStore = new WeakMap<SummaryStore, SingleFlight<StoredSummary>>();

/**
 * The summaries of a store that are being written: middlewares made anew for each request find what the one
 * before has begun.
 */
export function flightsOf(store: SummaryStore): SingleFlight<StoredSummary> {
  const flights = flightsByStore.get(store) ?? singleFlight();
  flightsByStore.set(store, flights);
  return flights;
}

/** Makes a {@link SingleFlight}. Keys of different tenants have to differ. */
export function singleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, RunningFlight<T>>();
  const aborts = boundedMap<number>(maxAbortedKeys);
  return {
    ended: async (key) => {
      await flights.get(key)?.result.catch(() => {});
    },
    run: async (key, work, given = {}, onOver = () => {}) => {
      const isHarried = (aborts.get(key) ?? 0) >= maxAborts;
      const none = given.hurryAfterMs === undefined ? { leaveAfterMs: 0 } : { hurryAfterMs: 0 };
      const patience = isHarried ? { ...given, ...none } : given;
      for (;;) {
        const running = flights.get(key);
        if (running?.isDead() === true) running.end();
        const joined = flights.get(key);
        const flight = joined ?? startFlight(work, isHarried);
        if (joined === undefined) {
          flights.set(key, flight);
          flight.whenOver(() => flights.get(key) === flight && flights.delete(key));
          flight.result.then(() => aborts.delete(key)).catch(() => {});
        }
        flight.whenOver(onOver);
        try {
          const result = await flight.wait(patience, joined !== undefined);
          if (result !== dead) return result;
          flight.end();
        } catch (error) {
          if (given.abortSignal?.aborted === true) aborts.set(key, (aborts.get(key) ?? 0) + 1);
          throw error;
        }
      }
    },
  };
}

type RunningFlight<T> = ReturnType<typeof startFlight<T>>;

/** @param isSure - Whether it is wanted whoever aborts. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
function startFlight<T>(work: (flight: Flight) => Promise<T>, isSure: boolean) {
  const startedAt = clockMs();
  const hurry = new AbortController();
  /** Looks of those who wait, and whether they can do nothing without. */
  const waiters = new Map<() => void, boolean>();
  const overs = new Set<() => unknown>();
  let isWanted = isSure;
  let isOver = false;
  let [pulsedAt, aliveAt, restsUntil] = [startedAt, 0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pulse = (): void => {
    pulsedAt = clockMs();
    timer = setTimeout(pulse, pulseMs);
    // It keeps no process alive. A number where there is no Node.
    if (typeof timer === 'object') timer.unref();
  };
  const end = (): void => {
    isOver = true;
    for (const each of overs) each();
    overs.clear();
  };
  const flight: Flight = {
    hurry: hurry.signal,
    isWanted: () => {
      if (!isWanted && waiters.size === 0) end();
      return !isOver;
    },
    isNeeded: () => [...waiters.values()].includes(true),
    alive: () => {
      aliveAt = clockMs();
    },
    rest: (ms) => {
      restsUntil = clockMs() + ms;
      for (const look of waiters.keys()) look();
    },
  };
  const run = async (): Promise<T> => {
    try {
      return await work(flight);
    } finally {
      clearTimeout(timer);
      end();
    }
  };
  pulse();
  const result = Promise.resolve().then(run);
  // Everybody may have left by the time it rejects.
  result.catch(() => {});
  const wait = async (
    { abortSignal, hurryAfterMs, leaveAfterMs = Infinity, hurryAtRestMs = Infinity }: Patience,
    isJoined: boolean,
  ): Promise<T | typeof dead | undefined> => {
    const isInNeed = hurryAfterMs !== undefined;
    const joinedAt = clockMs();
    const { promise: left, resolve: leave } = Promise.withResolvers<typeof dead | undefined>();
    let silence: (() => void) | undefined;
    // Who can do without does not wait longer for what is slow.
    const due = (ms: number): number =>
      isInNeed
        ? Math.max(startedAt, Math.min(aliveAt, startedAt + (maxExtension - 1) * ms)) + ms
        : startedAt + ms;
    const look = (): void => {
      silence?.();
      const now = clockMs();
      const [hurryAt, leaveAt] = [due(hurryAfterMs ?? Infinity), due(leaveAfterMs)];
      const deadAt = isJoined ? Math.max(joinedAt, pulsedAt) + maxSilenceMs : Infinity;
      // What would be done anyway before anything can come is done now.
      if (now >= hurryAt || restsUntil > Math.min(hurryAt, now + hurryAtRestMs))
        harmlessly(() => hurry.abort(tooSlow()));
      if (now >= leaveAt || (!isInNeed && restsUntil > leaveAt)) {
        // Who leaves in time still wants it, for the next call.
        isWanted = true;
        leave(undefined);
      } else if (now >= deadAt) leave(dead);
      const next = Math.min(...[hurryAt, leaveAt, deadAt].filter((at) => at > now));
      silence = alarm(next - now, look);
    };
    waiters.set(look, isInNeed);
    look();
    try {
      return await abortable(Promise.race([result, left]), abortSignal);
    } finally {
      silence?.();
      waiters.delete(look);
    }
  };
  return {
    result,
    wait,
    end,
    whenOver: (each: () => unknown) => void overs.add(each),
    isDead: () => clockMs() - pulsedAt >= maxSilenceBeforeMs,
  };
}

function tooSlow(): SummarizationError {
  const message = 'The summary took longer than a call may wait for it.';
  return new SummarizationError({ reason: 'timeout', message, retryable: true });
}
