import { setTimeout as delay } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelMessage } from 'ai';
import { explainSummarization, listSummaries } from 'ai-sdk-summarization';
import { redisStore } from 'ai-sdk-summarization/redis';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { startChatServer } from '../../../test/support/servers/chat-server.ts';
import { startExample as startProcess } from '../../../test/support/servers/example-process.ts';
import { isInstalled } from '../../../test/support/servers/find-program.ts';
import { freePort } from '../../../test/support/servers/free-port.ts';
import { startRedis } from '../../../test/support/servers/redis-server.ts';

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const secret = 'a secret of this test';
const conversationId = 'chat 1';
// Enough for the summarizer, which is the same model, to read what it summarizes at once.
const contextLength = 6000;

/** A chat of so many messages, of some 260 tokens each. */
function chat(length: number): ModelMessage[] {
  return Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index}: ${'rivers and stones and clouds '.repeat(50)}`,
  }));
}

/** The length of the shortest chat that takes this share of the context. */
async function lengthAt(share: number): Promise<number> {
  const model = createOpenAICompatible({ name: 'models', baseURL: 'http://127.0.0.1' })('a-model');
  for (let length = 1; ; length += 2) {
    const options = { contextLength };
    const { ratio } = await explainSummarization({ messages: chat(length), model, options });
    if (ratio >= share) return length;
  }
}

async function startExample() {
  const redis = await startRedis();
  ends.push(redis.stop);
  const models = await startChatServer({ isSilentAtFirst: true });
  ends.push(models.close);
  const port = await freePort();
  const env = {
    REDIS_URL: redis.url,
    MODEL_URL: models.url,
    MODEL: 'a-model',
    SUMMARY_SECRET: secret,
    CONTEXT_LENGTH: String(contextLength),
    PORT: String(port),
    LOCK_MS: '4000',
  };
  const server = await startProcess(new URL('../server.ts', import.meta.url), env);
  ends.push(server.kill);
  const startWorker = async () => {
    const worker = await startProcess(new URL('../worker.ts', import.meta.url), env);
    ends.push(worker.kill);
    return worker;
  };
  const send = async (length: number): Promise<void> => {
    const body = JSON.stringify({ conversationId, messages: chat(length) });
    const answer = await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body });
    expect(await answer.json()).toEqual({ text: 'Understood.' });
  };
  const client = new Redis(redis.url);
  ends.push(() => client.disconnect());
  return { models, startWorker, send, store: redisStore(client) };
}

/** Looks again and again until something holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(50);
}

describe.skipIf(!isInstalled('redis-server'))(
  'a summary whose worker is killed in the middle',
  () => {
    it('is made by another worker, once, and the next call waits and pays for nothing', async () => {
      const { models, startWorker, send, store } = await startExample();
      const first = await startWorker();
      // Not due yet, but soon.
      let length = await lengthAt(0.72);
      await send(length);
      await until(() => models.bills() === 1);
      await first.kill();
      const second = await startWorker();
      await second.wrote('done ');
      expect(models.bills()).toBe(2);

      // It stands in no prompt before it is due, and from then on in each.
      const isSummarized = (): boolean => models.prompts.at(-1)?.includes('They spoke of') === true;
      const most = await lengthAt(1);
      for (; !isSummarized() && length < most; length += 2) await send(length);
      expect(isSummarized()).toBe(true);
      await send(length);
      expect(isSummarized()).toBe(true);
      expect(models.bills()).toBe(2);
      const list = async () => listSummaries({ store, secret, conversationId });
      await until(async () => (await list()).length > 0);
      expect(await list()).toHaveLength(1);
    });
  },
);
