import { generateText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  type SummarizationEvent,
  summarizationMiddleware,
  type SummarizationOptions,
} from '../../src/index.ts';
import { asksForSummary, conversationOf, sentText, tableModel } from '../support/table-models.ts';
import { billOf, expectFairBill, modelOf, ratios, shapes } from './one-call.ts';

describe('the first example: the model summarises itself', () => {
  // Instructions take a good part of a small window.
  const mostCalls = Object.entries({ 'gpt-4o': 1, 'gpt-3.5-turbo': 1, 'gpt-4': 3, 'llama-2': 4 });
  const cases = mostCalls.map(([modelId, most], index) => ({
    modelId,
    most,
    ratio: ratios[index % ratios.length] ?? 1,
    shape: shapes[index % shapes.length] ?? 'chat',
    isReported: index % 2 === 1,
  }));
  it.each(cases)(
    'at most $most of $modelId at $ratio of its window, as $shape, usage reported: $isReported',
    async ({ most, ...question }) => {
      const bill = await billOf(question);
      expectFairBill(bill);
      expect(bill.calls).toBeLessThanOrEqual(most);
    },
  );

  it('one call of a model with room for them, whose answer is bounded', async () => {
    const bill = await billOf({ modelId: 'claude-sonnet-4-5' });
    expectFairBill(bill);
    expect(bill.calls).toBe(1);
    // That is not left to the provider's own default.
    const asked = bill.inner.doGenerateCalls.filter(asksForSummary);
    expect(asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8000]);
  });
});

describe('another model summarises', () => {
  it('as few calls of a smaller one as its window allows', async () => {
    const bill = await billOf({ modelId: 'gpt-4o', summarizerId: 'gpt-4-32k' });
    expectFairBill(bill);
    expect(bill.calls).toBe(Math.ceil(bill.covered / 26_000));
  });

  it('no more than eight calls of one that is far too small: the rules read the beginning', async () => {
    const bill = await billOf({ modelId: 'gpt-4o', summarizerId: 'gpt-4' });
    expectFairBill(bill);
    expect(bill.calls).toBeGreaterThan(5);
    expect(bill.calls).toBeLessThanOrEqual(8);
    expect(bill.read).toBeLessThan(8 * 8192);
  });
});

const messages = conversationOf('chat', 104_000);
/** A summariser that needs several calls for it, and one that needs one. */
const small = (): ReturnType<typeof modelOf> =>
  tableModel({ provider: 'test', modelId: 'gpt-4-32k' }, async (options) =>
    Math.ceil(sentText(options).length / 6.2),
  );

async function summarize(options: SummarizationOptions) {
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    onEvent: (event) => void events.push(event),
    ...options,
  });
  const model = modelOf('gpt-4o');
  const wrapped = wrapLanguageModel({ model, middleware });
  const { providerMetadata } = await generateText({ model: wrapped, messages });
  const end = events.find((event) => event.type === 'end');
  return { end, events, middleware, metadata: providerMetadata?.['summarization'] };
}

describe('calls and tokens of summarising models', () => {
  it('are said before paying, and when they are paid', async () => {
    const summarizer = small();
    const options = { summarizerModelPreference: summarizer };
    const { plan } = await explainSummarization({ model: modelOf('gpt-4o'), messages, options });
    const { end, events, middleware, metadata } = await summarize(options);
    const calls = summarizer.doGenerateCalls.filter(asksForSummary).length;
    expect(calls).toBeGreaterThan(2);
    expect(end).toMatchObject({ calls, strategy: 'llm' });
    const progress = events.filter(({ type }) => type === 'progress');
    expect(progress).toHaveLength(calls);
    expect(progress[1]).toMatchObject({ strategy: 'llm', layer: 1, completed: 2, total: calls });
    const { inputTokens = 0, outputTokens = 0 } = end?.usage ?? {};
    expect(inputTokens).toBeGreaterThan(plan?.summarizerInputTokens ?? Infinity);
    expect(inputTokens).toBeLessThan(1.2 * (plan?.summarizerInputTokens ?? 0));
    expect(metadata).toMatchObject({ summarizer: { calls, inputTokens, outputTokens } });
    expect(middleware.stats()).toMatchObject({ calls, tokensBilled: inputTokens + outputTokens });
  });
});

describe('maxSummaryCallsPerHour', () => {
  it('bounds the calls of one summary: the rules read what they cannot', async () => {
    const summarizer = small();
    const options = {
      summarizerModelPreference: summarizer,
      maxSummaryCallsPerHour: 2,
      namespace: 'bounded',
    };
    const { end } = await summarize(options);
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(end).toMatchObject({ calls: 2, strategy: 'llm', degraded: false });
  });

  it('counts every call of a summary, not the summary', async () => {
    const summarizer = small();
    const middleware = summarizationMiddleware({
      summarizerModelPreference: summarizer,
      maxSummaryCallsPerHour: 5,
      namespace: 'counted',
    });
    const model = wrapLanguageModel({ model: modelOf('gpt-4o'), middleware });
    for (const text of ['One.', 'Two.', 'Three.'])
      await generateText({ model, messages: [{ role: 'user', content: text }, ...messages] });
    expect(summarizer.doGenerateCalls).toHaveLength(5);
    expect(middleware.stats()).toMatchObject({ summaries: 3, fallbacks: 1 });
  });
});
