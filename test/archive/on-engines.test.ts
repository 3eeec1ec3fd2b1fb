import { put } from '../support/put.ts';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  memoryStore,
  readArchive,
  undoSummarization,
  type SummaryStore,
  type Message,
} from '../../src/index.ts';
import { postgresStore } from '../../src/stores/postgres-store.ts';
import { redisStore } from '../../src/stores/redis-store.ts';
import { sqliteStore } from '../../src/stores/sqlite-store.ts';
import { temporaryFolder } from '../node/folders.ts';
import { sealedText } from '../support/sealed-text.ts';
import { recallTool, type RecallOutput } from '../../src/recall/index.ts';
import { lastPrompt } from '../support/prompts.ts';
import { isInstalled } from '../support/servers/find-program.ts';
import { secret, send, summarise, talk } from '../support/summarised-chat.ts';
import { startPostgresSetting, type PostgresSetting } from '../stores/postgres/postgres-clients.ts';
import { startRedisSetting, type RedisSetting } from '../stores/redis/redis-clients.ts';

/** Makes the store objects of two processes. */
type Engine = () => Promise<readonly [SummaryStore, SummaryStore]>;

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

const engines: Readonly<Record<string, Engine>> = {
  memory: () => {
    const store = memoryStore();
    return Promise.resolve([
      store,
      { get: store.get, compareAndSet: store.compareAndSet, delete: store.delete },
    ]);
  },
  sqlite: () => {
    const path = join(temporaryFolder(), 'state.db');
    const stores = [sqliteStore({ path }), sqliteStore({ path })] as const;
    ends.push(...stores.map((store) => async () => store.close()));
    return Promise.resolve(stores);
  },
  postgres: async () => {
    const client = await PGlite.create();
    const store = postgresStore({ client });
    await store.createTable();
    ends.push(() => client.close());
    return [store, postgresStore({ client })];
  },
};

let redis: RedisSetting | undefined;

const servers: Readonly<Record<string, Engine>> = {
  redis: async () => {
    if (redis === undefined) throw new Error('There is no Redis.');
    return [redisStore(await redis.node()), redisStore(redis.ioredis())];
  },
  upstash: () => {
    if (redis === undefined) throw new Error('There is no Redis.');
    return Promise.resolve([redisStore(redis.upstash()), redisStore(redis.upstash())]);
  },
};

let postgres: PostgresSetting | undefined;

describe.each(Object.entries(engines))('state on %s', (_, makeStores) => {
  checks(makeStores);
});

describe.skipIf(!isInstalled('redis-server'))('state on servers of Redis', () => {
  beforeAll(async () => {
    redis = await startRedisSetting({ withCluster: false });
  });
  afterAll(async () => redis?.stop());
  describe.each(Object.entries(servers))('%s', (_, makeStores) => {
    checks(makeStores);
  });
});

describe.skipIf(!isInstalled('postgres'))('state on a server of Postgres', () => {
  beforeAll(async () => {
    postgres = await startPostgresSetting();
  });
  afterAll(async () => postgres?.stop());
  checks(async () => {
    if (postgres === undefined) throw new Error('There is no Postgres.');
    const client = postgres.pool();
    const store = postgresStore({ client });
    await store.createTable();
    return [store, postgresStore({ client: postgres.pool() })];
  });
});

/** Tells of the values that a store is given. */
function watched(store: SummaryStore): readonly [SummaryStore, ReadonlyMap<string, string>] {
  const values = new Map<string, string>();
  const compareAndSet: SummaryStore['compareAndSet'] = (key, entry) => {
    values.set(key, entry.value);
    return store.compareAndSet(key, entry);
  };
  return [{ get: store.get, compareAndSet, delete: store.delete }, values];
}

