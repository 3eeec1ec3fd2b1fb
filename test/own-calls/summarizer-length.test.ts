import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  countPromptTokens,
  summarizeConversation,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { setUp } from '../support/set-up.ts';

const history = chat(201, 100);

const newSummarizer = (): ReturnType<typeof summarizerModel> =>
  summarizerModel(({ responseFormat }) =>
    responseFormat?.type === 'json' ? answer() : 'They spoke of rivers.',
  );

/** Tokens of each call of a model. */
async function sizesOf(model: ReturnType<typeof summarizerModel>): Promise<readonly number[]> {
  const counts = await Promise.all(
    model.doGenerateCalls.map(({ prompt }) => countPromptTokens({ messages: prompt, model })),
  );
  return counts.map(({ total }) => total);
}

const declared: readonly [string, SummarizationOptions][] = [
  [
    'by contextLength',
    { contextLength: ({ modelId }) => (modelId === 'summarizer' ? 3000 : 25_000) },
  ],
  [
    'by providers',
    { contextLength: 25_000, providers: { 'openai:summarizer': { contextLength: 3000 } } },
  ],
];

describe('a summarizing model whose context length the caller declares', () => {
  it.each(declared)('is never asked to read more: %s', async (_how, options) => {
    const summarizer = newSummarizer();
    const { events, model } = setUp(options, { summarizer });
    await generateText({ model, messages: history });
    expect(events).toContainEqual(expect.objectContaining({ type: 'end', strategy: 'llm' }));
    expect(Math.max(...(await sizesOf(summarizer)))).toBeLessThan(3000);
  });

  it.each(declared)('is never asked by summarizeConversation: %s', async (_how, config) => {
    const summarizer = newSummarizer();
    const models = { summarizerModelPreference: summarizer };
    const model = chatModel();
    await summarizeConversation({ messages: history, model, config: { ...config, ...models } });
    expect(Math.max(...(await sizesOf(summarizer)))).toBeLessThan(3000);
  });
});
