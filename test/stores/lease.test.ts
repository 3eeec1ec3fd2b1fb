import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeLease, type Lease, type LeaseStore } from '../../src/stores/lease.ts';
import { storeOver, type SharedMap } from './shared-map.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

/** A store over what is shared, and what it is to say instead. */
function setUp(): { readonly entries: SharedMap; readonly store: LeaseStore } {
  const entries: SharedMap = new Map();
  const { get, set, delete: remove } = storeOver(entries);
  return {
    entries,
    store: {
      get: async (key) => ({ known: true, value: (await get(key)) ?? undefined }),
      set: async (key, value, options) => ((await set(key, value, options)) ? 'written' : 'taken'),
      delete: async (key) => remove(key).then(() => true),
    },
  };
}

async function held(store: LeaseStore): Promise<Lease> {
  const lease = await takeLease(store, 'k');
  if (lease === 'taken') throw new Error('expected a lease');
  return lease;
}

describe('takeLease', () => {
  it('is for one at a time, and for the next when it is released', async () => {
    const { store, entries } = setUp();
    const lease = await held(store);
    expect(await takeLease(store, 'k')).toBe('taken');
    await lease.release();
    expect(entries.size).toBe(0);
    const next = await held(store);
    await next.release();
  });

  it('is renewed for as long as the work takes', async () => {
    const { store, entries } = setUp();
    const lease = await held(store);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await takeLease(store, 'k')).toBe('taken');
    await lease.release();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(entries.size).toBe(0);
  });

  it('ends ten seconds after its holder has died', async () => {
    const { store, entries } = setUp();
    const dead = await held({ ...store, get: () => new Promise(() => {}) });
    await vi.advanceTimersByTimeAsync(9999);
    expect(await takeLease(store, 'k')).toBe('taken');
    await vi.advanceTimersByTimeAsync(1);
    const next = await held(store);
    const value = entries.get('k')?.value;
    void dead.release();
    expect(entries.get('k')?.value).toBe(value);
    await next.release();
  });

  it('is not taken back, nor released, once somebody else has it', async () => {
    const { store, entries } = setUp();
    const lease = await held(store);
    entries.set('k', { value: 'theirs', expiresAt: Infinity });
    await vi.advanceTimersByTimeAsync(60_000);
    await lease.release();
    expect(entries.get('k')?.value).toBe('theirs');
  });

  it('is taken again when the store has forgotten it', async () => {
    const { store, entries } = setUp();
    const lease = await held(store);
    entries.clear();
    await vi.advanceTimersByTimeAsync(4000);
    expect(await takeLease(store, 'k')).toBe('taken');
    await lease.release();
  });

  it('survives a store that does not answer for a while', async () => {
    const { store } = setUp();
    let isDown = false;
    const lease = await held({
      ...store,
      get: async (key, wait) => (isDown ? { known: false } : store.get(key, wait)),
    });
    isDown = true;
    await vi.advanceTimersByTimeAsync(4000);
    isDown = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await takeLease(store, 'k')).toBe('taken');
    await lease.release();
  });

  it('is none where the store does not answer, and is removed if it was written after all', async () => {
    const { store, entries } = setUp();
    const lease = await held({
      ...store,
      set: async (key, value, options) => {
        await store.set(key, value, options);
        return 'failed';
      },
    });
    expect(vi.getTimerCount()).toBe(0);
    await lease.release();
    expect(entries.size).toBe(0);
  });
});
