import type { RequestListener } from 'node:http';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createStorage, prefixStorage, type Driver } from 'unstorage';
import fs from 'unstorage/drivers/fs';
import http from 'unstorage/drivers/http';
import memory from 'unstorage/drivers/memory';
import { unstorageStore } from '../../../src/state/stores/unstorage-store.ts';
import { add, put } from '../../support/put.ts';
import { removedFolder } from '../../support/removed-folder.ts';
import { startLoopbackServer } from '../../support/servers/loopback-server.ts';
import { describeStore } from '../describe-store.ts';

afterEach(() => {
  vi.useRealTimers();
});

const { folder: base, remove } = removedFolder();
afterAll(remove);

const kept = new Map<string, string>();
/** Says that all is JSON, as the driver's client then makes of it what it can. */
const answer: RequestListener = async (request, response) => {
  const key = request.url ?? '';
  const value = kept.get(key);
  if (request.method === 'PUT') kept.set(key, Buffer.concat(await request.toArray()).toString());
  if (request.method === 'DELETE') kept.delete(key);
  const isAbsent = request.method === 'GET' && value === undefined;
  response.writeHead(isAbsent ? 404 : 200, { 'content-type': 'application/json' });
  response.end(request.method === 'GET' ? value : undefined);
};
const server = await startLoopbackServer(answer);
afterAll(server.stop);

const drivers: Readonly<Record<string, Driver>> = {
  memory: memory(),
  fs: fs({ base }),
  http: http({ base: `${server.url}/kept` }),
};
for (const [name, driver] of Object.entries(drivers)) {
  const storage = createStorage({ driver });
  const open = async () =>
    [unstorageStore(storage), unstorageStore(prefixStorage(storage, ''))] as const;
  describeStore(`unstorageStore over the driver ${name}`, open, { isAtomic: false });
}

describe('unstorageStore', () => {
  it('passes the time on to the driver in seconds, rounded up', async () => {
    const given: unknown[] = [];
    const setItem: Driver['setItem'] = (_key, _value, options) => {
      given.push(options);
    };
    const store = unstorageStore(createStorage({ driver: { ...memory(), setItem } }));
    for (const ttlMs of [undefined, Number.POSITIVE_INFINITY, 60_000, 1500, 1])
      await put(store, 'a', '"value"', { ttlMs });
    expect(given).toEqual([{}, {}, { ttl: 60 }, { ttl: 2 }, { ttl: 1 }]);
  });

  it('keeps the time to the millisecond', async () => {
    vi.useFakeTimers();
    const store = unstorageStore(createStorage());
    await put(store, 'a', '"value"', { ttlMs: 1000 });
    vi.setSystemTime(Date.now() + 999);
    expect(await store.get('a')).toBe('"value"');
    expect(await add(store, 'a', '"new"')).toBe(false);
    vi.setSystemTime(Date.now() + 1);
    expect(await store.get('a')).toBeUndefined();
  });

  it.each(['', 'half', '{"expires":1}', 'expires : ""', 'expires soon: ""', 'null', '7'])(
    'takes %j, which it did not write, for nothing',
    async (found) => {
      const storage = createStorage();
      await storage.setItem('a', found);
      const store = unstorageStore(storage);
      expect(await store.get('a')).toBeUndefined();
      expect(await add(store, 'a', '"value"')).toBe(true);
      expect(await store.get('a')).toBe('"value"');
    },
  );

  it('rejects with what the driver throws', async () => {
    const fault = new Error('KV is down');
    const fail = (): never => {
      throw fault;
    };
    const driver = { ...memory(), getItem: fail, setItem: fail, removeItem: fail };
    const store = unstorageStore(createStorage({ driver }));
    await expect(store.get('a')).rejects.toBe(fault);
    await expect(put(store, 'a', '"value"')).rejects.toBe(fault);
    await expect(store.delete('a')).rejects.toBe(fault);
  });
});
