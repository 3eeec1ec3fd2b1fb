import { neon } from '@neondatabase/serverless';
import { generateText } from 'ai';
import { Redis as Ioredis } from 'ioredis';
import { createClient } from 'redis';
import { createStorage } from 'unstorage';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  listSummaries,
  summarizationMiddleware,
  SummarizationOptionError,
  type KeyValueStore,
  type SummaryStore,
} from '../../src/index.ts';
import { postgresStore } from '../../src/state/stores/postgres-store.ts';
import { redisStore, type EvaluatingClient } from '../../src/state/stores/redis-store.ts';
import { chat } from '../support/messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { add } from '../support/put.ts';
import { called, setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

afterEach(() => {
  vi.useRealTimers();
});

const secret = 'of all instances alike';

/** A store of a caller that writes without comparing, and what it was asked. */
function keyValueStore(entries = new Map<string, string>()) {
  const asked: (readonly unknown[])[] = [];
  const store: KeyValueStore = {
    get: async (key) => entries.get(key),
    set: async (key, value, options) => {
      asked.push([key, options]);
      entries.set(key, value);
      // As clients of Redis answer: no evidence of a write, so that the key is read again.
      return untyped('OK');
    },
    delete: async (key) => void entries.delete(key),
  };
  return { store, asked, entries };
}

it('a store that writes without comparing is read, then written, with the time of the entry', async () => {
  const { store, asked, entries } = keyValueStore();
  const { model, summarizer, inner } = setUp({ store, secret, maxSummaryCallsPerHour: 1 });
  for (let turn = 0; turn < 2; turn += 1) await generateText({ model, messages: chat(19) });
  expect(summarizer.doGenerateCalls).toHaveLength(1);
  expect(asked).not.toEqual([]);
  for (const [key, options] of asked)
    expect([key, options]).toEqual([
      expect.stringMatching(/^[\da-f]{64}$/),
      { ttlMs: expect.any(Number) },
    ]);
  const other = await called(chat(19), { store: keyValueStore(entries).store, secret });
  expect(other.summarizer.doGenerateCalls).toHaveLength(0);
  expect(summaryOf(lastPrompt(other.inner))).toBe(summaryOf(lastPrompt(inner)));
});

const mistakes: readonly [string, string, () => unknown][] = [
  ['a Map', 'did you mean memoryStore()? ', () => new Map()],
  ['a client of redis', 'did you mean redisStore(client)? ', () => createClient()],
  [
    'a client of ioredis',
    'did you mean redisStore(client)? ',
    () => new Ioredis({ lazyConnect: true }),
  ],
  ['a pool', 'did you mean postgresStore({ client })? ', () => ({ query: async () => [] })],
  ['a database', 'did you mean sqliteStore({ client })? ', () => ({ prepare() {}, exec() {} })],
  ['a storage', 'did you mean unstorageStore(storage)? ', () => createStorage()],
  [
    'a store that takes less than it is asked for',
    'allowed is maxBytes of at least 131072 on what memoryStore',
    () => ({ get() {}, compareAndSet() {}, delete() {}, maxBytes: 4096 }),
  ],
  [
    'a Keyv',
    'an object, allowed is what memoryStore',
    () => ({ get() {}, set() {}, delete() {}, clear() {}, disconnect() {} }),
  ],
];

describe.each(mistakes)('what is no store: %s', (_, meant, make) => {
  it.each<[string, (store: SummaryStore) => unknown]>([
    ['a middleware', (store) => summarizationMiddleware({ store })],
    [
      'the functions on state',
      async (store) => listSummaries({ store, secret, conversationId: 'chat' }),
    ],
  ])('is refused by %s, with what to give', async (_place, give) => {
    const refusal = new Promise((resolve) => {
      resolve(give(untyped(make())));
    });
    await expect(refusal).rejects.toThrow(SummarizationOptionError);
    await expect(refusal).rejects.toThrow(/what memoryStore, sqliteStore, redisStore/);
    await expect(refusal).rejects.toThrow(meant);
  });
});

/** The part of a client of Upstash that is used, over a map. */
function upstashOver(entries: Map<string, string>): EvaluatingClient {
  return {
    eval: async (_script, [key = ''], [value]) => {
      if (value === undefined) return entries.get(key) ?? null;
      entries.set(key, value);
      return 1;
    },
  };
}

describe('a client that a function gives', () => {
  it('is asked for when it is first needed, once, and again where the function failed', async () => {
    const give = vi.fn<() => Promise<EvaluatingClient>>(async () => upstashOver(new Map()));
    give.mockRejectedValueOnce(new Error('ECONNREFUSED'));
    const store = redisStore(give);
    expect(give).not.toHaveBeenCalled();
    await expect(store.get('a')).rejects.toThrow(/^Redis: ECONNREFUSED$/);
    const asked = [add(store, 'a', 'value'), add(store, 'b', 'value')];
    expect(await Promise.all(asked)).toEqual([true, true]);
    expect(await store.get('a')).toBe('value');
    expect(give).toHaveBeenCalledTimes(2);
  });

  it('is waited for two seconds, and what waited is not made up for', async () => {
    vi.useFakeTimers();
    const entries = new Map<string, string>();
    const { promise, resolve } = Promise.withResolvers<EvaluatingClient>();
    const store = redisStore(() => promise);
    const late = add(store, 'late', 'value').catch(String);
    await vi.advanceTimersByTimeAsync(2001);
    expect(await late).toMatch(/Redis: No answer within 2000 ms/);
    resolve(upstashOver(entries));
    await vi.advanceTimersByTimeAsync(0);
    expect(entries.size).toBe(0);
    expect(await add(store, 'now', 'value')).toBe(true);
  });

  it('is refused with each operation where it is none', async () => {
    const store = redisStore(untyped(async () => new Map()));
    await expect(store.get('a')).rejects.toThrow(/option client: .*ioredis or @upstash\/redis/);
    const postgres = postgresStore({ client: untyped(async () => ({})) });
    await expect(postgres.get('a')).rejects.toThrow(/option client: .*query\(text, values\)/);
  });

  it('is not asked for where the function is a client itself', async () => {
    const url = 'postgres://user:password@example.com/database';
    const client = neon(url, { fetchOptions: { signal: AbortSignal.abort() } });
    const store = postgresStore({ client });
    await expect(store.get('a')).rejects.toThrow(/^Postgres: /);
    await expect(store.get('a')).rejects.not.toThrow(/option client/);
  });
});

it('keys of Redis are listed by how they begin, whatever signs stand there, page after page', async () => {
  const found = ['*[?]\\01', '*[?]\\02'];
  const ask = vi.fn<EvaluatingClient['eval']>(async () => ['0', found]);
  ask.mockResolvedValueOnce(['7', found.slice(0, 1)]);
  const store = redisStore({ eval: ask }, { prefix: '*[?]\\' });
  expect(await store.list?.('0')).toEqual(['01', '02']);
  const pattern = String.raw`\*\[\?\]\\0*`;
  expect(ask.mock.calls.map(([, ...asked]) => asked)).toEqual([
    [[], ['0', pattern]],
    [[], ['7', pattern]],
  ]);
});
