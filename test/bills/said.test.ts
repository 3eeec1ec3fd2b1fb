import { generateText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { asksForSummary, conversationOf, sentText, tableModel } from '../support/table-models.ts';
import { modelOf } from './one-call.ts';

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
    const { end, middleware, metadata } = await summarize(options);
    const calls = summarizer.doGenerateCalls.filter(asksForSummary).length;
    expect(calls).toBeGreaterThan(2);
    expect(plan?.summarizerCalls).toBe(calls);
    expect(end).toMatchObject({ calls, strategy: 'llm' });
    const { inputTokens = 0, outputTokens = 0 } = end?.usage ?? {};
    expect(inputTokens).toBeGreaterThan(plan?.summarizerInputTokens ?? Infinity);
    expect(inputTokens).toBeLessThan(1.2 * (plan?.summarizerInputTokens ?? 0));
    expect(metadata).toMatchObject({ summarizer: { calls, inputTokens, outputTokens } });
    const { attempts, tokens } = middleware.stats();
    expect(attempts.made).toBe(calls);
    expect(tokens).toMatchObject({ summarizerInput: inputTokens, summarizerOutput: outputTokens });
  });

  it('are one of a model that reads it at once, and none where rules write', async () => {
    const model = modelOf('gpt-4o');
    const large = { summarizerModelPreference: modelOf('gemini-2.5-flash') };
    for (const [options, calls] of [
      [{}, 1],
      [large, 1],
      [{ summarizerModelPreference: 'google/gemini-2.5-flash' }, 1],
      [{ strategy: 'rule-based' }, 0],
    ] as const) {
      const { plan } = await explainSummarization({ model, messages, options });
      expect(plan?.summarizerCalls).toBe(calls);
    }
    const { end, metadata } = await summarize({ strategy: 'rule-based' });
    expect(end?.calls).toBe(0);
    expect(metadata).not.toHaveProperty('summarizer');
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

  it('is named where its old name is given', () => {
    const options: object = { maxSummariesPerHour: 3 };
    expect(() => summarizationMiddleware(options)).toThrow(/did you mean maxSummaryCallsPerHour\?/);
  });
});
