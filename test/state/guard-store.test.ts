import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { guardStore, storePauseMs, storeTimeoutMs } from '../../src/state/guard-store.ts';
import type { SummaryStore } from '../../src/state/summary-store.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';

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

  it('waits 250 ms for a store that does not answer', async () => {
    const faults: unknown[] = [];
    const guarded = guardStore(storeThat(() => never).store)((error) => faults.push(error));
    let read: unknown = 'waiting';
    const reading = guarded.get('k').then((value) => (read = value));
    await vi.advanceTimersByTimeAsync(storeTimeoutMs - 1);
    expect(read).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
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
});
