import { quiet } from '../../test/support/quiet.ts';

/** A clock that moves only when it is told to. */
export interface VirtualClock {
  readonly now: () => number;
  /** Moves on; timers on the way fire in their order, and what they set off goes as far as it can. */
  readonly advance: (ms: number) => Promise<void>;
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

  const next = (): [object, Timer] | undefined =>
    [...timers].reduce<[object, Timer] | undefined>(
      (first, entry) => (first === undefined || entry[1].at < first[1].at ? entry : first),
      undefined,
    );
  return {
    now: () => now,
    timers: () => timers.size,
    advance: async (ms) => {
      const until = now + ms;
      await quiet();
      for (let due = next(); due !== undefined && due[1].at <= until; due = next()) {
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].fire();
        await quiet();
      }
      now = until;
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
