import { quiet } from './quiet.ts';

/** A clock that moves only when it is told to. */
export interface VirtualClock {
  readonly now: () => number;
  /** Moves on; timers on the way fire in their order, and what they set off goes as far as it can. */
  readonly advance: (ms: number) => Promise<void>;
  /** Moves on to the next timer, and no further than so many milliseconds; says whether one fired. */
  readonly next: (mostMs: number) => Promise<boolean>;
  /** Timers that are set. */
  readonly timers: () => number;
  /** Gives the real clock back. */
  readonly restore: () => void;
}

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** Puts a virtual clock in the place of timers, `Date.now` and `performance.now`. Timers of 0 ms stay real. */
export function virtualClock(): VirtualClock {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const { now: date } = Date;
  const monotonic = performance.now.bind(performance);
  const began = date();
  const timers = new Map<object, Timer>();
  let now = monotonic();
  const startedAt = now;

  const setVirtual = (
    fire: (...given: unknown[]) => void,
    ms = 0,
    ...given: unknown[]
  ): unknown => {
    if (!(ms > 0)) return set(fire, 0, ...given);
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => false };
    timers.set(handle, { at: now + ms, fire: () => fire(...given) });
    return handle;
  };
  const clearVirtual = (handle: unknown): void => {
    if (typeof handle === 'object' && handle !== null && timers.delete(handle)) return;
    Reflect.apply(clear, undefined, [handle]);
  };
  install([setVirtual, clearVirtual, () => began + Math.floor(now - startedAt), () => now]);

  const due = (): [object, Timer] | undefined =>
    [...timers].reduce<[object, Timer] | undefined>(
      (first, entry) => (first === undefined || entry[1].at < first[1].at ? entry : first),
      undefined,
    );
  const next = async (until: number): Promise<boolean> => {
    const [handle, timer] = due() ?? [];
    if (handle === undefined || timer === undefined || timer.at > until) {
      now = until;
      return false;
    }
    timers.delete(handle);
    now = Math.max(now, timer.at);
    timer.fire();
    await quiet();
    return true;
  };
  return {
    now: () => now,
    timers: () => timers.size,
    next: async (mostMs) => next(now + mostMs),
    advance: async (ms) => {
      const until = now + ms;
      await quiet();
      while (await next(until));
    },
    restore: () => install([set, clear, date, monotonic]),
  };
}

/** Puts functions of the clock in their places. */
function install(parts: readonly unknown[]): void {
  const [setter, clearer, dateNow, performanceNow] = parts;
  Object.assign(globalThis, { setTimeout: setter, clearTimeout: clearer });
  Object.assign(Date, { now: dateNow });
  Object.defineProperty(performance, 'now', { value: performanceNow, configurable: true });
}
