import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { SummarizationOptions } from 'ai-sdk-summarization';
import { redisStore } from 'ai-sdk-summarization/redis';
import { Redis } from 'ioredis';

/** Connections of BullMQ wait for Redis as long as it takes. */
export const connection = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379', {
  maxRetriesPerRequest: null,
});

export const queueName = 'summaries';

/** The model of the conversations; without the middleware. */
export const model = createOpenAICompatible({
  name: 'models',
  baseURL: process.env['MODEL_URL'] ?? 'http://127.0.0.1:11434/v1',
  supportsStructuredOutputs: true,
}).chatModel(process.env['MODEL'] ?? 'gpt-oss:20b');

/** Settings shared by the server and its workers: the place of summaries, and the way they are made. */
export const state = {
  store: redisStore(connection),
  // At least 16 characters, the same for all processes.
  secret: process.env['SUMMARY_SECRET'] ?? 'only for trying it out',
};

export const options: SummarizationOptions = {
  contextLength: Number(process.env['CONTEXT_LENGTH'] ?? 128_000),
};
