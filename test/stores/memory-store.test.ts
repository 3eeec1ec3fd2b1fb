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
    const held = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.get(key)));
    expect(held.map((value) => value !== undefined)).toEqual([true, false, true, true]);
  });

  it('lets no namespace push out another, by the first 16 characters of its keys', async () => {
    const store = memoryStore({ maxBytes: 100 * 2 * 64 });
    const key = (namespace: string, index: number): string =>
      namespace.repeat(16) + String(index).padStart(24, '0');
    const value = 'x'.repeat(24);
    const write = async (namespace: string, count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) await put(store, key(namespace, index), value);
    };
    await write('a', 20);
    await write('b', 10);
    await write('f', 5000);
    const held = async (namespace: string, from: number, to: number): Promise<number> => {
      let count = 0;
      for (let index = from; index < to; index += 1)
        if ((await store.get(key(namespace, index))) === value) count += 1;
      return count;
    };
    expect([await held('a', 0, 20), await held('b', 0, 10)]).toEqual([20, 10]);
    expect(await held('f', 4930, 5000)).toBe(70);
  });

  it('does not give everything up for an entry that is larger than all its room', async () => {
    const store = memoryStore({ maxBytes: 100 });
    await put(store, 'small', 'v');
    await put(store, 'huge', 'x'.repeat(1000));
    expect(await store.get('huge')).toBeUndefined();
    expect(await store.get('small')).toBe('v');
  });
});
