import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../../../src/index.ts';
import {
  firstBackoffMs,
  guardedStore,
  longestBackoffMs,
  outageMs,
} from '../../../../src/state/stores/sealed-store.ts';

// That no store costs more than a summary, whatever it answers, is held by test/middleware/state/faulty-stores.test.ts
// and test/hostile/broken-stores.test.ts. This is how long one that fails is left alone, and what is told of it.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const rejects = async (): Promise<string> => Promise.reject(new Error('down'));
const never = (): Promise<string> => new Promise(() => {});
const answers = async (): Promise<string> => 'v';
const after = (ms: number) => (): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, 'v');
  });

/** Milliseconds a store rests after a failure and so many before it. */
const restMs = (before: number): number => Math.min(firstBackoffMs * 2 ** before, longestBackoffMs);

/** A store whose reads do the same, whatever `work` is by then, and callers with what is reported to each. */
function rig(work: () => Promise<string>, isLocal = false) {
  const rigged = { work, calls: 0, caller };
  const read = (): Promise<string> => {
    rigged.calls += 1;
    return rigged.work();
  };
  const store = { ...memoryStore(), get: read, isLocal };
  function caller() {
    const reports: string[] = [];
    const guard = guardedStore(store, {
      onFault: (error) => reports.push(error instanceof Error ? error.message : 'no error'),
      onOutage: () => reports.push('outage'),
      onRecovery: () => reports.push('recovery'),
    });
    const ask = async (timeoutMs = outageMs, isUrgent = false): Promise<unknown> =>
      (await guard.ask(({ get }) => get('k'), { timeoutMs, isUrgent }))?.result;
    /** Asks, lets so much time pass, and says what was answered. */
    const askFor = async (ms: number, timeoutMs = outageMs): Promise<unknown> => {
      const answer = ask(timeoutMs);
      await vi.advanceTimersByTimeAsync(ms);
      return answer;
    };
    return { reports, ask, askFor };
  }
  return rigged;
}

describe('a store that fails', () => {
  it('may throw, and so may who is told of it', async () => {
    const throws = (): never => {
      throw new Error('down');
    };
    const report = { onFault: throws, onOutage: throws };
    const guard = guardedStore({ ...memoryStore(), get: throws }, report);
    expect(await guard.ask(({ get }) => get('k'), { timeoutMs: 1 })).toBeUndefined();
  });

  it('is left alone for a second, doubling to a minute; its third failure in a row is an outage', async () => {
    const rigged = rig(rejects);
    // All callers count for it, and each is told of its own.
    const callers = Array.from({ length: 9 }, () => rigged.caller());
    for (const [index, { ask, askFor }] of callers.entries()) {
      await askFor(restMs(index) - 1);
      await ask();
      expect(rigged.calls).toBe(index + 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(restMs(8)).toBe(60_000);
    const told = callers.map(({ reports }) => reports.join(' '));
    expect(told).toEqual(['down', 'down', 'down outage', ...Array<string>(6).fill('down')]);
  });

  it('is asked all the same where money hangs on it, in its first seconds', async () => {
    const rigged = rig(rejects);
    const { reports, ask, askFor } = rigged.caller();
    const urgently = async (): Promise<unknown> => ask(outageMs, true);
    await ask();
    for (let time = 0; time < 4; time += 1) await urgently();
    expect(rigged.calls).toBe(5);
    // What was asked too early makes no rest longer.
    await vi.advanceTimersByTimeAsync(restMs(0));
    await askFor(restMs(1));
    await ask();
    expect([rigged.calls, reports.at(-1)]).toEqual([7, 'outage']);
    await urgently();
    expect(rigged.calls).toBe(7);
  });

  it.each([
    ['a fault', rejects, 'down'],
    ['silence', never, `No answer within ${outageMs} ms.`],
  ])(
    'is back with its first success, and rests for twice as long after %s',
    async (_, work, fault) => {
      const rigged = rig(rejects);
      const { reports, ask, askFor } = rigged.caller();
      for (const before of [0, 1, 2]) await askFor(restMs(before));
      reports.length = 0;
      rigged.calls = 0;
      rigged.work = work;
      await askFor(outageMs);
      await vi.advanceTimersByTimeAsync(restMs(3) - outageMs - 1);
      await ask();
      expect([rigged.calls, reports]).toEqual([1, [fault]]);
      rigged.work = answers;
      await vi.advanceTimersByTimeAsync(outageMs + 1);
      expect([await ask(), await ask()]).toEqual(['v', 'v']);
      expect(reports).toEqual([fault, 'recovery']);
      rigged.work = rejects;
      await askFor(restMs(0));
      rigged.work = answers;
      expect(await ask()).toBe('v');
    },
  );
});

describe('a store that is silent or slow', () => {
  it('is waited for as long as its caller says, and down after 2 s, however briefly that is', async () => {
    const rigged = rig(never);
    const { reports, askFor } = rigged.caller();
    for (const before of [0, 1, 2]) {
      expect(reports).not.toContain('outage');
      expect(await askFor(250, 250)).toBeUndefined();
      await vi.advanceTimersByTimeAsync(outageMs - 250);
      await askFor(restMs(before), 250);
      expect(rigged.calls).toBe(before + 1);
    }
    const fault = 'No answer within 250 ms.';
    expect(reports).toEqual([fault, fault, fault, 'outage']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not down when it answers later than its caller waits', async () => {
    const rigged = rig(after(300));
    const { reports, askFor } = rigged.caller();
    for (let time = 0; time < 10; time += 1) expect(await askFor(300, 250)).toBeUndefined();
    expect(await askFor(300)).toBe('v');
    expect([rigged.calls, reports.includes('outage')]).toEqual([11, false]);
  });

  it('is down all the same when it takes more than 2 s; its answer heals nothing', async () => {
    const { reports, askFor } = rig(after(3500)).caller();
    for (const before of [0, 1, 2]) expect(await askFor(outageMs + restMs(before))).toBeUndefined();
    expect(reports.at(-1)).toBe('outage');
  });

  it('was in time where the event loop stood still', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const reading = rig(() => promise)
      .caller()
      .ask();
    // All timers that are due fire before anything is read from a socket.
    vi.runOnlyPendingTimers();
    resolve('late');
    expect(await reading).toBe('late');
  });
});
