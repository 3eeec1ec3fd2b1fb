import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  firstRestMs,
  guardedStore,
  longestRestMs,
  outageMs,
  sealedStore,
  type GuardedStore,
  type StoreReport,
  type StoreWait,
} from '../../../src/stores/sealed-store.ts';
import { memoryStore, type CompareAndSet, type SummaryStore } from '../../../src/index.ts';
import type { StoreKeys } from '../../../src/stores/store-keys.ts';
import { untyped } from '../../support/untyped.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const timeoutMs = outageMs;
const broken = new Error('down');
const never = new Promise<never>(() => {});

/** A store whose every operation does the same, whatever `work` is by then. */
function storeThat(work: () => Promise<never>) {
  const rig = { work, calls: 0 };
  const operation = (): Promise<never> => {
    rig.calls += 1;
    return rig.work();
  };
  const store: SummaryStore = { get: operation, compareAndSet: operation, delete: operation };
  return { rig, store };
}

/** A guarded store and all that is reported of it, in words. */
function guarded(store: SummaryStore): { guard: GuardedStore; reports: string[] } {
  const reports: string[] = [];
  const guard = guardedStore(store)({
    onFault: (error) => reports.push(nameOf(error)),
    onOutage: () => reports.push('outage'),
    onRecovery: () => reports.push('recovery'),
  });
  return { guard, reports };
}

/** Keys that seal nothing. */
const openKeys: StoreKeys = {
  key: async (...fields) => fields.join(' '),
  seal: async (_key, text) => text,
  open: async () => undefined,
};

/** What is done with a guarded store. */
function on(guard: GuardedStore) {
  return {
    get: async (key: string, wait: StoreWait) => {
      const { known, raw } = await sealedStore(guard, openKeys, wait).read(key);
      return known ? { known, value: raw } : { known };
    },
    compareAndSet: async (key: string, entry: CompareAndSet, wait: StoreWait) => {
      const { value, expected, ttlMs = 60_000 } = entry;
      const sealed = sealedStore(guard, openKeys, wait);
      return (await sealed.write(key, value, { expected, ttlMs })).outcome;
    },
    delete: async (key: string, wait: StoreWait) => sealedStore(guard, openKeys, wait).remove(key),
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const unreachable: StoreReport = { onFault: () => expect.unreachable() };

async function read(guard: GuardedStore): Promise<void> {
  await on(guard).get('k', { timeoutMs });
}

/** Reads and finds it failing, so many times, each as soon as the store may be asked again. */
async function failTimes(guard: GuardedStore, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await read(guard);
    await vi.advanceTimersByTimeAsync(restMs(time));
  }
}

/** Milliseconds a store rests after a failure and so many before it. */
function restMs(before: number): number {
  return Math.min(firstRestMs * 2 ** before, longestRestMs);
}

const faulty = {
  rejects: () => Promise.reject(broken),
  throws: (): Promise<never> => {
    throw broken;
  },
};

describe('guardedStore', () => {
  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a number', 7],
    ['bytes', new TextEncoder().encode('{}')],
    ['an object', { toString: () => '{}' }],
    [
      'an object whose getters throw',
      {
        get length(): number {
          throw broken;
        },
      },
    ],
  ])('takes %s for nothing', async (_kind, value) => {
    const store = { ...memoryStore(), get: () => Promise.resolve(untyped<string>(value)) };
    expect(await on(guardedStore(store)(unreachable)).get('k', { timeoutMs })).toEqual({
      known: true,
      value: undefined,
    });
  });

  it.each([undefined, null, 'OK', new Map(), 1])(
    'looks for itself where a write is answered with %o',
    async (value) => {
      const memory = memoryStore();
      const entry = { expected: undefined, value: 'v' };
      for (const [isWriting, outcome] of [
        [false, 'taken'],
        [true, 'written'],
      ] as const) {
        const store = {
          ...memory,
          compareAndSet: async (key: string, given: CompareAndSet) => {
            if (isWriting) await memory.compareAndSet(key, given);
            return untyped<boolean>(value);
          },
        };
        const { guard, reports } = guarded(store);
        expect(await on(guard).compareAndSet('k', entry, { timeoutMs })).toBe(outcome);
        expect(reports).toEqual([]);
      }
    },
  );
});

