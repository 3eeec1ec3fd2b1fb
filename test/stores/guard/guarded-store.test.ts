import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  guardedStore,
  type GuardedStore,
  type StoreAnswer,
  type StoreReport,
} from '../../../src/stores/guard/guarded-store.ts';
import { memoryStore } from '../../../src/stores/memory-store.ts';
import { maxInDoubt, maxInFlight, storePauseMs } from '../../../src/stores/guard/store-breaker.ts';
import type { SummaryStore } from '../../../src/stores/summary-store.ts';
import { outageMs } from '../../../src/stores/guard/watch-operation.ts';
import { untyped } from '../../support/untyped.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
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
  const store: SummaryStore = { get: operation, set: operation, delete: operation };
  return { rig, store };
}

/** A guarded store and all that is reported of it, in words. */
function guarded(store: SummaryStore): { guard: GuardedStore; reports: string[] } {
  const reports: string[] = [];
  const guard = guardedStore(store)({
    onFault: (error, operation) => reports.push(`${operation}: ${nameOf(error)}`),
    onOutage: (of) => reports.push(`outage of ${of}`),
    onRecovery: (of) => reports.push(`recovery of ${of}`),
  });
  return { guard, reports };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const unreachable: StoreReport = { onFault: () => expect.unreachable() };

async function readTimes(guard: GuardedStore, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await guard.get('k', { timeoutMs });
}

const faulty = {
  rejects: () => Promise.reject(broken),
  throws: (): Promise<never> => {
    throw broken;
  },
};

describe('guardedStore', () => {
  it('passes operations and results on', async () => {
    const guard = guardedStore(memoryStore())(unreachable);
    expect(await guard.set('k', 'v', { timeoutMs, ifAbsent: true })).toBe('written');
    expect(await guard.set('k', 'w', { timeoutMs, ifAbsent: true })).toBe('taken');
    expect(await guard.get('k', { timeoutMs })).toEqual({ known: true, value: 'v' });
    expect(await guard.delete('k', { timeoutMs })).toBe(true);
    expect(await guard.get('k', { timeoutMs })).toEqual({ known: true, value: undefined });
    expect(guard.isLocal).toBe(true);
  });

  it('hands the store the options that are its own', async () => {
    const options: unknown[] = [];
    const store: SummaryStore = {
      ...memoryStore(),
      set: async (_key, _value, given) => {
        options.push(given);
        return true;
      },
    };
    await guardedStore(store)(unreachable).set('k', 'v', { timeoutMs, ifAbsent: true, ttlMs: 7 });
    expect(options).toEqual([{ ifAbsent: true, ttlMs: 7 }]);
  });

  it('is the same guard for the same store', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    expect(guardedStore(store)).toBe(guardedStore(store));
    for (let time = 0; time < 5; time += 1) await readTimes(guarded(store).guard, 1);
    expect(rig.calls).toBe(3);
    await guardedStore(storeThat(faulty.rejects).store)({
      onFault: (error) => expect(error).toBe(broken),
    }).get('k', { timeoutMs });
    expect.assertions(3);
  });

  it.each([
    ['says that it is', () => true, true],
    ['says that it is not', () => false, false],
    ['does not say', undefined, false],
    ['answers later', () => untyped<boolean>(Promise.resolve(true)), false],
  ])('takes a store for empty if it %s', (_name, isEmpty, expected) => {
    const guard = guardedStore({ ...memoryStore(), isEmpty })(unreachable);
    expect(guard.isEmpty()).toBe(expected);
  });

  it('reports a store that throws when it is asked whether it is empty, and takes it for not', () => {
    const isEmpty = (): never => {
      throw broken;
    };
    const { guard, reports } = guarded({ ...memoryStore(), isEmpty });
    expect(guard.isEmpty()).toBe(false);
    expect(reports).toEqual(['get: down']);
  });

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
    expect(await guardedStore(store)(unreachable).get('k', { timeoutMs })).toEqual({
      known: true,
      value: undefined,
    });
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['string', 'OK'],
    ['object', new Map()],
    ['number', 1],
  ])('believes no write that is answered with %s, and says so once', async (kind, value) => {
    const store = { ...memoryStore(), set: () => Promise.resolve(untyped<boolean>(value)) };
    const { guard, reports } = guarded(store);
    for (let time = 0; time < 5; time += 1)
      expect(await guard.set('k', 'v', { timeoutMs, ifAbsent: true })).toBe('failed');
    expect(reports).toEqual([
      `set: The store's set must resolve to a boolean: true if the value was written; it resolved to ${kind}.`,
    ]);
  });

  it('takes `false` for a key that was taken only where that was asked', async () => {
    const store = { ...memoryStore(), set: () => Promise.resolve(false) };
    const guard = guardedStore(store)(unreachable);
    expect(await guard.set('k', 'v', { timeoutMs })).toBe('failed');
    expect(await guard.set('k', 'v', { timeoutMs, ifAbsent: false })).toBe('failed');
    expect(await guard.set('k', 'v', { timeoutMs, ifAbsent: true })).toBe('taken');
  });
});

