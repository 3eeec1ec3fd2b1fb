import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { abortable, runAfter, clockMs } from '../../foundations/util/async/waiting.ts';
import { runSafely } from '../../foundations/util/async/callbacks.ts';

/**
 * Work that is done once for all callers that wait for it, and continues when they leave.
 *
 * It has a heartbeat: on some platforms it ends silently with the request that began it, and its promise never settles.
 * There, timers, signals and promises belong to the request that made them, so no caller relies on reaching those of
 * another.
 */
export interface Flight<Result> {
  /**
   * Waits for the result. Aborting rejects only this caller; the others keep waiting.
   *
   * @returns `undefined` if the caller's patience has ended; {@link lostWork} if the work has ended silently.
   */
  readonly wait: (patience: Patience) => Promise<Result | typeof lostWork | undefined>;
  /** Resolves when the work has ended, even with an error. */
  readonly ended: Promise<void>;
  /** Gives the work up if it had no heartbeat for long; returns whether it is over. */
  readonly isOver: () => boolean;
  /** Gives the work up. */
  readonly end: () => void;
  /** Link from the work to its callers, for the caller that began it. */
  readonly controls: FlightControls;
  /** Provides the work, whose result is that of the flight. */
  readonly follow: (work: Promise<Result>) => void;
}

/** Link from the work to its waiting callers. */
export interface FlightControls {
  /** Aborts when a caller can wait no longer: the work takes its quickest way. */
  readonly hurry: AbortSignal;
  /** Whether the work is to begin: not if all its callers have aborted. No caller joins it then. */
  readonly isWanted: () => boolean;
  /** Whether a waiting caller cannot proceed without the result. */
  readonly isNeeded: () => boolean;
  /** Reports progress: callers that need the result wait for it, up to three times as long. */
  readonly reportProgress: () => void;
  /** Announces a pause in milliseconds: a caller that would leave before its end need not wait. */
  readonly announcePause: (ms: number) => void;
}

/** How long a caller waits, counted from the start of the work, even if the caller came later. */
export interface Patience {
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * Milliseconds after which the work is told to hurry.
   * @default never
   */
  readonly hurryAfterMs?: number | undefined;
  /**
   * Milliseconds after which the caller leaves with nothing.
   * @default never
   */
  readonly leaveAfterMs?: number | undefined;
  /**
   * Longest announced pause, in milliseconds, before the work is told to hurry at once.
   * @default the time until the work has to hurry
   */
  readonly hurryAtRestMs?: number | undefined;
}

/** Result of waiting for work without a heartbeat. */
export const lostWork: unique symbol = Symbol('dead');

/** Milliseconds between two heartbeats. */
const pulseMs = 500;

/** Milliseconds without a heartbeat after which work is dead to its waiting callers. */
const maxSilenceMs = 1500;

/** Milliseconds without a heartbeat after which no caller joins the work: a busy event loop delays every heartbeat. */
const maxSilenceBeforeMs = 10_000;

/** Factor by which progress may prolong the waiting. */
const maxExtension = 3;

/**
 * Begins work for which several callers may wait.
 *
 * @param onOver - Called once, when the work has ended or was given up.
 */
export function startFlight<Result>(onOver: () => void): Flight<Result> {
  const startedAt = clockMs();
  const hurry = new AbortController();
  /** Checks of the waiting callers, and whether each caller needs the result. */
  const waiters = new Map<() => void, boolean>();
  let [isWanted, isOver, isJoined] = [false, false, false];
  let [pulsedAt, aliveAt, restsUntil] = [startedAt, 0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pulse = (): void => {
    pulsedAt = clockMs();
    timer = setTimeout(pulse, pulseMs);
    // The timer keeps no process alive. It is a number outside of Node.js.
    if (typeof timer === 'object') timer.unref();
  };
  const end = (): void => {
    if (!isOver) onOver();
    isOver = true;
  };
  const controls: FlightControls = {
    hurry: hurry.signal,
    isWanted: () => {
      if (!isWanted && waiters.size === 0) end();
      return !isOver;
    },
    isNeeded: () => [...waiters.values()].includes(true),
    reportProgress: () => {
      aliveAt = clockMs();
    },
    announcePause: (ms) => {
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
    // The first caller began the work, and learns of its end.
    const joinedAt = isJoined ? clockMs() : Infinity;
    isJoined = true;
    const { promise: left, resolve: leave } = Promise.withResolvers<typeof lostWork | undefined>();
    let silence: (() => void) | undefined;
    // A caller that can do without the result does not wait longer for slow work.
    const due = (ms: number): number =>
      isInNeed
        ? Math.max(startedAt, Math.min(aliveAt, startedAt + (maxExtension - 1) * ms)) + ms
        : startedAt + ms;
    const look = (): void => {
      silence?.();
      const now = clockMs();
      const [hurryAt, leaveAt] = [due(hurryAfterMs), due(leaveAfterMs)];
      const deadAt = Math.max(joinedAt, pulsedAt) + maxSilenceMs;
      // The work would have to hurry before the pause ends: it hurries now.
      const isIdle = restsUntil > Math.min(hurryAt, now + hurryAtRestMs);
      if (now >= hurryAt || isIdle) runSafely(() => hurry.abort(tooSlow()));
      if (now >= leaveAt || (!isInNeed && restsUntil > leaveAt)) {
        // A caller that leaves in time still wants the result, for its next call.
        isWanted = true;
        leave(undefined);
      } else if (now >= deadAt) leave(lostWork);
      const next = Math.min(...[hurryAt, leaveAt, deadAt].filter((at) => at > now));
      silence = runAfter(next - now, look);
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
    controls,
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
