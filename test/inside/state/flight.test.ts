import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  dead,
  startFlight,
  type Course,
  type Flight,
  type Patience,
} from '../../../src/state/flight.ts';

const reason = new Error('stop');

/** Work that is finished from outside. */
function work<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const flights: Course[] = [];
  return {
    flights,
    resolve,
    reject,
    run: (flight: Course): Promise<T> => {
      flights.push(flight);
      return promise;
    },
  };
}

/** Flights by name, as those who want the same summary share them. */
function singleFlight<T>() {
  const flights = new Map<string, Flight<T>>();
  return {
    run: async (
      key: string,
      begin: (course: Course) => Promise<T>,
      patience: Patience = {},
      onOver = () => {},
    ): Promise<T | undefined> => {
      for (;;) {
        const running = flights.get(key);
        const flight =
          running?.isOver() === false
            ? running
            : startFlight(begin, () => {
                flights.delete(key);
                onOver();
              });
        flights.set(key, flight);
        // oxlint-disable-next-line no-await-in-loop -- what is dead is begun anew
        const result = await flight.wait(patience);
        if (result !== dead) return result;
        flight.end();
      }
    },
  };
}

describe('a flight', () => {
  it('fails for all, and starts anew for the next', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const all = [flights.run('k', task.run), flights.run('k', task.run)];
    task.reject(reason);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
    expect(await flights.run('k', async () => 'again')).toBe('again');
  });

  it('lets one caller leave without the others', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const controller = new AbortController();
    const leaving = flights.run('k', task.run, { abortSignal: controller.signal });
    const staying = flights.run('k', task.run);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    expect(task.flights[0]?.isWanted()).toBe(true);
    task.resolve('done');
    expect(await staying).toBe('done');
  });

  it('is wanted no more when the last caller has left, and begun anew for whoever comes then', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const controllers = [new AbortController(), new AbortController()];
    const onOver = vi.fn<() => void>();
    const all = controllers.map(({ signal: abortSignal }) =>
      flights.run('k', task.run, { abortSignal }, onOver),
    );
    await Promise.resolve();
    controllers[0]?.abort(reason);
    expect(task.flights[0]?.isWanted()).toBe(true);
    controllers[1]?.abort(reason);
    await Promise.allSettled(all);
    expect([task.flights[0]?.isWanted(), onOver.mock.calls.length]).toEqual([false, 1]);
    const fresh = work<string>();
    const coming = flights.run('k', fresh.run);
    task.resolve('late');
    await Promise.resolve();
    fresh.resolve('fresh');
    expect(await coming).toBe('fresh');
  });

  it('goes on with work that was found to be wanted, for whoever comes next', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const controller = new AbortController();
    const leaving = flights.run('k', task.run, { abortSignal: controller.signal });
    await Promise.resolve();
    expect(task.flights[0]?.isWanted()).toBe(true);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    const coming = flights.run('k', () => Promise.reject(new Error('a second time')));
    task.resolve('done');
    expect(await coming).toBe('done');
  });
});

/** What became of a caller so far. */
function watched(run: Promise<string | undefined>): { readonly outcomes: unknown[] } {
  const outcomes: unknown[] = [];
  const note = (outcome: unknown): number => outcomes.push(outcome);
  void run.then(note, note);
  return { outcomes };
}