describe('a store that fails', () => {
  it.each([
    ['rejects', faulty.rejects, false],
    ['throws', faulty.throws, false],
    ['of this process rejects', faulty.rejects, true],
    ['of this process throws', faulty.throws, true],
  ])('is reported, and nothing breaks: one that %s', async (_name, work, isLocal) => {
    const { guard, reports } = guarded({ ...storeThat(work).store, isLocal });
    expect(await on(guard).get('k', { timeoutMs })).toEqual({ known: false });
    await vi.advanceTimersByTimeAsync(restMs(0));
    expect(
      await on(guard).compareAndSet('k', { expected: undefined, value: 'v' }, { timeoutMs }),
    ).toBe('failed');
    await vi.advanceTimersByTimeAsync(restMs(1));
    expect(await on(guard).delete('k', { timeoutMs })).toBe(false);
    expect(reports).toEqual(['down', 'down', 'down', 'outage']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('breaks nothing when those break that hear of it', async () => {
    const throwing = (): never => {
      throw broken;
    };
    const { store } = storeThat(faulty.rejects);
    const guard = guardedStore(store)({ onFault: throwing, onOutage: throwing });
    await failTimes(guard, 4);
    expect(await on(guard).get('k', { timeoutMs })).toEqual({ known: false });
  });

  it('is left alone for a second, doubling to a minute; three failures in a row are an outage', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded(store);
    for (let failures = 0; failures < 9; failures += 1) {
      await read(guard);
      await vi.advanceTimersByTimeAsync(restMs(failures) - 1);
      await read(guard);
      expect(rig.calls).toBe(failures + 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(restMs(8)).toBe(60_000);
    const downs = Array.from({ length: 6 }, () => 'down');
    expect(reports).toEqual(['down', 'down', 'down', 'outage', ...downs]);
  });

  it('is asked all the same where money hangs on it, in its first seconds', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded(store);
    const ask = async () => on(guard).get('k', { timeoutMs, isUrgent: true });
    await read(guard);
    for (let time = 0; time < 4; time += 1) await ask();
    expect(rig.calls).toBe(5);
    // What was asked too early makes no rest longer.
    await vi.advanceTimersByTimeAsync(restMs(0));
    await read(guard);
    await ask();
    expect(rig.calls).toBe(7);
    await vi.advanceTimersByTimeAsync(restMs(1));
    await read(guard);
    expect(reports.at(-1)).toBe('outage');
    await ask();
    expect(rig.calls).toBe(8);
  });

  it('has its faults counted for all callers, and each told to its own', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const callers = Array.from({ length: 3 }, () => guarded(store));
    for (const [index, { guard }] of callers.entries()) {
      await read(guard);
      await vi.advanceTimersByTimeAsync(restMs(index) - 1);
      await read(guard);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(rig.calls).toBe(3);
    expect(callers.map(({ reports }) => reports)).toEqual([['down'], ['down'], ['down', 'outage']]);
  });

  it('has the faults of one moment counted once', async () => {
    const { rig, store } = storeThat(() => never);
    const { guard, reports } = guarded(store);
    for (let moment = 0; moment < 3; moment += 1) {
      const reading = Promise.all(['a', 'b', 'c'].map((key) => on(guard).get(key, { timeoutMs })));
      await vi.advanceTimersByTimeAsync(timeoutMs);
      await reading;
      expect(rig.calls).toBe(3 * (moment + 1));
      await read(guard);
      expect(rig.calls).toBe(3 * (moment + 1));
      await vi.advanceTimersByTimeAsync(restMs(moment));
    }
    expect(reports.filter((report) => report === 'outage')).toHaveLength(1);
  });
});

describe('a store that was left alone', () => {
  async function restedStore() {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded(store);
    await failTimes(guard, 3);
    reports.length = 0;
    rig.calls = 0;
    return { rig, guard, reports };
  }

  it('is back with the first success, which is told once', async () => {
    const { rig, guard, reports } = await restedStore();
    rig.work = untyped(async () => 'v');
    const reading = Array.from({ length: 5 }, () => on(guard).get('k', { timeoutMs }));
    for (const answer of await Promise.all(reading))
      expect(answer).toEqual({ known: true, value: 'v' });
    expect(reports).toEqual(['recovery']);
    rig.work = faulty.rejects;
    await read(guard);
    await vi.advanceTimersByTimeAsync(restMs(0));
    rig.work = untyped(async () => 'v');
    expect(await on(guard).get('k', { timeoutMs })).toEqual({ known: true, value: 'v' });
  });

  it.each([
    ['a fault', faulty.rejects, 'down'],
    ['silence', () => never, `No answer within ${timeoutMs} ms.`],
  ])(
    'is left alone for twice as long after %s, without being told again',
    async (_what, work, fault) => {
      const { rig, guard, reports } = await restedStore();
      rig.work = work;
      const asking = read(guard);
      await vi.advanceTimersByTimeAsync(timeoutMs);
      await asking;
      await vi.advanceTimersByTimeAsync(restMs(3) - timeoutMs - 1);
      await read(guard);
      expect([rig.calls, reports]).toEqual([1, [fault]]);
      rig.work = untyped(async () => 'v');
      await vi.advanceTimersByTimeAsync(timeoutMs + 1);
      await read(guard);
      expect([rig.calls, reports]).toEqual([2, [fault, 'recovery']]);
    },
  );

  it('rests no longer for a fault of what was asked before it was known', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { promise, reject } = Promise.withResolvers<string>();
    const { guard } = guarded(store);
    rig.work = untyped(() => promise);
    const early = on(guard).get('k', { timeoutMs });
    rig.work = faulty.rejects;
    await read(guard);
    await vi.advanceTimersByTimeAsync(restMs(0) - 1);
    reject(broken);
    await early;
    await vi.advanceTimersByTimeAsync(1);
    await read(guard);
    expect(rig.calls).toBe(3);
  });
});

describe('a store that is silent', () => {
  it.each([250, 2000, 5000])('is waited for as long as the caller says: %s ms', async (limit) => {
    const { guard, reports } = guarded(storeThat(() => never).store);
    let answer: unknown;
    let write: string | undefined;
    void on(guard)
      .get('k', { timeoutMs: limit })
      .then((given) => (answer = given));
    void on(guard)
      .compareAndSet('k', { expected: undefined, value: 'v' }, { timeoutMs: limit })
      .then((given) => (write = given));
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect([answer, write, reports]).toEqual([undefined, undefined, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([answer, write]).toEqual([{ known: false }, 'failed']);
    expect(reports).toEqual([1, 2].map(() => `No answer within ${limit} ms.`));
    await vi.advanceTimersByTimeAsync(outageMs);
    expect(vi.getTimerCount()).toBe(0);
    expect(reports).toHaveLength(2);
  });

  it('is down after 2 s, however briefly its callers wait', async () => {
    const { rig, store } = storeThat(() => never);
    const { guard, reports } = guarded(store);
    for (let failures = 0; failures < 3; failures += 1) {
      expect(reports).not.toContain('outage');
      const answer = on(guard).get('k', { timeoutMs: 250 });
      await vi.advanceTimersByTimeAsync(250);
      expect(await answer).toEqual({ known: false });
      await vi.advanceTimersByTimeAsync(outageMs - 250);
      await on(guard).get('k', { timeoutMs: 250 });
      expect(rig.calls).toBe(failures + 1);
      await vi.advanceTimersByTimeAsync(restMs(failures));
    }
    expect(reports.at(-1)).toBe('outage');
  });
});

describe('a store that is slow', () => {
  /** A store that answers each `get` after a time. */
  function slowStore(ms: number): { rig: { calls: number }; store: SummaryStore } {
    const rig = { calls: 0 };
    const get = (): Promise<string> => {
      rig.calls += 1;
      const { promise, resolve } = Promise.withResolvers<string>();
      setTimeout(resolve, ms, 'v');
      return promise;
    };
    return { rig, store: { ...memoryStore(), get } };
  }

  it('is not down when it answers later than its caller waits', async () => {
    const { rig, store } = slowStore(300);
    const { guard, reports } = guarded(store);
    for (let time = 0; time < 10; time += 1) {
      const answer = on(guard).get('k', { timeoutMs: 250 });
      await vi.advanceTimersByTimeAsync(250);
      expect(await answer).toEqual({ known: false });
      await vi.advanceTimersByTimeAsync(50);
    }
    const patient = on(guard).get('k', { timeoutMs });
    await vi.advanceTimersByTimeAsync(300);
    expect(await patient).toEqual({ known: true, value: 'v' });
    expect(rig.calls).toBe(11);
    expect(reports).not.toContain('outage');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is down all the same when it takes more than 2 s; its answer heals nothing', async () => {
    const { rig, store } = slowStore(3500);
    const { guard, reports } = guarded(store);
    for (let failures = 0; failures < 3; failures += 1) {
      const answer = on(guard).get('k', { timeoutMs });
      await vi.advanceTimersByTimeAsync(timeoutMs);
      expect(await answer).toEqual({ known: false });
      await vi.advanceTimersByTimeAsync(restMs(failures));
    }
    expect(reports.at(-1)).toBe('outage');
    expect(rig.calls).toBe(3);
    expect(reports).not.toContain('recovery');
  });

  it('was in time where the event loop stood still', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const store = { ...memoryStore(), get: () => promise };
    const reading = on(guardedStore(store)(unreachable)).get('k', { timeoutMs });
    // All timers that are due fire before anything is read from a socket.
    vi.runOnlyPendingTimers();
    resolve('late');
    expect(await reading).toEqual({ known: true, value: 'late' });
  });
});