describe('a store that fails', () => {
  it.each([
    ['rejects', faulty.rejects, false],
    ['throws', faulty.throws, false],
    ['of this process rejects', faulty.rejects, true],
    ['of this process throws', faulty.throws, true],
  ])('is reported, and nothing breaks: one that %s', async (_name, work, isLocal) => {
    const { guard, reports } = guarded({ ...storeThat(work).store, isLocal });
    expect(await guard.get('k', { timeoutMs })).toEqual({ known: false });
    expect(await guard.set('k', 'v', { timeoutMs })).toBe('failed');
    expect(await guard.delete('k', { timeoutMs })).toBe(false);
    expect(reports).toEqual(['get: down', 'set: down', 'delete: down']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('breaks nothing when those break that hear of it', async () => {
    const throwing = (): never => {
      throw broken;
    };
    const { store } = storeThat(faulty.rejects);
    const guard = guardedStore(store)({ onFault: throwing, onOutage: throwing });
    await readTimes(guard, 4);
    expect(await guard.get('k', { timeoutMs })).toEqual({ known: false });
  });

  it('is left alone for a minute after three faults in a row, told once', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded(store);
    await readTimes(guard, 10);
    expect(rig.calls).toBe(3);
    expect(reports).toEqual(['get: down', 'get: down', 'get: down', 'outage of reads']);
    await vi.advanceTimersByTimeAsync(storePauseMs - 1);
    await readTimes(guard, 1);
    expect(rig.calls).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    await readTimes(guard, 1);
    expect(rig.calls).toBe(4);
  });

  it('is left alone for reads and for writes apart; deleting is writing', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded({ ...store, get: async () => 'v' });
    await guard.set('k', 'v', { timeoutMs });
    await guard.delete('k', { timeoutMs });
    await guard.set('k', 'v', { timeoutMs });
    await guard.delete('k', { timeoutMs });
    expect(rig.calls).toBe(3);
    expect(reports.at(-1)).toBe('outage of writes');
    expect(await guard.get('k', { timeoutMs })).toEqual({ known: true, value: 'v' });
  });

  it('is forgiven after a success', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded(store);
    await readTimes(guard, 2);
    rig.work = untyped(async () => 'v');
    await readTimes(guard, 1);
    rig.work = faulty.rejects;
    await readTimes(guard, 2);
    rig.work = untyped(async () => 'v');
    expect(await guard.get('k', { timeoutMs })).toEqual({ known: true, value: 'v' });
    expect(reports).toEqual(Array.from({ length: 4 }, () => 'get: down'));
  });

  it('has its faults counted for all callers, and each told to its own', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const callers = Array.from({ length: 4 }, () => guarded(store));
    for (const { guard } of callers) await readTimes(guard, 1);
    expect(rig.calls).toBe(3);
    expect(callers.map(({ reports }) => reports)).toEqual([
      ['get: down'],
      ['get: down'],
      ['get: down', 'outage of reads'],
      [],
    ]);
  });

  it('has the faults of one moment counted once', async () => {
    const { rig, store } = storeThat(() => never);
    const { guard, reports } = guarded(store);
    const readThree = async (): Promise<void> => {
      const reading = Promise.all(['a', 'b', 'c'].map((key) => guard.get(key, { timeoutMs })));
      await vi.advanceTimersByTimeAsync(timeoutMs);
      await reading;
    };
    await readThree();
    await readThree();
    expect(rig.calls).toBe(6);
    await readThree();
    expect(rig.calls).toBe(9);
    await readTimes(guard, 1);
    expect(rig.calls).toBe(9);
    expect(reports.filter((report) => report === 'outage of reads')).toHaveLength(1);
  });
});

