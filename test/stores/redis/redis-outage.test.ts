import { put } from '../../support/put.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { generateText } from 'ai';
import { Redis as Ioredis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readArchive, type SummaryStore } from '../../../src/index.ts';
import { redisStore } from '../../../src/stores/redis-store.ts';
import { chat } from '../../support/messages.ts';
import { lastPrompt, summaryOf } from '../../support/prompts.ts';
import { honestInOutage } from '../../support/outage-check.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startLosingFront } from '../../support/servers/losing-front.ts';
import { called, recordOf, setUp } from '../../support/set-up.ts';
import { untyped } from '../../support/untyped.ts';
import {
  clusterClients,
  singleClients,
  startRedisSetting,
  type RedisSetting,
} from './redis-clients.ts';

const secret = 'of all instances alike';
const kinds = ['redis', 'ioredis', '@upstash/redis'];

describe.skipIf(!isInstalled('redis-server'))('redisStore and a server that is down', () => {
  let setting: RedisSetting;
  beforeAll(async () => {
    setting = await startRedisSetting({ withCluster: true });
  });
  afterAll(async () => setting?.stop());

  describe.each(kinds)('with %s', (kind) => {
    const makeClient = singleClients[kind];
    const makeStore = async () => redisStore((await makeClient?.(setting)) ?? untyped(undefined));
    const hooks = {
      stop: async () => setting.server.goDown(),
      start: async () => setting.server.comeBack(),
    };

    it('does not pass an outage off as an absent value, and answers again after it', async () => {
      await expect(honestInOutage(await makeStore(), hooks)).resolves.toBeUndefined();
    });

    it('rejects, and does not make up for a write when the server is back', async () => {
      const store = await makeStore();
      await put(store, 'before', 'value');
      await hooks.stop();
      try {
        const asked = [put(store, 'late', 'value'), store.get('late'), store.delete('late')];
        for (const { reason } of await rejections(asked))
          expect(reason).toMatchObject({ message: expect.stringMatching(/^Redis: ./) });
      } finally {
        await hooks.start();
      }
      await vi.waitUntil(async () => put(store, 'after', 'value').catch(() => false), 60_000);
      expect(await store.get('late')).toBeUndefined();
      expect(await store.get('after')).toBe('value');
    });
  });

  it('rejects with clients of a cluster too, and works with them again', async () => {
    const clients = Object.values(clusterClients).map(async (makeClient) => makeClient(setting));
    const stores = (await Promise.all(clients)).map((client) => redisStore(client));
    for (const store of stores) await put(store, 'before', 'value');
    await setting.cluster?.goDown();
    await Promise.all(stores.map(rejects));
    await setting.cluster?.comeBack();
    for (const store of stores) {
      await vi.waitUntil(async () => put(store, 'after', 'value').catch(() => false), 60_000);
      expect(await store.get('after')).toBe('value');
    }
  });

  it('waits for the first connection of a client', async () => {
    const client = new Ioredis(setting.server.url);
    expect(await put(redisStore(client), 'first', 'value')).toBe(true);
    client.disconnect();
  });

  it('answers calls while the server is down, and shares summaries when it is back', async () => {
    const makeInstance = async () =>
      setUp({ secret, store: redisStore(await setting.node(), { prefix: 'shared:' }) });
    const [before, beside] = [await makeInstance(), await makeInstance()];
    await generateText({ model: beside.model, messages: chat(5) });
    await setting.server.goDown();
    const { text } = await generateText({ model: before.model, messages: chat(19) });
    await setting.server.comeBack();
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

  it('rejects with a client that nobody has connected, and does not connect it', async () => {
    const client = createClient({ url: setting.server.url });
    const store = redisStore(client);
    const asked = [store.get('key'), put(store, 'key', 'value'), store.delete('key')];
    for (const { reason } of await rejections(asked))
      expect(reason).toMatchObject({ message: 'Redis: The client is closed' });
    expect(client.isOpen).toBe(false);
  });

  it('gives a client its turn and its summary that sends again what has no answer', async () => {
    const isWriting = (command: string): boolean => command.includes('\r\neval\r\n');
    const front = await startLosingFront(setting.server.port, isWriting);
    const [client, direct] = [
      new Ioredis(front.port, '127.0.0.1', { retryStrategy: () => 1 }),
      new Ioredis(setting.server.url),
    ];
    client.on('error', () => {});
    const store = redisStore(client, { prefix: 'lost:' });
    const own = { archive: true, maxSummaryCallsPerHour: 1, storeTimeoutMs: 60_000 };
    const { inner, summarizer, events } = await called(chat(19), { store, secret, ...own });
    // The lease, the slot of this hour and the record.
    expect(front.lost()).toBeGreaterThanOrEqual(3);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(events.map(({ type }) => type)).not.toContain('fallback');
    const record = recordOf({ events });
    const { messages } = await readArchive({ store, secret, record });
    expect(messages).toHaveLength(record.coveredMessages);

    const other = await called(chat(19), {
      store: redisStore(direct, { prefix: 'lost:' }),
      secret,
    });
    expect(other.summarizer.doGenerateCalls).toHaveLength(0);
    expect(lastPrompt(other.inner)).toEqual(lastPrompt(inner));
    for (const each of [client, direct]) each.disconnect();
    await front.stop();
  });
});

/** Asks until an answer is a rejection. What was on its way when the connection was lost may wait for it. */
async function rejects(store: SummaryStore): Promise<void> {
  const failures: unknown[] = [];
  while (failures.length === 0) {
    store.get('before').catch((error: unknown) => failures.push(error));
    await delay(20);
  }
  expect(failures[0]).toMatchObject({ message: expect.stringMatching(/^Redis: ./) });
}

/** What operations reject with, all of which have to. */
async function rejections(asked: readonly Promise<unknown>[]): Promise<PromiseRejectedResult[]> {
  const outcomes = await Promise.allSettled(asked);
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(rejected).toHaveLength(asked.length);
  return rejected;
}