/** Bytes that do not compress. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536)
    crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  return bytes;
}

function checks(makeStores: Engine): void {
  // Of its own: two of the engines are one server.
  const conversationId = crypto.randomUUID();
  const options = { archive: true, conversationId, supersededTtlMs: 0 };

  it('is archived, listed, undone and erased, as any process sees it', async () => {
    const [one, other] = await makeStores();
    const of = { store: other, secret, conversationId };
    const file: Message = {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: noise(900_000) } },
      ],
    };
    const messages = [file, ...talk(16).slice(1)];
    const first = await summarise(one, messages.slice(0, 7), options);
    await send(first, messages, { conversationId });
    const before = lastPrompt(first.inner);
    const second = await summarise(one, messages, options);

    const { record } = second;
    const read = await readArchive({ ...of, record, ancestors: true });
    expect(read.messages).toStrictEqual(messages.slice(0, second.covered));
    expect((await listSummaries(of)).map(({ id }) => id)).toEqual([record.id, first.record.id]);

    expect(await undoSummarization({ ...of, record })).toEqual({
      record: first.record,
      isParentGone: false,
    });
    expect((await listSummaries(of)).map(({ id }) => id)).toEqual([first.record.id]);
    await expect(readArchive({ ...of, record })).rejects.toMatchObject({ reason: 'archive' });
    const again = await readArchive({ ...of, record: first.record });
    expect(again.messages).toStrictEqual(messages.slice(0, first.covered));
    // A process that knew nothing sends what was sent before.
    const cold = await summarise(other, talk(9), {
      ...options,
      conversationId: `${conversationId} 2`,
    });
    await send(cold, messages, { conversationId });
    expect(lastPrompt(cold.inner)).toEqual(before);

    await eraseConversation(of);
    expect(await listSummaries(of)).toEqual([]);
    await expect(readArchive({ ...of, record: first.record })).rejects.toMatchObject({
      reason: 'archive',
    });
  });

  it.each([
    ['damaged', (value: string) => `${value.slice(0, -2)}AA`],
    ['gone', () => undefined],
  ])('says which originals are %s, and leaves the record usable', async (_how, change) => {
    const [one, other] = await makeStores();
    const id = crypto.randomUUID();
    const of = { store: other, secret, conversationId: id };
    const picture = (): Message => ({
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: noise(300_000) } },
      ],
    });
    const messages = [picture(), ...talk(4).slice(1), picture(), ...talk(6).slice(1)];
    const [store, values] = watched(one);
    const { record, covered } = await summarise(store, messages, {
      archive: true,
      conversationId: id,
    });
    const parts = [...values].flatMap(([key, value]) => {
      const text = sealedText(value);
      return text.includes('"blocks":[') || /^[\w+/]{1000}/.test(text) ? [{ key, value }] : [];
    });
    expect(parts.length).toBeGreaterThan(2);
    const lost = new Set<string>();
    for (const { key, value } of parts) {
      const changed = change(value);
      await (changed === undefined ? one.delete(key) : put(one, key, changed));
      await expect(readArchive({ ...of, record })).rejects.toMatchObject({
        reason: 'archive',
        message: expect.stringContaining(`of the record ${record.id}`),
      });
      const said = await readArchive({ ...of, record }).then(() => '', String);
      lost.add(said.replaceAll(record.id, 'it'));
      await put(one, key, value);
    }
    expect([...lost].join()).toMatch(/all of the record it/);
    const { messages: whole } = await readArchive({ ...of, record });
    expect(whole).toStrictEqual(messages.slice(0, covered));
    for (const { key } of parts) await one.delete(key);
    const next = await summarise(other, [...messages, ...talk(5).slice(1)], {
      archive: true,
      conversationId: id,
    });
    expect(next.record.parentId).toBe(record.id);
  });

  it('refuses by name to undo what is not the newest, or belongs to another namespace', async () => {
    const [one, other] = await makeStores();
    const id = crypto.randomUUID();
    const of = { store: other, secret, conversationId: id };
    const inNamespace = { archive: true, conversationId: id, namespace: 'a' };
    const first = await summarise(one, talk(7), inNamespace);
    const { record } = await summarise(one, talk(15), inNamespace);
    const undo = (input: object): Promise<unknown> =>
      undoSummarization({ ...of, namespace: 'a', record, ...input });
    await expect(undo({ record: first.record })).rejects.toThrow(
      /Invalid option record: .* the newest record of its conversation/,
    );
    await expect(undo({ namespace: 'b' })).rejects.toThrow(/Invalid option record: .*namespace/);
    await expect(undo({ conversationId: `${id}!` })).rejects.toThrow(
      /Invalid option record: .*conversationId/,
    );
    expect(await undo({})).toMatchObject({ record: { id: first.record.id } });
    await expect(undo({})).rejects.toThrow(/Invalid option record: .*not undone/);
  });

  it('is searched by recallTool, which finds nothing for what is no query', async () => {
    const [one, other] = await makeStores();
    const id = crypto.randomUUID();
    const marker = `marker${crypto.randomUUID().slice(0, 8)}`;
    const [question] = talk(1);
    if (question === undefined) throw new Error('There is no message.');
    const messages = [
      question,
      {
        role: 'assistant' as const,
        content: [{ type: 'text' as const, text: `It is ${marker}.` }],
      },
      ...talk(9).slice(2),
    ];
    await summarise(one, messages, { archive: true, conversationId: id });
    const recall = recallTool({ store: other, secret, conversationId: id });
    const ask = async (query: string): Promise<RecallOutput> => {
      const call = { toolCallId: 'a', messages: [], context: {} };
      const answer: unknown = await recall.execute?.({ query }, call);
      return Object.assign({ recalledFromArchive: true as const, passages: [] }, answer);
    };
    expect((await ask(marker)).passages).toMatchObject([{ position: 1, text: `It is ${marker}.` }]);
    for (const query of ['', ' ', '.*', `(?:${marker})`, `${marker} `.repeat(100)]) {
      const { passages, note } = await ask(query);
      expect(passages).toEqual([]);
      expect(note).toMatch(/^Nothing was searched for/);
    }
  });
}
