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
} from '../../src/index.ts';
import type { Message } from '../../src/prompt/prompt-types.ts';
import { postgresStore } from '../../src/stores/postgres/index.ts';
import { redisStore } from '../../src/stores/redis/index.ts';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { temporaryFolder } from '../node/folders.ts';
import { lastPrompt } from '../support/prompts.ts';
import { isInstalled } from '../support/servers/find-program.ts';
import { secret, send, summarise, talk } from '../support/summarised-chat.ts';
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
    return Promise.resolve([store, { get: store.get, set: store.set, delete: store.delete }]);
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
}
