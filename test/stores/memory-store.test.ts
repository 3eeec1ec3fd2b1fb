import { add, put } from '../support/put.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { describeStore } from './describe-store.ts';

afterEach(() => {
  vi.useRealTimers();
});

const everywhere = memoryStore();
describeStore('memoryStore, as every store', async () => [everywhere, everywhere]);

describe('memoryStore', () => {
  it('declares that it lives in this process, and nothing for a copy with other methods', () => {
    expect(memoryStore().isLocal).toBe(true);
    expect(Object.keys({ ...memoryStore() })).toEqual(['get', 'compareAndSet', 'delete', 'list']);
  });

  it('forgets an entry at the millisecond at which its time is up', async () => {
    vi.useFakeTimers();
    const store = memoryStore();
    await put(store, 'short', 'v', { ttlMs: 1000 });
    await put(store, 'long', 'v');
    vi.setSystemTime(Date.now() + 999);
    expect(await store.get('short')).toBe('v');
    vi.setSystemTime(Date.now() + 1);
    expect(await store.get('short')).toBeUndefined();
    expect(await store.get('long')).toBe('v');
    expect(await add(store, 'short', 'w')).toBe(true);
  });

  it('lets the entry go first that was not used for longest', async () => {
    const store = memoryStore({ maxBytes: 3 * 2 * 10 });
    for (const key of ['a', 'a', 'b', 'c']) await put(store, key, '123456789');
    await store.get('a');
    await put(store, 'd', '123456789');
    expect(await store.list?.('')).toEqual(['c', 'a', 'd']);
  });

  it('lets no namespace push out another, by the first 16 characters of its keys', async () => {
    const store = memoryStore({ maxBytes: 6 * 2 * 20 });
    const keys = (namespace: string, count: number): readonly string[] =>
      Array.from({ length: count }, (_, index) => `${namespace.repeat(16)}${index}`);
    const written = [...keys('a', 2), ...keys('b', 1), ...keys('f', 9)];
    for (const key of written) await put(store, key, 'abc');
    expect(await store.list?.('')).toEqual(written.toSpliced(3, 6));
  });

  it('does not give everything up for an entry that is larger than all its room', async () => {
    const store = memoryStore({ maxBytes: 100 });
    await put(store, 'small', 'v');
    await put(store, 'huge', 'x'.repeat(1000));
    expect(await store.list?.('')).toEqual(['small']);
  });
});
