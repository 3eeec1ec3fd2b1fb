import type { LanguageModelV4Message } from '@ai-sdk/provider';
import {
  defaultInstructionsMiddleware,
  defaultSettingsMiddleware,
  extractJsonMiddleware,
  extractReasoningMiddleware,
  generateText,
  type LanguageModelMiddleware,
  simulateStreamingMiddleware,
  streamText,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  type SummarizationEvent,
  summarizationMiddleware,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { answer, chatModel, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryOf, textOf } from '../support/prompts.ts';

/** Where another middleware stands in the list, seen from ours. */
type Order = 'before' | 'after';

/** Wraps a model in ours and another middleware. */
function wrapInBoth(
  order: Order,
  other: LanguageModelMiddleware,
  {
    model = chatModel(),
    ...options
  }: SummarizationOptions & { readonly model?: MockLanguageModelV4 } = {},
) {
  const events: SummarizationEvent[] = [];
  const ours = summarizationMiddleware({
    contextLength: 1000,
    summarizerModelPreference: summarizerModel(answer({ summary: 'They spoke of rivers.' })),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const middleware = order === 'before' ? [other, ours] : [ours, other];
  return { inner: model, events, model: wrapLanguageModel({ model, middleware }) };
}

const orders = ['before', 'after'] as const;
const short = chat(3);
const long = chat(19);
const instructions = 'Answer like a pirate.';
const systemsOf = (prompt: readonly LanguageModelV4Message[]): string[] =>
  prompt.filter(({ role }) => role === 'system').map((message) => textOf(message));

describe('defaultInstructionsMiddleware', () => {
  const other = defaultInstructionsMiddleware({ instructions });

  it('before ours puts the instructions in front of the summary too', async () => {
    const { inner, model } = wrapInBoth('before', other);
    const results = [
      await generateText({ model, messages: short }),
      await generateText({ model, messages: long }),
    ];
    const [first = [], second = []] = promptsOf(inner);
    expect(systemsOf(first)).toEqual([instructions]);
    expect(systemsOf(second)).toEqual([instructions, summaryOf(second)]);
    expect(results.map(({ warnings }) => warnings)).toEqual([[], []]);
  });

  it("after ours keeps the instructions with placement 'user'", async () => {
    const { inner, model } = wrapInBoth('after', other, { placement: 'user' });
    const { warnings } = await generateText({ model, messages: long });
    const prompt = lastPrompt(inner);
    expect(systemsOf(prompt)).toEqual([instructions]);
    expect(textOf(prompt.find(({ role }) => role === 'user'))).toContain('They spoke of rivers.');
    expect(warnings).toEqual([]);
  });
});

describe('defaultSettingsMiddleware', () => {
  const settings = { maxOutputTokens: 400 };
  const messages = chat(13);

  it.each([
    ['before', 1],
    ['after', 0],
  ] as const)('%s ours has room kept for maxOutputTokens: %i', async (order, summaries) => {
    const { inner, events, model } = wrapInBoth(order, defaultSettingsMiddleware({ settings }));
    await generateText({ model, messages });
    expect(inner.doGenerateCalls[0]?.maxOutputTokens).toBe(400);
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(summaries);
  });
});

describe.each([
  [
    'extractReasoningMiddleware',
    extractReasoningMiddleware({ tagName: 'think' }),
    (text: string) => `<think>Hm.</think>${text}`,
  ],
  [
    'extractJsonMiddleware',
    extractJsonMiddleware(),
    (text: string) => `\`\`\`json\n${text}\n\`\`\``,
  ],
] as const)('%s', (_name, other, dress) => {
  // Before, it leaves the answers of the default summarizer whole, which are read all the same.
  it.each(orders)('%s ours spoils no summary', async (order) => {
    const model = modelThatSummarizes(dress);
    const run = wrapInBoth(order, other, { model, summarizerModelPreference: undefined });
    await generateText({ model: run.model, messages: long });
    expect(run.events.find(({ type }) => type === 'end')).toMatchObject({ degraded: false });
    // A stream was asked for first, which it has none of.
    expect(summaryOf(model.doGenerateCalls.at(-1)?.prompt ?? [])).toContain('They spoke of boats.');
  });
});

describe('simulateStreamingMiddleware', () => {
  it.each(orders)('%s ours streams with summary and metadata', async (order) => {
    const inner = chatModel({ modelId: `simulated-${order}` });
    const { model } = wrapInBoth(order, simulateStreamingMiddleware(), { model: inner });
    const result = streamText({ model, messages: long, maxOutputTokens: 600 });
    await result.consumeStream();
    expect(await result.text).toBe('Understood.');
    expect(inner.doStreamCalls).toHaveLength(0);
    expect(summaryOf(lastPrompt(inner))).toContain('They spoke of rivers.');
    expect((await result.providerMetadata)?.['summarization']).toMatchObject({ depth: 0 });
  });
});

/** A model that answers and writes its own summaries, these as `dress` leaves them. */
function modelThatSummarizes(dress: (text: string) => string): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'gpt-5-mini',
    doGenerate: async ({ responseFormat }) =>
      textResult(
        responseFormat?.type === 'json'
          ? dress(answer({ summary: 'They spoke of boats.' }))
          : 'Understood.',
      ),
  });
}
