import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { guardStore, storePauseMs, storeTimeoutMs } from '../../src/stores/guard-store.ts';
import type { SummaryStore } from '../../src/stores/summary-store.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { untyped } from '../support/untyped.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const broken = new Error('down');
const never = new Promise<never>(() => {});

/** A store whose every operation does the same. */
function storeThat(work: () => Promise<never>): { store: SummaryStore; calls: () => number } {
  let calls = 0;
  const operation = (): Promise<never> => {
    calls += 1;
    return work();
  };
  return { store: { get: operation, set: operation, delete: operation }, calls: () => calls };
}

const faulty = {
  rejects: () => Promise.reject(broken),
  throws: (): Promise<never> => {
    throw broken;
  },
};

describe('guardStore', () => {
  it('passes operations and results on', async () => {
    const guarded = guardStore(memoryStore())(() => expect.unreachable());
    expect(await guarded.set('k', 'v', { ifAbsent: true })).toBe(true);
    expect(await guarded.set('k', 'w', { ifAbsent: true })).toBe(false);
    expect(await guarded.get('k')).toBe('v');
    await guarded.delete('k');
    expect(await guarded.get('k')).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(Object.entries(faulty))(
    'reports a store that %s and goes on without it',
    async (_name, work) => {
      const faults: unknown[] = [];
      const guarded = guardStore(storeThat(work).store)((error) => faults.push(error));
      expect(await guarded.get('k')).toBeUndefined();
      expect(await guarded.set('k', 'v')).toBe(false);
      expect(faults).toEqual([broken, broken]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it.each(Object.entries(faulty))(
    'reports a store of this process that %s and goes on without it',
    async (_name, work) => {
      const faults: unknown[] = [];
      const store = { ...storeThat(work).store, isLocal: true };
      const guarded = guardStore(store)((error) => faults.push(error));
      expect(await guarded.get('k')).toBeUndefined();
      expect(faults).toEqual([broken]);
    },
  );

  it('does not wait for a store that says it is of this process, but does not answer at once', async () => {
    const faults: unknown[] = [];
    const store = { ...memoryStore(), isLocal: true, get: () => never };
    const value = guardStore(store)((error) => faults.push(error)).get('k');
    await vi.advanceTimersByTimeAsync(storeTimeoutMs);
    expect(await value).toBeUndefined();
    expect(faults).toEqual([expect.objectContaining({ name: 'TimeoutError' })]);
  });

  it.each([
    ['says that it is', () => true, true],
    ['says that it is not', () => false, false],
    ['does not say', undefined, false],
    ['answers later', () => untyped<boolean>(Promise.resolve(true)), false],
  ])('takes a store for empty if it %s', (_name, isEmpty, expected) => {
    const guarded = guardStore({ ...memoryStore(), isEmpty })(() => expect.unreachable());
    expect(guarded.isEmpty?.()).toBe(expected);
  });

  it('reports a store that throws when it is asked whether it is empty, and asks it', () => {
    const faults: unknown[] = [];
    const isEmpty = (): never => {
      throw broken;
    };
    const guarded = guardStore({ ...memoryStore(), isEmpty })((error) => faults.push(error));
    expect(guarded.isEmpty?.()).toBe(false);
    expect(faults).toEqual([broken]);
  });

  it('waits 250 ms for a store that does not answer', async () => {
    const faults: unknown[] = [];
    const guarded = guardStore(storeThat(() => never).store)((error) => faults.push(error));
    let read: unknown = 'waiting';
    const reading = guarded.get('k').then((value) => (read = value));
    await vi.advanceTimersByTimeAsync(storeTimeoutMs - 1);
    expect(read).toBe('waiting');
    await vi.advanceTimersByTimeAsync(2);
    await reading;
    expect(read).toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it('leaves a store alone for a minute after three faults in a row', async () => {
    const { store, calls } = storeThat(faulty.rejects);
    const guarded = guardStore(store)(() => {});
    await guarded.get('a');
    await guarded.set('a', 'b');
    await guarded.delete('a');
    await guarded.get('a');
    expect(calls()).toBe(3);
    await vi.advanceTimersByTimeAsync(storePauseMs - 1);
    await guarded.get('a');
    expect(calls()).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    await guarded.get('a');
    expect(calls()).toBe(4);
  });

  it('forgets faults after a success', async () => {
    const inner = memoryStore();
    let fails = true;
    const store: SummaryStore = {
      ...inner,
      get: (key) => (fails ? Promise.reject(broken) : inner.get(key)),
    };
    const faults: unknown[] = [];
    const guarded = guardStore(store)((error) => faults.push(error));
    await guarded.get('a');
    await guarded.get('a');
    fails = false;
    await guarded.get('a');
    fails = true;
    await guarded.get('a');
    await guarded.get('a');
    expect(faults).toHaveLength(4);
    fails = false;
    await inner.set('a', 'b');
    expect(await guarded.get('a')).toBe('b');
  });

  it('counts the faults of all callers, and reports each to its own', async () => {
    const { store, calls } = storeThat(faulty.rejects);
    const guard = guardStore(store);
    const seen: string[] = [];
    await guard(() => seen.push('first')).get('a');
    await guard(() => seen.push('second')).get('a');
    await guard(() => seen.push('third')).get('a');
    await guard(() => seen.push('fourth')).get('a');
    expect(calls()).toBe(3);
    expect(seen).toEqual(['first', 'second', 'third']);
  });

  it.each([
    ['null', null],
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
  ])('takes %s for a miss', async (_kind, value) => {
    const store = { ...memoryStore(), get: () => Promise.resolve(untyped<string>(value)) };
    const guarded = guardStore(store)(() => expect.unreachable());
    expect(await guarded.get('k')).toBeUndefined();
  });

  it('counts the faults of one moment once', async () => {
    const { store, calls } = storeThat(() => never);
    const guarded = guardStore(store)(() => {});
    const readThree = async (): Promise<void> => {
      const reading = Promise.all(['a', 'b', 'c'].map(guarded.get));
      await vi.advanceTimersByTimeAsync(storeTimeoutMs + 1);
      await reading;
    };
    await readThree();
    await readThree();
    expect(calls()).toBe(6);
    await readThree();
    expect(calls()).toBe(9);
    await guarded.get('a');
    expect(calls()).toBe(9);
  });

  it('reads an answer that came while the event loop stood still', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const store = { ...memoryStore(), get: () => promise };
    const reading = guardStore(store)(() => expect.unreachable()).get('k');
    // All timers that are due fire before anything is read from a socket.
    vi.runOnlyPendingTimers();
    resolve('late');
    expect(await reading).toBe('late');
  });
});
