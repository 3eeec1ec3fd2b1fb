import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Redis as UpstashRedis } from '@upstash/redis';
import { generateText } from 'ai';
import { Cluster as IoredisCluster, Redis as Ioredis } from 'ioredis';
import { createClient, createCluster, RESP_TYPES } from 'redis';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { SummarizationOptionError, type SummaryStore } from '../../../src/index.ts';
import { redisStore, type RedisClient } from '../../../src/state/stores/redis-store.ts';
import { chat } from '../../support/messages.ts';
import { lastPrompt, summaryOf } from '../../support/prompts.ts';
import { add, put } from '../../support/put.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startRedisCluster } from '../../support/servers/redis-cluster.ts';
import { startRedis } from '../../support/servers/redis-server.ts';
import { startUpstashFront } from '../../support/servers/upstash-front.ts';
import { setUp } from '../../support/set-up.ts';
import { untyped } from '../../support/untyped.ts';
import { describeStore } from '../describe-store.ts';

const secret = 'of all instances alike';

interface NodeClient {
  readonly on: (event: 'error', listener: () => void) => unknown;
  readonly connect: () => Promise<unknown>;
  readonly destroy: () => void;
}

/** A server, a front of Upstash and a cluster, and clients of them as their users make them. */
async function startServers() {
  const [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  const front = await startUpstashFront(server.url);
  const ends: (() => void)[] = [];
  const ofRedis = async <Client extends NodeClient>(client: Client): Promise<Client> => {
    client.on('error', () => {});
    ends.push(() => client.destroy());
    await client.connect();
    return client;
  };
  const ofIoredis = <Client extends Ioredis | IoredisCluster>(client: Client): Client => {
    client.on('error', () => {});
    ends.push(() => client.disconnect());
    return client;
  };
  const { url, token } = front;
  const retry = { retries: 1, backoff: () => 0 };
  const upstash = (options: object = {}): UpstashRedis =>
    new UpstashRedis({ url, token, retry, enableTelemetry: false, ...options });
  const redis = async () => ofRedis(createClient({ url: server.url }));
  const rootNodes = cluster.ports.map((port) => ({ socket: { port } }));
  const ofCluster = cluster.ports.map((port) => ({ host: '127.0.0.1', port }));
  const clusters = {
    'a cluster of redis': async () => ofRedis(createCluster({ rootNodes })),
    'a cluster of ioredis': async () => ofIoredis(new IoredisCluster(ofCluster)),
  };
  const clients = {
    redis,
    'redis that was told to give bytes': async () =>
      (await redis()).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
    ioredis: async () => ofIoredis(new Ioredis(server.url, { maxRetriesPerRequest: 1 })),
    '@upstash/redis': async () => upstash(),
    '@upstash/redis that parses nothing': async () => upstash({ automaticDeserialization: false }),
    '@upstash/redis without pipelines and base64': async () =>
      upstash({ enableAutoPipelining: false, responseEncoding: false }),
  };
  const stop = async (): Promise<void> => {
    for (const end of ends) end();
    await front.stop();
    await Promise.all([server.stop(), cluster.stop()]);
  };
  return { server, cluster, clients, clusters, upstash, stop };
}

const servers = isInstalled('redis-server') ? await startServers() : undefined;
afterAll(async () => servers?.stop());

describe.skipIf(servers === undefined)('redisStore', () => {
  if (servers === undefined) return;
  const { clients, clusters, upstash } = servers;
  const all: Record<string, () => Promise<RedisClient>> = { ...clients, ...clusters };
  for (const [kind, makeClient] of Object.entries(all))
    describeStore(`with ${kind}`, async () => [
      redisStore(await makeClient()),
      redisStore(await makeClient()),
    ]);

  it('warns once of what the server refuses until the set-up is mended, and names the cause', async () => {
    const admin = await clients.redis();
    const limited = ['ACL', 'SETUSER', 'limited', 'on', '>password', '~other:*', '+@all'];
    await admin.sendCommand(limited);
    const { server, cluster } = servers;
    const options = { maxRetriesPerRequest: 1 };
    const refused: Record<string, Ioredis> = {
      MOVED: new Ioredis(cluster.ports[0] ?? 0, options),
      NOPERM: new Ioredis(server.url, { ...options, username: 'limited', password: 'password' }),
    };
    for (const [cause, client] of Object.entries(refused)) {
      client.on('error', () => {});
      const { model, events } = setUp({ store: redisStore(client), secret });
      for (const text of ['One.', 'Two.', 'Three.', 'Four.'])
        await generateText({ model, messages: [{ role: 'user', content: text }, ...chat(20)] });
      client.disconnect();
      const warnings = events.filter(({ type }) => type === 'warning');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toHaveProperty('message', expect.stringContaining(`(${cause})`));
    }
  });

  it('stores what every kind of client reads', async () => {
    const stores = await Promise.all(
      Object.values(clients).map(async (makeClient) => redisStore(await makeClient())),
    );
    for (const [index, writer] of stores.entries()) {
      const text = ['', '123', 'null', '"quoted"', '~text', '😀 ελληνικά'][index] ?? '';
      await put(writer, 'shared', text);
      const read = await Promise.all(stores.map(async (reader) => reader.get('shared')));
      expect(read).toEqual(stores.map(() => text));
    }
  });

  it('spreads its entries over the nodes of a cluster', async () => {
    const client = await clusters['a cluster of redis']();
    const store = redisStore(client, { prefix: 'spread:' });
    for (let index = 0; index < 30; index += 1) await put(store, `${index}`, 'value');
    const keys = await Promise.all(
      client.masters.map(async (node) => (await client.nodeClient(node)).keys('spread:*')),
    );
    expect(keys.map(({ length }) => length)).not.toContain(0);
    expect(keys.flat()).toHaveLength(30);
  });

  it('puts its prefix before every key and leaves expiry to the server', async () => {
    const client = await clients.redis();
    const [usual, mine] = [redisStore(client), redisStore(client, { prefix: '{mine}:' })];
    await put(usual, 'a', 'value', { ttlMs: 60_000.5 });
    await put(mine, 'a', 'value');
    expect(await client.pTTL('ai-sdk-summarization:a')).toBeGreaterThan(0);
    expect(await client.pTTL('{mine}:a')).toBe(-1);
    await mine.delete('a');
    expect(await usual.get('a')).toBe('value');
    for (const ttlMs of [0, -1, 0.1]) {
      await put(usual, 'short', 'value', { ttlMs });
      await vi.waitFor(async () => expect(await usual.get('short')).toBeUndefined(), 60_000);
    }
    for (const ttlMs of [Number.POSITIVE_INFINITY, 1e300]) {
      await put(usual, 'long', 'value', { ttlMs });
      expect(await client.pTTL('ai-sdk-summarization:long')).toBe(-1);
    }
  });

  it('takes what it has written itself for written, when the command comes again', async () => {
    const store = redisStore(await clients.redis());
    const entry = { expected: undefined, value: 'written', ttlMs: 60_000 };
    const next = { ...entry, expected: 'written', value: 'next' };
    for (const written of [entry, next]) {
      for (let time = 0; time < 2; time += 1)
        expect(await store.compareAndSet('twice', written)).toBe(true);
      const another = { ...written, value: 'another' };
      expect(await store.compareAndSet('twice', another)).toBe(false);
    }
  });

  it('replaces a value on a full server by a shorter one, as an erasure does', async () => {
    const client = await clients.redis();
    const store = redisStore(client, { prefix: 'full:' });
    await put(store, 'a', 'long value', { ttlMs: 60_000 });
    await client.configSet('maxmemory', '1');
    try {
      await expect(put(store, 'a', 'a longer value')).rejects.toThrow(/^Redis: OOM /);
      await expect(add(store, 'b', 'new')).rejects.toThrow(/^Redis: OOM /);
      expect(await store.get('a')).toBe('long value');
      expect(await put(store, 'a', 'short', { ttlMs: 60_000 })).toBe(true);
      expect(await store.get('a')).toBe('short');
      expect(await client.pTTL('full:a')).toBeGreaterThan(0);
      await store.delete('a');
      expect(await store.get('a')).toBeUndefined();
    } finally {
      await client.configSet('maxmemory', '0');
    }
  });

  it.each([{}, { enableAutoPipelining: false }])(
    'does not repeat in an error what was to be stored: %o',
    async (options) => {
      const failure = put(redisStore(upstash({ ...options, token: 'wrong' })), 'a', 'confidence');
      await expect(failure).rejects.toThrow(/^Redis: .*Unauthorized: Invalid auth token$/);
      expect(inspect(await failure.catch((error: unknown) => error))).not.toContain('confidence');
    },
  );
});

describe.skipIf(servers === undefined)('redisStore and a server that is down', () => {
  if (servers === undefined) return;
  const { server, cluster, clients, clusters } = servers;
  it.each(['redis', 'ioredis', '@upstash/redis'] as const)(
    'rejects with %s, and does not make up for a write when the server is back',
    async (kind) => {
      const store = redisStore(await clients[kind]());
      await put(store, 'before', 'value');
      await server.goDown();
      try {
        await allReject(store, /^Redis: ./);
      } finally {
        await server.comeBack();
      }
      await vi.waitUntil(async () => put(store, 'after', 'value').catch(() => false), 60_000);
      expect(await store.get('late')).toBeUndefined();
      expect(await store.get('after')).toBe('value');
    },
  );

  it('rejects with clients of a cluster too, and works with them again', async () => {
    const made = Object.values(clusters).map(async (makeClient) => redisStore(await makeClient()));
    const stores = await Promise.all(made);
    for (const store of stores) await put(store, 'before', 'value');
    await cluster.goDown();
    await Promise.all(stores.map(rejectsAtLast));
    await cluster.comeBack();
    for (const store of stores) {
      await vi.waitUntil(async () => put(store, 'after', 'value').catch(() => false), 60_000);
      expect(await store.get('after')).toBe('value');
    }
  });

  it('waits for the first connection of a client', async () => {
    const client = new Ioredis(server.url);
    expect(await put(redisStore(client), 'first', 'value')).toBe(true);
    client.disconnect();
  });

  it('rejects with a client that nobody has connected, and does not connect it', async () => {
    const client = createClient({ url: server.url });
    await allReject(redisStore(client), /^Redis: The client is closed$/);
    expect(client.isOpen).toBe(false);
  });

  it('answers calls while the server is down, and shares summaries when it is back', async () => {
    const makeInstance = async () =>
      setUp({ secret, store: redisStore(await clients.redis(), { prefix: 'shared:' }) });
    const [before, beside] = [await makeInstance(), await makeInstance()];
    await generateText({ model: beside.model, messages: chat(5) });
    await server.goDown();
    const { text } = await generateText({ model: before.model, messages: chat(19) });
    await server.comeBack();
    expect(text).not.toBe('');
    // Both go on with the connections that they have, whatever the server has lost.
    for (const { model } of [before, beside]) await generateText({ model, messages: chat(19) });
    expect(summaryOf(lastPrompt(beside.inner))).toContain('They spoke of rivers.');
    expect(summaryOf(lastPrompt(before.inner))).toContain('They spoke of rivers.');
    const [first, second] = [await makeInstance(), await makeInstance()];
    for (const { model } of [first, second]) await generateText({ model, messages: chat(21) });
    // A save goes on when its call waits for it no longer, and may find the server back.
    const isFound = summaryOf(lastPrompt(first.inner)) === summaryOf(lastPrompt(before.inner));
    expect(first.summarizer.doGenerateCalls).toHaveLength(isFound ? 0 : 1);
    expect(second.summarizer.doGenerateCalls).toHaveLength(0);
    expect(lastPrompt(second.inner)).toEqual(lastPrompt(first.inner));
  });
});

/** Asks until an answer is a rejection. What was on its way when the connection was lost may wait for it. */
async function rejectsAtLast(store: SummaryStore): Promise<void> {
  const failures: unknown[] = [];
  while (failures.length === 0) {
    store.get('before').catch((error: unknown) => failures.push(error));
    await delay(20);
  }
  expect(String(failures[0])).toMatch(/^Error: Redis: ./);
}

/** Expects that every operation of a store rejects with a message. */
async function allReject(store: SummaryStore, message: RegExp): Promise<void> {
  const asked = [put(store, 'late', 'value'), store.get('late'), store.delete('late')];
  const reasons = await Promise.all(
    asked.map(async (each) =>
      each.then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  for (const reason of reasons)
    expect(reason).toMatchObject({ message: expect.stringMatching(message) });
}

describe('the client of redisStore', () => {
  it.each([
    ['null', null],
    ['an address, which may hold a password', 'redis://user:password@example.com'],
    ['a client of another database', { query: async () => [] }],
    ['a client of an older version of redis', { GET() {}, get() {}, set() {}, del() {} }],
    ['a client that is still connecting', Promise.resolve()],
    ['what collects commands of ioredis', new Ioredis({ lazyConnect: true }).pipeline()],
    ['what collects commands of redis', createClient().multi()],
    [
      'what collects commands of Upstash',
      new UpstashRedis({ url: 'https://example.com', token: 'x' }).multi(),
    ],
  ])('is refused where it is %s, with what is allowed', (_, client) => {
    const make = (): unknown => redisStore(untyped(client));
    expect(make).toThrow(SummarizationOptionError);
    expect(make).toThrow(
      /option client: .* redis \(version 5 or later\), ioredis or @upstash\/redis/,
    );
    expect(make).not.toThrow(/password/);
  });

  it('may give no answer, which is not taken for an absent value', async () => {
    const store = redisStore({ eval: async () => undefined });
    await expect(store.get('key')).rejects.toThrow(/Unexpected reply from Redis: undefined/);
    await expect(add(store, 'key', 'value')).rejects.toThrow(
      /Unexpected reply from Redis: undefined/,
    );
    await expect(store.delete('key')).rejects.toThrow(/Unexpected reply from Redis: undefined/);
  });
});