describe('patience', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function started() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const flights = singleFlight<string>();
    const task = work<string>();
    return { flights, task };
  }

  it('is counted from the start of the work, whenever a caller comes', async () => {
    const { flights, task } = started();
    const first = watched(flights.run('k', task.run, { leaveAfterMs: 100 }));
    await vi.advanceTimersByTimeAsync(60);
    const second = watched(flights.run('k', task.run, { leaveAfterMs: 100 }));
    await vi.advanceTimersByTimeAsync(39);
    expect([first.outcomes, second.outcomes]).toEqual([[], []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([first.outcomes, second.outcomes]).toEqual([[undefined], [undefined]]);
    const third = watched(flights.run('k', task.run, { leaveAfterMs: 100 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(third.outcomes).toEqual([undefined]);
    // Who leaves in time wants it all the same.
    expect(task.flights.map(({ isWanted }) => isWanted())).toEqual([true]);
    // The work's own, which says that it lives.
    expect(vi.getTimerCount()).toBe(1);
    task.resolve('done');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that ends has the work hurried by who cannot leave without it', async () => {
    const { flights, task } = started();
    const run = watched(flights.run('k', task.run, { hurryAfterMs: 100, leaveAfterMs: 150 }));
    await vi.advanceTimersByTimeAsync(99);
    expect(task.flights[0]?.hurry.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([task.flights[0]?.hurry.aborted, run.outcomes]).toEqual([true, []]);
    await vi.advanceTimersByTimeAsync(50);
    expect(run.outcomes).toEqual([undefined]);
  });

  it('is not tried where nothing can come in time', async () => {
    const { flights, task } = started();
    const leaving = watched(flights.run('k', task.run, { leaveAfterMs: 100 }));
    const hurrying = watched(flights.run('k', task.run, { hurryAfterMs: 600, leaveAfterMs: 900 }));
    await vi.advanceTimersByTimeAsync(10);
    task.flights[0]?.rest(80);
    await vi.advanceTimersByTimeAsync(0);
    expect(leaving.outcomes).toEqual([]);
    task.flights[0]?.rest(91);
    await vi.advanceTimersByTimeAsync(0);
    expect([leaving.outcomes, hurrying.outcomes]).toEqual([[undefined], []]);
    expect(task.flights[0]?.hurry.aborted).toBe(false);
    task.flights[0]?.rest(591);
    expect(task.flights[0]?.hurry.aborted).toBe(true);
  });
});

describe('work whose request has ended without a word', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Work that has begun, and whose timers have gone with its request. */
  async function cutOff() {
    const flights = singleFlight<string>();
    const task = work<string>();
    const onOver = vi.fn<() => void>();
    const first = watched(flights.run('k', task.run, { hurryAfterMs: 3000 }, onOver));
    await vi.advanceTimersByTimeAsync(0);
    vi.clearAllTimers();
    return { flights, task, first, onOver };
  }

  it('is begun anew by who waits for it', async () => {
    const { flights, task, first, onOver } = await cutOff();
    const again = work<string>();
    const second = watched(flights.run('k', again.run, { hurryAfterMs: 60_000 }));
    await vi.advanceTimersByTimeAsync(1499);
    expect([again.flights.length, onOver.mock.calls.length]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([again.flights.length, onOver.mock.calls.length]).toEqual([1, 1]);
    const third = watched(flights.run('k', task.run, { hurryAfterMs: 60_000 }));
    await vi.advanceTimersByTimeAsync(30_000);
    again.resolve('again');
    await vi.advanceTimersByTimeAsync(0);
    expect([first.outcomes, second.outcomes, third.outcomes]).toEqual([[], ['again'], ['again']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is begun anew by who comes later and waits for nothing', async () => {
    const { flights } = await cutOff();
    const again = work<string>();
    await vi.advanceTimersByTimeAsync(9999);
    expect(await flights.run('k', again.run, { leaveAfterMs: 0 })).toBeUndefined();
    expect(again.flights).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await flights.run('k', again.run, { leaveAfterMs: 0 })).toBeUndefined();
    expect(again.flights).toHaveLength(1);
  });

  it('is not taken for dead as long as it is only slow', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const all = [flights.run('k', task.run), flights.run('k', task.run)].map(watched);
    await vi.advanceTimersByTimeAsync(600_000);
    all.push(watched(flights.run('k', task.run)));
    await vi.advanceTimersByTimeAsync(600_000);
    task.resolve('done');
    await vi.advanceTimersByTimeAsync(0);
    expect(all.map(({ outcomes }) => outcomes)).toEqual([['done'], ['done'], ['done']]);
    expect(task.flights).toHaveLength(1);
  });

  it('harms nobody who would hurry it where a signal belongs to a request', async () => {
    const { flights } = await cutOff();
    vi.spyOn(AbortController.prototype, 'abort').mockImplementation(() => {
      throw new Error('Cannot perform I/O on behalf of a different request.');
    });
    const run = flights.run('k', async () => 'again', { hurryAfterMs: 100, leaveAfterMs: 900 });
    const second = watched(run);
    await vi.advanceTimersByTimeAsync(900);
    expect(second.outcomes).toEqual([undefined]);
  });
});