describe('a store that was left alone', () => {
  async function pausedStore() {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded(store);
    await readTimes(guard, 3);
    await vi.advanceTimersByTimeAsync(storePauseMs);
    reports.length = 0;
    rig.calls = 0;
    return { rig, guard, reports };
  }

  it('is probed by one operation, whose success says that it is back', async () => {
    const { rig, guard, reports } = await pausedStore();
    const { promise, resolve } = Promise.withResolvers<string>();
    rig.work = untyped(() => promise);
    const reading = Promise.all(Array.from({ length: 5 }, () => guard.get('k', { timeoutMs })));
    await vi.advanceTimersByTimeAsync(100);
    await readTimes(guard, 1);
    expect(rig.calls).toBe(1);
    resolve('v');
    expect(await reading).toEqual([
      { known: true, value: 'v' },
      ...Array.from({ length: 4 }, () => ({ known: false })),
    ]);
    expect(reports).toEqual(['recovery of reads']);
  });

  it('is left alone again only after three more faults', async () => {
    const { rig, guard, reports } = await pausedStore();
    rig.work = untyped(async () => 'v');
    await readTimes(guard, 1);
    rig.work = faulty.rejects;
    await readTimes(guard, 2);
    expect(reports).toEqual(['recovery of reads', 'get: down', 'get: down']);
    await readTimes(guard, 3);
    expect(rig.calls).toBe(4);
    expect(reports.slice(3)).toEqual(['get: down', 'outage of reads']);
  });

  it.each([
    ['a fault', faulty.rejects, 'get: down'],
    ['silence', () => never, `get: No answer within ${timeoutMs} ms.`],
  ])(
    'is left alone for another minute after %s, without being told again',
    async (_what, work, fault) => {
      const { rig, guard, reports } = await pausedStore();
      rig.work = work;
      const probing = guard.get('k', { timeoutMs });
      await vi.advanceTimersByTimeAsync(timeoutMs);
      await probing;
      await vi.advanceTimersByTimeAsync(storePauseMs - timeoutMs - 1);
      await readTimes(guard, 1);
      expect([rig.calls, reports]).toEqual([1, [fault]]);
      rig.work = untyped(async () => 'v');
      await vi.advanceTimersByTimeAsync(timeoutMs + 1);
      await readTimes(guard, 1);
      expect([rig.calls, reports]).toEqual([2, [fault, 'recovery of reads']]);
    },
  );

  it('is not back because of an answer to what was asked before', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { promise, resolve } = Promise.withResolvers<string>();
    const { guard, reports } = guarded(store);
    rig.work = untyped(() => promise);
    const early = guard.get('k', { timeoutMs });
    rig.work = faulty.rejects;
    await readTimes(guard, 3);
    resolve('v');
    expect(await early).toEqual({ known: true, value: 'v' });
    await readTimes(guard, 1);
    expect(rig.calls).toBe(4);
    expect(reports.at(-1)).toBe('outage of reads');
  });
});

