import { APICallError } from '@ai-sdk/provider';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it, vi } from 'vitest';
import { countPromptTokens } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { textResult } from '../../support/models.ts';
import { lastPrompt } from '../../support/prompts.ts';
import { eventsOf, setUp } from '../../support/set-up.ts';

const names = { provider: 'openai.responses', modelId: 'gpt-test' };
const fault = new Error('Cannot perform I/O on behalf of a different request.');

vi.mock('../../../src/call/run/make-summary.ts', async (original) => ({
  ...(await original<object>()),
  makeSummary: async () => {
    throw fault;
  },
}));

const tokensOf = async (model: MockLanguageModelV4): Promise<number> =>
  (await countPromptTokens({ messages: lastPrompt(model), model })).total;

describe('a call whose summary fails for a reason that nobody expects', () => {
  it('goes out within the limit, and tells of it', async () => {
    const { model, inner, events } = setUp();
    await generateText({ model, messages: chat(61) });
    expect(await tokensOf(inner)).toBeLessThanOrEqual(1000);
    const [applied] = eventsOf({ events }, 'applied');
    const reason = 'context-overflow';
    const size = { tokens: 3175, contextLength: 1000, ratio: 3.175 };
    const lastSummarization = undefined;
    const measured = {
      lastSummarization,
      exact: true,
      measuredBy: 'count',
      tokenized: true,
      messageCount: 61,
    };
    const wait = { type: 'waiting', reason, messages: 55, ...size, ...names };
    const [tokensBefore, tokensAfter, shortenedMessages] = [3175, applied?.tokens, []];
    const shorter = { reason: 'too-long', tokensBefore, tokensAfter, shortenedMessages };
    expect(events.slice(0, -1)).toEqual([
      { type: 'check', act: 'emergency', reason, ...size, ...measured, ...names },
      { ...wait, isOver: false },
      { type: 'failed', stage: 'prepare', reason: 'unexpected error', error: fault, ...names },
      { ...wait, isOver: true },
      { type: 'recovered', ...shorter, ...names },
    ]);
  });

  it.each([false, true])('is told of ahead of need, unless it was ended: %s', async (isEnded) => {
    const ending = new AbortController();
    if (isEnded) ending.abort();
    const work: unknown[] = [];
    const background = (promise: Promise<unknown>): unknown => work.push(promise);
    const { model, events } = setUp({ background, abortSignal: ending.signal });
    await generateText({ model, messages: chat(15) });
    await Promise.all(work);
    const reason = 'a summary could not be prepared';
    const told = { type: 'failed', stage: 'background', reason, error: fault, ...names };
    expect(work).toHaveLength(1);
    expect(events.slice(1)).toEqual(isEnded ? [] : [told]);
  });

  it('is shortened when the provider refuses it all the same', async () => {
    let isRefusing = true;
    const inner = new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'test-model',
      doGenerate: async () => {
        if (!isRefusing) return textResult('Understood.');
        isRefusing = false;
        const message = "This model's maximum context length is 600 tokens.";
        const request = { url: 'http://127.0.0.1', requestBodyValues: {}, statusCode: 400 };
        throw new APICallError({ ...request, message, isRetryable: false });
      },
    });
    const { model, events } = setUp({}, { inner });
    const { text } = await generateText({ model, messages: chat(61), maxRetries: 0 });
    expect(text).toBe('Understood.');
    expect(await tokensOf(inner)).toBeLessThanOrEqual(600);
    expect(events.filter(({ type }) => type === 'recovered')).toHaveLength(2);
  });
});
