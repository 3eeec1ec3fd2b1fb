import { Redis as UpstashRedis } from '@upstash/redis';
import { Cluster as IoredisCluster, Redis as Ioredis } from 'ioredis';
import { createClient, createCluster, RESP_TYPES } from 'redis';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SummarizationOptionError, type SummaryStore } from '../../../src/index.ts';
import { redisStore, type RedisClient } from '../../../src/stores/redis/index.ts';
import { summaryStoreChecks } from '../../../src/testing/index.ts';
import { startRedisCluster } from '../../support/servers/redis-cluster.ts';
import { startRedis } from '../../support/servers/redis-server.ts';
import { startUpstashFront } from '../../support/servers/upstash-front.ts';
import { confusingTexts } from '../confusing-texts.ts';
import { untyped } from '../../support/untyped.ts';

const [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
const front = server === undefined ? undefined : await startUpstashFront(server.url);

/** What ends the clients that a test made. */
const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
  await front?.stop();
  await Promise.all([server?.stop(), cluster?.stop()]);
});

async function nodeClient() {
  const client = createClient({ url: server?.url ?? '' }).on('error', () => {});
  endings.push(() => client.destroy());
  return client.connect();
}

async function clusterClient() {
  const rootNodes = (cluster?.ports ?? []).map((port) => ({ url: `redis://127.0.0.1:${port}` }));
  const client = createCluster({ rootNodes }).on('error', () => {});
  endings.push(() => client.destroy());
  return client.connect();
}

async function upstashClient() {
  return new UpstashRedis(upstashOptions());
}

function upstashOptions() {
  const retry = { retries: 1, backoff: () => 0 };
  return { url: front?.url ?? '', token: front?.token ?? '', enableTelemetry: false, retry };
}

/** Kinds of clients on the servers of this file, each as its users make it. */
const kinds: Readonly<Record<string, () => Promise<RedisClient>>> = {
  redis: nodeClient,
  'redis that was told to give bytes': async () =>
    (await nodeClient()).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
  'a cluster of redis': clusterClient,
  ioredis: async () => {
    const client = new Ioredis(server?.url ?? '', { maxRetriesPerRequest: 1 }).on(
      'error',
      () => {},
    );
    endings.push(() => client.disconnect());
    return client;
  },
  'a cluster of ioredis': async () => {
    const nodes = (cluster?.ports ?? []).map((port) => ({ host: '127.0.0.1', port }));
    const client = new IoredisCluster(nodes).on('error', () => {});
    endings.push(() => client.disconnect());
    return client;
  },
  '@upstash/redis': upstashClient,
  '@upstash/redis that parses nothing': async () =>
    new UpstashRedis({ ...upstashOptions(), automaticDeserialization: false }),
  '@upstash/redis without pipelines and base64': async () =>
    new UpstashRedis({ ...upstashOptions(), enableAutoPipelining: false, responseEncoding: false }),
};