describe('a store that is silent', () => {
  it.each([250, 2000, 5000])('is waited for as long as the caller says: %s ms', async (limit) => {
    const { guard, reports } = guarded(storeThat(() => never).store);
    let answer: StoreAnswer | undefined;
    let write: string | undefined;
    void guard.get('k', { timeoutMs: limit }).then((given) => (answer = given));
    void guard.set('k', 'v', { timeoutMs: limit }).then((given) => (write = given));
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect([answer, write, reports]).toEqual([undefined, undefined, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([answer, write]).toEqual([{ known: false }, 'failed']);
    expect(reports).toEqual(
      ['get', 'set'].map((operation) => `${operation}: No answer within ${limit} ms.`),
    );
    await vi.advanceTimersByTimeAsync(outageMs);
    expect(vi.getTimerCount()).toBe(0);
    expect(reports).toHaveLength(2);
  });

  it('is not waited for although it says that it is of this process', async () => {
    const { guard, reports } = guarded({ ...storeThat(() => never).store, isLocal: true });
    const answer = guard.get('k', { timeoutMs });
    await vi.advanceTimersByTimeAsync(timeoutMs);
    expect(await answer).toEqual({ known: false });
    expect(reports).toEqual([`get: No answer within ${timeoutMs} ms.`]);
  });

  it('is down after 2 s, however briefly its callers wait', async () => {
    const { rig, store } = storeThat(() => never);
    const { guard, reports } = guarded(store);
    for (let outage = 0; outage < 3; outage += 1) {
      expect(reports).not.toContain('outage of reads');
      const answer = guard.get('k', { timeoutMs: 250 });
      await vi.advanceTimersByTimeAsync(250);
      expect(await answer).toEqual({ known: false });
      await vi.advanceTimersByTimeAsync(outageMs - 250);
    }
    expect(reports.at(-1)).toBe('outage of reads');
    await guard.get('k', { timeoutMs: 250 });
    expect(rig.calls).toBe(3);
  });

  it('has no more than so many operations in flight, fewer in doubt, none when it is left alone', async () => {
    const { rig, store } = storeThat(() => never);
    const { guard } = guarded(store);
    const begun: number[] = [];
    for (let burst = 0; burst < 4; burst += 1) {
      const before = rig.calls;
      const answers = Array.from({ length: 10_000 }, () => guard.get('k', { timeoutMs }));
      begun.push(rig.calls - before);
      await Promise.all(answers.slice(begun.at(-1)));
      expect(vi.getTimerCount()).toBe(begun.at(-1));
      await vi.advanceTimersByTimeAsync(timeoutMs);
      expect(new Set((await Promise.all(answers)).map(({ known }) => known))).toEqual(
        new Set([false]),
      );
    }
    expect(begun).toEqual([maxInFlight, maxInDoubt, maxInDoubt, 0]);
    expect(rig.calls).toBeLessThan(10_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has room for operations again once it answers', async () => {
    const { rig, store } = storeThat(() => never);
    const { guard } = guarded(store);
    const burst = Array.from({ length: maxInFlight + 1 }, () => guard.get('k', { timeoutMs }));
    await vi.advanceTimersByTimeAsync(timeoutMs);
    await Promise.all(burst);
    rig.work = untyped(async () => 'v');
    await readTimes(guard, 1);
    rig.calls = 0;
    await Promise.all(Array.from({ length: maxInFlight + 1 }, () => guard.get('k', { timeoutMs })));
    expect(rig.calls).toBe(maxInFlight);
  });
});

describe('a store of this process', () => {
  it('has no timer as long as it answers at once, however much is asked at once', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const inner = memoryStore();
    const store = { ...inner, isLocal: true, get: async (key: string) => inner.get(key) };
    const guard = guardedStore(store)(unreachable);
    await guard.set('k', 'v', { timeoutMs });
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, () => guard.get('k', { timeoutMs })),
    );
    await guard.delete('k', { timeoutMs });
    expect(answers.every(({ value }) => value === 'v')).toBe(true);
    expect(setTimer).not.toHaveBeenCalled();
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
      const answer = guard.get('k', { timeoutMs: 250 });
      await vi.advanceTimersByTimeAsync(250);
      expect(await answer).toEqual({ known: false });
      await vi.advanceTimersByTimeAsync(50);
    }
    const patient = guard.get('k', { timeoutMs });
    await vi.advanceTimersByTimeAsync(300);
    expect(await patient).toEqual({ known: true, value: 'v' });
    expect(rig.calls).toBe(11);
    expect(reports).not.toContain('outage of reads');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is back after a probe whose caller did not wait for it', async () => {
    const { rig, store } = storeThat(faulty.rejects);
    const { guard, reports } = guarded(store);
    await readTimes(guard, 3);
    await vi.advanceTimersByTimeAsync(storePauseMs);
    rig.work = untyped(slowStore(300).store.get);
    const probing = guard.get('k', { timeoutMs: 250 });
    await vi.advanceTimersByTimeAsync(300);
    expect(await probing).toEqual({ known: false });
    expect(reports.at(-1)).toBe('recovery of reads');
  });

  it('is down all the same when it takes more than 2 s; its answer heals nothing', async () => {
    const { rig, store } = slowStore(5000);
    const { guard, reports } = guarded(store);
    for (let outage = 0; outage < 3; outage += 1) {
      const answer = guard.get('k', { timeoutMs });
      await vi.advanceTimersByTimeAsync(timeoutMs);
      expect(await answer).toEqual({ known: false });
    }
    expect(reports.at(-1)).toBe('outage of reads');
    await vi.advanceTimersByTimeAsync(5000);
    await readTimes(guard, 1);
    expect(rig.calls).toBe(3);
    expect(reports).not.toContain('recovery of reads');
  });

  it('is not down for a caller who waits longer', async () => {
    const { guard, reports } = guarded(slowStore(5000).store);
    for (let time = 0; time < 4; time += 1) {
      const answer = guard.get('k', { timeoutMs: 6000 });
      await vi.advanceTimersByTimeAsync(5000);
      expect(await answer).toEqual({ known: true, value: 'v' });
    }
    expect(reports).toEqual([]);
  });

  it('has a fault told once, and none when it comes after the time', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const { guard, reports } = guarded(storeThat(() => promise).store);
    const answer = guard.get('k', { timeoutMs: 250 });
    await vi.advanceTimersByTimeAsync(250);
    await answer;
    reject(broken);
    await vi.advanceTimersByTimeAsync(outageMs);
    expect(reports).toEqual(['get: No answer within 250 ms.']);
  });

  it('was in time where the event loop stood still', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const store = { ...memoryStore(), get: () => promise };
    const reading = guardedStore(store)(unreachable).get('k', { timeoutMs });
    // All timers that are due fire before anything is read from a socket.
    vi.runOnlyPendingTimers();
    resolve('late');
    expect(await reading).toEqual({ known: true, value: 'late' });
  });
});
