import { add, put } from '../../support/put.ts';
import { inspect } from 'node:util';
import { Redis as UpstashRedis } from '@upstash/redis';
import { Redis as Ioredis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SummarizationOptionError } from '../../../src/index.ts';
import { redisStore } from '../../../src/stores/redis-store.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { untyped } from '../../support/untyped.ts';
import { describeStore } from '../describe-store.ts';
import {
  clusterClients,
  singleClients,
  startRedisSetting,
  type RedisSetting,
} from './redis-clients.ts';

describe.skipIf(!isInstalled('redis-server'))('redisStore', () => {
  let setting: RedisSetting;
  beforeAll(async () => {
    setting = await startRedisSetting({ withCluster: true });
  });
  afterAll(async () => setting?.stop());

  for (const [kind, makeClient] of Object.entries({ ...singleClients, ...clusterClients }))
    describeStore(`with ${kind}`, async () => [
      redisStore(await makeClient(setting)),
      redisStore(await makeClient(setting)),
    ]);

  it('stores what every kind of client reads', async () => {
    const stores = await Promise.all(
      Object.values(singleClients).map(async (makeClient) => redisStore(await makeClient(setting))),
    );
    for (const [index, writer] of stores.entries()) {
      const text = ['', '123', 'null', '"quoted"', '~text', '😀 ελληνικά'][index] ?? '';
      await put(writer, 'shared', text);
      const read = await Promise.all(stores.map(async (reader) => reader.get('shared')));
      expect(read).toEqual(stores.map(() => text));
    }
  });

  it('spreads its entries over the nodes of a cluster', async () => {
    const client = await setting.nodeCluster();
    const store = redisStore(client, { prefix: 'spread:' });
    for (let index = 0; index < 30; index += 1) await put(store, `${index}`, 'value');
    const keys = await Promise.all(
      client.masters.map(async (node) => (await client.nodeClient(node)).keys('spread:*')),
    );
    expect(keys.map(({ length }) => length)).not.toContain(0);
    expect(keys.flat()).toHaveLength(30);
  });

  it('puts its prefix before every key and leaves expiry to the server', async () => {
    const client = await setting.node();
    await put(redisStore(client), 'a', 'value', { ttlMs: 60_000.5 });
    await put(redisStore(client, { prefix: '{mine}:' }), 'a', 'value');
    expect(await client.pTTL('ai-sdk-summarization:a')).toBeGreaterThan(0);
    expect(await client.pTTL('{mine}:a')).toBe(-1);
    await redisStore(client, { prefix: '{mine}:' }).delete('a');
    expect(await client.exists('{mine}:a')).toBe(0);
    expect(await client.exists('ai-sdk-summarization:a')).toBe(1);
  });

  it('lets an entry of no time end at once, and keeps one of endless time', async () => {
    const client = await setting.node();
    const store = redisStore(client);
    for (const ttlMs of [0, -1, 0.1]) {
      await put(store, 'short', 'value', { ttlMs });
      await vi.waitFor(async () => expect(await store.get('short')).toBeUndefined(), 60_000);
    }
    for (const ttlMs of [Number.POSITIVE_INFINITY, 1e300]) {
      await put(store, 'long', 'value', { ttlMs });
      expect(await client.pTTL('ai-sdk-summarization:long')).toBe(-1);
    }
  });

  it('takes what it has written itself for written, when the command comes again', async () => {
    const store = redisStore(await setting.node());
    const entry = { expected: undefined, value: 'written', ttlMs: 60_000 };
    for (let time = 0; time < 2; time += 1)
      expect(await store.compareAndSet('twice', entry)).toBe(true);
    expect(await store.compareAndSet('twice', { ...entry, value: 'another' })).toBe(false);
    const next = { ...entry, expected: 'written', value: 'next' };
    for (let time = 0; time < 2; time += 1)
      expect(await store.compareAndSet('twice', next)).toBe(true);
    expect(await store.compareAndSet('twice', { ...next, value: 'other' })).toBe(false);
  });

  it('does not take an aborted request for an answer', async () => {
    const signal = AbortSignal.abort('stopped');
    const store = redisStore(setting.upstash({ signal, enableAutoPipelining: false }));
    await expect(add(store, 'aborted', 'value')).rejects.toThrow(/no answer/);
    await expect(store.delete('aborted')).rejects.toThrow(/no answer/);
  });

  it.each([{}, { enableAutoPipelining: false }])(
    'does not repeat in an error what was to be stored: %o',
    async (options) => {
      const client = setting.upstash({ ...options, token: 'wrong' });
      const failure = put(redisStore(client), 'key', 'a confidence');
      await expect(failure).rejects.toThrow(/^Redis: .*Unauthorized: Invalid auth token$/);
      expect(inspect(await failure.catch((error: unknown) => error))).not.toContain('confidence');
    },
  );
});

describe('the arguments of redisStore', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a map', new Map()],
    ['a client of another database', { query: async () => [] }],
    ['a client of an older version of redis', { GET() {}, get() {}, set() {}, del() {} }],
    ['a client that is still connecting', Promise.resolve()],
    ['what collects commands of ioredis', new Ioredis({ lazyConnect: true }).pipeline()],
    ['what collects commands of redis', createClient().multi()],
    [
      'what collects commands of Upstash',
      new UpstashRedis({ url: 'https://example.com', token: 'x' }).multi(),
    ],
  ])('refuses %s as client, and names what is allowed', (_, client) => {
    const make = (): unknown => redisStore(untyped(client));
    expect(make).toThrow(SummarizationOptionError);
    expect(make).toThrow(
      /option client: .* redis \(version 5 or later\), ioredis or @upstash\/redis/,
    );
  });

  it('takes no answer for no answer, not for an absent value', async () => {
    const silent = async (): Promise<unknown> => undefined;
    const store = redisStore({ createScript: () => {}, eval: silent });
    await expect(store.get('key')).rejects.toThrow(/answered with undefined/);
    await expect(add(store, 'key', 'value')).rejects.toThrow(/answered with undefined/);
    await expect(store.delete('key')).rejects.toThrow(/answered with undefined/);
  });

  it('does not repeat an address, which may hold a password', () => {
    const make = (): unknown => redisStore(untyped('redis://user:password@example.com'));
    expect(make).toThrow(/got a string of 33 characters/);
  });

  it('takes a string as prefix, the empty one too', () => {
    const make = (prefix: unknown) => () =>
      redisStore(createClient(), { prefix: untyped<string>(prefix) });
    for (const wrong of [1, null, {}, []]) expect(make(wrong)).toThrow(/option prefix: .*a string/);
    for (const right of [undefined, '']) expect(make(right)).not.toThrow();
  });
});