describe.skipIf(server === undefined || cluster === undefined)('redisStore', () => {
  describe.each(Object.entries(kinds))('with %s', (_, makeClient) => {
    let store: SummaryStore;
    beforeAll(async () => {
      store = redisStore(await makeClient());
    });

    it.each(summaryStoreChecks(() => store))('$name', async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });

    it('gives back every string as the string that it was', async () => {
      for (const [index, text] of confusingTexts.entries()) {
        await store.set(`text ${index}`, text);
        expect(await store.get(`text ${index}`)).toBe(text);
      }
    });
  });

  it('stores what every kind of client reads', async () => {
    const single = Object.entries(kinds).filter(([kind]) => !kind.includes('cluster'));
    const stores = await Promise.all(
      single.map(async ([, makeClient]) => redisStore(await makeClient())),
    );
    for (const [index, writer] of stores.entries()) {
      const text = confusingTexts[index] ?? '';
      await writer.set('shared', text);
      const read = await Promise.all(stores.map(async (reader) => reader.get('shared')));
      expect(read).toEqual(stores.map(() => text));
    }
  });

  it('spreads its entries over the nodes of a cluster', async () => {
    const client = await clusterClient();
    const store = redisStore(client, { prefix: 'spread:' });
    for (let index = 0; index < 30; index += 1) await store.set(`${index}`, 'value');
    const keys = await Promise.all(
      client.masters.map(async (node) => (await client.nodeClient(node)).keys('spread:*')),
    );
    expect(keys.map(({ length }) => length)).not.toContain(0);
    expect(keys.flat()).toHaveLength(30);
  });

  it('puts its prefix before every key and leaves expiry to the server', async () => {
    const client = await nodeClient();
    await redisStore(client).set('a', 'value', { ttlMs: 60_000.5 });
    await redisStore(client, { prefix: '{mine}:' }).set('a', 'value');
    expect(await client.pTTL('ai-sdk-summarization:a')).toBeGreaterThan(0);
    expect(await client.pTTL('{mine}:a')).toBe(-1);
    await redisStore(client, { prefix: '{mine}:' }).delete('a');
    expect(await client.exists('{mine}:a')).toBe(0);
    expect(await client.exists('ai-sdk-summarization:a')).toBe(1);
  });

  it.each([0, -1, 0.1])('lets an entry of %s ms end at once', async (ttlMs) => {
    const store = redisStore(await nodeClient());
    await store.set('short', 'value', { ttlMs });
    await vi.waitUntil(async () => (await store.get('short')) === undefined);
  });

  it.each([Number.POSITIVE_INFINITY, 1e300])('keeps an entry of %s ms', async (ttlMs) => {
    const client = await nodeClient();
    await redisStore(client).set('long', 'value', { ttlMs });
    expect(await client.pTTL('ai-sdk-summarization:long')).toBe(-1);
  });

  it('gives what others wrote under its keys as text', async () => {
    const client = await nodeClient();
    for (const foreign of ['123', '{"a":1}', 'text', '', '!', '!{"a":1}']) {
      await client.set('ai-sdk-summarization:foreign', foreign);
      for (const makeClient of [nodeClient, upstashClient])
        expect(await redisStore(await makeClient()).get('foreign')).toBe(foreign);
    }
  });

  it('does not take an aborted request for an answer', async () => {
    const signal = AbortSignal.abort('stopped');
    const store = redisStore(
      new UpstashRedis({ ...upstashOptions(), signal, enableAutoPipelining: false }),
    );
    await expect(store.set('aborted', 'value')).rejects.toThrow(/SET/);
    await expect(store.delete('aborted')).rejects.toThrow(/DEL/);
  });

  it.each([{}, { enableAutoPipelining: false }])(
    'does not repeat in an error what was to be stored: %o',
    async (options) => {
      const client = new UpstashRedis({ ...upstashOptions(), ...options, token: 'wrong' });
      const failure = redisStore(client).set('key', 'a confidence');
      await expect(failure).rejects.toThrow(/^Redis: .*Unauthorized: Invalid auth token$/);
      expect(inspect(await failure.catch((error: unknown) => error))).not.toContain('confidence');
    },
  );
});

describe.skipIf(server === undefined)('redisStore and a server that is down', () => {
  it('rejects with a client that nobody has connected, and does not connect it', async () => {
    const client = createClient({ url: server?.url ?? '' });
    const store = redisStore(client);
    await expect(store.get('key')).rejects.toThrow(/^Redis: The client is closed/);
    await expect(store.set('key', 'value')).rejects.toThrow('closed');
    await expect(store.delete('key')).rejects.toThrow('closed');
    expect(client.isOpen).toBe(false);
  });

  it.each(['redis', 'ioredis', '@upstash/redis'])(
    'rejects with %s, and does not make up for it later',
    async (kind) => {
      const store = redisStore((await kinds[kind]?.()) ?? untyped(undefined));
      await store.set('before', 'value');
      await server?.goDown();
      try {
        await Promise.all(
          [store.set('late', 'value'), store.get('late'), store.delete('late')].map(async (asked) =>
            expect(asked).rejects.toThrow(/^Redis: ./),
          ),
        );
      } finally {
        await server?.comeBack();
      }
      await vi.waitUntil(async () => store.set('after', 'value').catch(() => false), 30_000);
      expect(await store.get('late')).toBeUndefined();
      expect(await store.get('after')).toBe('value');
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

  it('does not repeat an address, which may hold a password', () => {
    const make = (): unknown => redisStore(untyped('redis://user:password@example.com'));
    expect(make).toThrow(/got a string of 33 characters/);
  });

  it.each([1, null, {}, undefined])('takes a string as prefix, or nothing: %s', (prefix) => {
    const make = (): unknown => redisStore(createClient(), { prefix: untyped(prefix) });
    if (prefix === undefined) expect(make).not.toThrow();
    else expect(make).toThrow(/option prefix: .*a string/);
  });
});
