import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { summarizationMiddleware, type SummarizationOptions } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { answer, chatModel, textResult } from '../support/models.ts';

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 1000, noCache: 200, cacheRead: 700, cacheWrite: 100 },
  outputTokens: { total: 50, text: 50, reasoning: 0 },
};
const prices = { input: 2, cacheRead: 0.2, cacheWrite: 2.5, output: 10, cacheMinutes: 5 };

function wrapped(options: SummarizationOptions) {
  const lines: string[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 1000,
    prices: { openai: prices },
    debug: (line) => lines.push(line),
    ...options,
  });
  const inner = new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'gpt-test',
    doGenerate: async () => ({ ...textResult('Understood.'), usage }),
  });
  return { middleware, model: wrapLanguageModel({ model: inner, middleware }), lines };
}

function billed(text: string): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'summarizer',
    doGenerate: async () => ({ ...textResult(text), usage }),
  });
}

describe('stats', () => {
  it('says of a new middleware that it has done nothing', () => {
    const { stats } = summarizationMiddleware();
    expect(stats()).toMatchObject({
      calls: 0,
      summaries: 0,
      attempts: { made: 0, failed: 0, aborted: 0 },
      failures: {},
      latencyMs: { mean: 0, p95: 0 },
      tokens: { input: 0, saved: 0 },
      cost: { calls: 0, summaries: 0, saved: 0 },
    });
  });

  it('adds up calls, summaries, tokens and what they cost', async () => {
    const { middleware, model } = wrapped({
      summarizerModelPreference: billed(answer({ summary: 'They spoke of rivers.' })),
    });
    await generateText({ model, messages: chat(5) });
    await generateText({ model, messages: chat(19) });
    const stats = middleware.stats();
    expect(stats).toMatchObject({
      calls: 2,
      summaries: 1,
      attempts: { made: 1, failed: 0, aborted: 0 },
      fallbacks: 0,
      failures: {},
    });
    expect(stats.tokens).toMatchObject({ input: 2000, cacheRead: 1400, output: 100 });
    expect(stats.tokens).toMatchObject({ summarizerInput: 1000, summarizerOutput: 50 });
    expect(stats.tokens.saved).toBeGreaterThan(200);
    // A token that is read costs a tenth, one that is written 1.25, one of the answer 5.
    expect(stats.cost.calls).toBeCloseTo(2 * (200 + 70 + 125 + 250));
    expect(stats.cost.summaries).toBeCloseTo(1000 + 250);
    expect(stats.cost.saved).toBeCloseTo(stats.tokens.saved / 10);
    expect(stats.latencyMs.p95).toBeGreaterThanOrEqual(stats.latencyMs.mean);
    expect(stats.waitMs.mean).toBeGreaterThan(0);
  });

  it('counts attempts that failed, what they cost, and the fallback', async () => {
    const { middleware, model } = wrapped({ summarizerModelPreference: billed('No summary.') });
    await generateText({ model, messages: chat(19) });
    expect(middleware.stats()).toMatchObject({
      summaries: 1,
      attempts: { made: 1, failed: 1 },
      failures: { 'invalid-output': 1 },
      fallbacks: 1,
      tokens: { summarizerInput: 1000, summarizerOutput: 50 },
    });
  });

  it('counts attempts that were aborted', async () => {
    const ending = new AbortController();
    const summarizer = new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'summarizer',
      doGenerate: ({ abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => reject(new Error('aborted')));
          ending.abort(new Error('shut down'));
        }),
    });
    const { middleware, model } = wrapped({
      summarizerModelPreference: summarizer,
      abortSignal: ending.signal,
    });
    await generateText({ model, messages: chat(19) });
    expect(middleware.stats().attempts).toEqual({ made: 1, failed: 0, aborted: 1 });
  });

  it('counts streamed answers, of models that report nothing too', async () => {
    const middleware = summarizationMiddleware({ contextLength: 1000 });
    const model = wrapLanguageModel({ model: chatModel(), middleware });
    await streamText({ model, messages: chat(5) }).text;
    expect(middleware.stats()).toMatchObject({
      calls: 1,
      tokens: { input: 0 },
      cost: { calls: 0 },
    });
  });

  it('keeps the figures of one middleware apart from those of another', async () => {
    const [busy, idle] = [wrapped({}), wrapped({})];
    await generateText({ model: busy.model, messages: chat(5) });
    expect(busy.middleware.stats().calls).toBe(1);
    expect(idle.middleware.stats().calls).toBe(0);
  });

  it('writes all figures to the debug log every hundred calls', async () => {
    const { model, lines } = wrapped({ strategy: 'none' });
    for (let call = 0; call < 200; call += 1) await generateText({ model, messages: chat(1) });
    const written = lines.filter((line) => line.startsWith('[summarization] stats '));
    expect(written).toHaveLength(2);
    expect(JSON.parse(written[1]?.slice('[summarization] stats '.length) ?? '')).toMatchObject({
      calls: 200,
    });
  });
});
