import { SummarizationError } from '../errors/summarization-error.ts';
import { abortable, alarm, clockMs } from '../util/async/waiting.ts';
import { harmlessly } from '../util/async/callbacks.ts';

/**
 * Work that is done once for everybody who waits for it, and goes on when they leave.
 *
 * It gives signs of life: on some platforms it ends with the request that began it, without a word, and its promise
 * never settles. Timers, signals and promises belong to the request that made them there, so that nobody counts on
 * reaching what another one has begun.
 */
export interface Flight<Result> {
  /**
   * Waits for it. Who aborts hears so at once and leaves the others alone.
   *
   * @returns `undefined` when the caller was not to wait any longer; {@link dead} when it has ended without a word.
   */
  readonly wait: (patience: Patience) => Promise<Result | typeof dead | undefined>;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<void>;
  /** Gives it up where it has given no sign of life for long; says whether it is over. */
  readonly isOver: () => boolean;
  /** Gives it up. */
  readonly end: () => void;
  /** For who began it. */
  readonly course: Course;
  /** Gives it the work that it ends with. */
  readonly follow: (work: Promise<Result>) => void;
}

/** What the work knows of those who wait for it. */
export interface Course {
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

/** What a caller hears of work that has given no sign of life. */
export const dead: unique symbol = Symbol('dead');

/** Milliseconds between two signs of life. */
const pulseMs = 500;

/** Milliseconds without a sign of life after which work that is waited for is dead. */
const maxSilenceMs = 1500;

/** Milliseconds after which it is dead for who comes: a busy event loop holds up everybody's signs. */
const maxSilenceBeforeMs = 10_000;

/** How many times as long as it would be waited for is waited for what is seen to go on. */
const maxExtension = 3;

/**
 * Begins work that others may wait for.
 *
 * @param onOver - Called once, when it has ended or was given up.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function startFlight<Result>(onOver: () => void): Flight<Result> {
  const startedAt = clockMs();
  const hurry = new AbortController();
  /** Looks of those who wait, and whether they can do nothing without. */
  const waiters = new Map<() => void, boolean>();
  let [isWanted, isOver, isJoined] = [false, false, false];
  let [pulsedAt, aliveAt, restsUntil] = [startedAt, 0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pulse = (): void => {
    pulsedAt = clockMs();
    timer = setTimeout(pulse, pulseMs);
    // It keeps no process alive. A number where there is no Node.
    if (typeof timer === 'object') timer.unref();
  };
  const end = (): void => {
    if (!isOver) onOver();
    isOver = true;
  };
  const course: Course = {
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
  pulse();
  const { promise: result, resolve: follow } = Promise.withResolvers<Result>();
  const ended = (async () => {
    await result.catch(() => {});
    clearTimeout(timer);
    end();
  })();
  const wait: Flight<Result>['wait'] = async ({
    abortSignal,
    hurryAfterMs = Infinity,
    leaveAfterMs = Infinity,
    hurryAtRestMs = Infinity,
  }) => {
    const isInNeed = hurryAfterMs !== Infinity;
    // Who began it hears of its end.
    const joinedAt = isJoined ? clockMs() : Infinity;
    isJoined = true;
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
      const [hurryAt, leaveAt] = [due(hurryAfterMs), due(leaveAfterMs)];
      const deadAt = Math.max(joinedAt, pulsedAt) + maxSilenceMs;
      // What would be done anyway before anything can come is done now.
      const isIdle = restsUntil > Math.min(hurryAt, now + hurryAtRestMs);
      if (now >= hurryAt || isIdle) harmlessly(() => hurry.abort(tooSlow()));
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
    course,
    follow,
    wait,
    ended,
    end,
    isOver: () => {
      if (!isOver && clockMs() - pulsedAt >= maxSilenceBeforeMs) end();
      return isOver;
    },
  };
}

function tooSlow(): SummarizationError {
  const message = 'The summary took longer than a call may wait for it.';
  return new SummarizationError({ reason: 'timeout', message, retryable: true });
}
