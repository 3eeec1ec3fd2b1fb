// One instance of an application: answers the conversations that it is sent, over a Redis that others share.
import { setTimeout as delay } from 'node:timers/promises';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { Redis as Ioredis } from 'ioredis';
import { createClient } from 'redis';
import { redisStore, type RedisClient } from '../../../../src/stores/redis-store.ts';
import { answer, textResult } from '../../../support/models.ts';
import { chat, user } from '../../../support/messages.ts';
import { promptsOf, summaryOf } from '../../../support/prompts.ts';
import { setUp } from '../../../support/set-up.ts';
import type { Answered, Asked, Paying } from './instances.ts';

const [, , url = '', kind = '', summaryMs = ''] = process.argv;

async function connect(): Promise<RedisClient> {
  const onReady = (): void => tell('connected');
  if (kind === 'ioredis') return new Ioredis(url).on('error', () => {}).on('ready', onReady);
  // One that queues nothing fails at once while it has no connection.
  return createClient({ url, disableOfflineQueue: kind === 'redis without a queue' })
    .on('error', () => {})
    .on('ready', onReady)
    .connect();
}

function tell(message: Answered | Paying | 'connected'): void {
  process.send?.(message);
}

const summarizer = new MockLanguageModelV4({
  provider: 'openai.responses',
  modelId: 'summarizer',
  doGenerate: async ({ prompt }) => {
    const [paying = ''] = /conversation-\w+/.exec(JSON.stringify(prompt)) ?? [];
    tell({ paying });
    await delay(Number(summaryMs));
    return textResult(answer({ summary: `They spoke of ${paying}, says ${process.pid}.` }));
  },
});
const client = await connect();
const options = { store: redisStore(client), secret: 'of all instances alike' };
const { model, inner } = setUp(options, { summarizer });

process.on('message', ({ id, name, messages }: Asked) => {
  void (async () => {
    const startedAt = performance.now();
    await generateText({
      model,
      messages: [user(`Here begins ${name}.`), ...chat(messages).slice(1)],
    });
    const tookMs = performance.now() - startedAt;
    const summary = promptsOf(inner)
      .map(summaryOf)
      .findLast((text) => text?.includes(name));
    tell({ id, tookMs, summary });
  })();
});
