import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { summarizationMiddleware } from '../../../src/index.ts';
import { refusingModel } from '../../retry/refusing-model.ts';
import { apiError, chatModel } from '../../support/models.ts';
import { promptsOf, summaryOf } from '../../support/prompts.ts';
import { openaiChatApi } from '../../wire/apis/chat.ts';
import { jsonReply } from '../../wire/apis/wire-api.ts';
import { startWireServer } from '../../wire/apis/wire-server.ts';
import { factOf, history, keptBytes, type Said, testMeasure } from './growing-history.ts';

const limit = 6000;
const observe = { provider: 'openai.responses' };

/** An agent that read 32 files, and the same one step later. */
const task: Said = { kind: 'user', words: 60 };
const reading: Said[] = Array.from({ length: 32 }, (_, index) => ({
  kind: 'tool',
  words: 500 + ((index * 137) % 400),
}));
const steps: Said[] = [
  task,
  { kind: 'answer', words: 20 },
  { kind: 'user', words: 40 },
  ...reading,
];
const calls: readonly ModelMessage[][] = [
  history(steps),
  history([...steps, { kind: 'answer', words: 20 }, { kind: 'user', words: 10 }]),
];

const refusal = {
  message: `This model's maximum context length is ${limit} tokens. However, your messages are too long.`,
  type: 'invalid_request_error',
  code: 'context_length_exceeded',
};

const broken = new MockLanguageModelV4({
  doGenerate: () => Promise.reject(new Error('No summary today.')),
});

describe('a prompt that is over the limit and has no summary', () => {
  it.each([
    ['by choice', { strategy: 'none' as const }],
    ['because no summary could be made', { fallbackStrategy: false as const }],
  ])('fills the window alike in two calls in a row: %s', async (_why, options) => {
    const inner = chatModel(observe);
    const model = wrapLanguageModel({
      model: inner,
      middleware: summarizationMiddleware({
        contextLength: limit,
        summarizerModelPreference: broken,
        ...options,
      }),
    });
    for (const messages of calls) await generateText({ model, messages, maxRetries: 0 });
    const [first, second] = promptsOf(inner);
    if (first === undefined || second === undefined) throw new Error('Two prompts were expected.');
    const measure = await testMeasure();
    for (const prompt of [first, second]) {
      const tokens = measure.prompt(prompt);
      expect(tokens).toBeLessThanOrEqual(limit);
      expect(tokens).toBeGreaterThan(limit * 0.85);
      expect(JSON.stringify(prompt)).toContain(factOf(0));
      expect(JSON.stringify(prompt)).toContain(factOf(2));
    }
    expect(keptBytes(first, second)).toBeGreaterThan(0.65);
  });

  it('repeats what the user said first when a shortened prompt is shortened once more', async () => {
    const inner = refusingModel({ throws: apiError(refusal.message) });
    const model = wrapLanguageModel({
      model: inner,
      middleware: summarizationMiddleware({ contextLength: limit * 1.2, strategy: 'none' }),
    });
    const turn: Said[] = [
      { kind: 'user', words: 60 },
      { kind: 'tool', words: 300 },
      { kind: 'answer', words: 200 },
    ];
    const turns = Array.from({ length: 40 }, () => turn).flat();
    const messages = history([...turns, task]);
    await generateText({ model, messages, maxRetries: 0 });
    const prompts = promptsOf(inner);
    expect(prompts).toHaveLength(2);
    for (const prompt of prompts) expect(summaryOf(prompt)).toContain(factOf(0));
  });

  it('fills what the provider said it takes, in the second attempt too', async () => {
    const prompts: string[] = [];
    const server = await startWireServer({
      ...openaiChatApi,
      answer: (request) => {
        const body = JSON.stringify(request.body);
        if (body.length > 60_000) return jsonReply(400, { error: refusal });
        prompts.push(body);
        return openaiChatApi.answer(request);
      },
    });
    const shortened: number[] = [];
    try {
      for (const messages of calls) {
        // Each call for itself: who has learned the limit is not refused again.
        const middleware = summarizationMiddleware({
          contextLength: 100_000,
          strategy: 'none',
          onEvent: (event) => {
            if (event.type === 'recovered') shortened.push(event.tokensAfter);
          },
        });
        const inner = createOpenAI({ baseURL: server.baseURL, apiKey: 'unused' });
        const model = wrapLanguageModel({ model: inner.chat('gpt-4.1-mini'), middleware });
        await generateText({ model, messages, maxRetries: 0 });
      }
    } finally {
      await server.close();
    }
    expect(shortened).toHaveLength(2);
    for (const tokens of shortened) {
      expect(tokens).toBeLessThanOrEqual(limit);
      expect(tokens).toBeGreaterThan(limit * 0.85);
    }
    expect(prompts).toHaveLength(2);
    for (const prompt of prompts) expect(prompt).toContain(factOf(0));
  });
});
