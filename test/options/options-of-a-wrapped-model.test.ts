import {
  customProvider,
  defaultSettingsMiddleware,
  type LanguageModel,
  wrapLanguageModel,
  wrapProvider,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { durableModel, registerMiddleware } from '../../src/entries/durable/index.ts';
import {
  compact,
  countPromptTokens,
  explainSummarization,
  memoryStore,
  prepareSummary,
  ruleBasedStrategy,
  summarizationMiddleware,
  type SummarizationOptions,
  summarizeConversation,
} from '../../src/index.ts';
import { assistant, user, words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { promptsOf } from '../support/prompts.ts';
import { called } from '../support/set-up.ts';

const redact = (text: string): string => text.replaceAll('hunter2', '[secret]');
const messages = Array.from({ length: 23 }, (_, index) =>
  (index % 2 === 0 ? user : assistant)(`Word ${index} is hunter2. ${words(index, 40)}`),
);
const writer = () => summarizerModel(answer({ summary: 'They spoke of a password.' }));

/** A model that summarizes and is wrapped, and what it was sent. */
function wrapModel(options: SummarizationOptions = {}, inner = writer()) {
  const middleware = summarizationMiddleware({ redact, ...options });
  return { model: wrapLanguageModel({ model: inner, middleware }), inner };
}

type Input = { readonly model: LanguageModel; readonly options?: SummarizationOptions };
const functions: readonly [string, (input: Input) => Promise<unknown>][] = [
  ['compact', (input) => compact({ ...input, messages, force: true })],
  ['summarizeConversation', (input) => summarizeConversation({ ...input, messages })],
  [
    'prepareSummary',
    (input) => prepareSummary({ ...input, messages, store: memoryStore(), force: true }),
  ],
];

describe.each(functions)('%s takes the options of a wrapped model', (_name, run) => {
  it('and redacts like its middleware', async () => {
    const { model, inner } = wrapModel();
    const result = JSON.stringify(await run({ model, options: { minMessages: 4 } }));
    expect(result).toContain('They spoke of a password.');
    const [request] = promptsOf(inner).map((prompt) => JSON.stringify(prompt));
    expect(request).toContain('[secret]');
    expect(request).not.toContain('hunter2');
  });

  it('and those of the call over them', async () => {
    const { model, inner } = wrapModel();
    await run({ model, options: { redact: undefined, store: memoryStore() } });
    expect(JSON.stringify(promptsOf(inner))).toContain('hunter2');
  });
});

it('compact writes into no store of a wrapped model: an erasure of its namespaces would not find it', async () => {
  const values = new Map<string, string>();
  const store = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: string) => values.set(key, value).size > 0,
    delete: async (key: string): Promise<void> => void values.delete(key),
  };
  const middleware = summarizationMiddleware({
    contextLength: 5000,
    store,
    secret: 's'.repeat(40),
    archive: true,
    strategy: 'rule-based',
  });
  const model = wrapLanguageModel({ model: chatModel(), middleware });
  const result = await compact({ model, messages, force: true });
  expect(result.messages.length).toBeLessThan(messages.length);
  expect(values.size).toBe(0);
});

const settings = defaultSettingsMiddleware({ settings: { temperature: 0 } });
const middleware = summarizationMiddleware({ contextLength: 5000 });
registerMiddleware('carried', () => middleware);
const ways: readonly [string, (model: MockLanguageModelV4) => LanguageModel][] = [
  [
    'another middleware around it',
    (model) => wrapLanguageModel({ model, middleware: [settings, middleware] }),
  ],
  [
    'another middleware inside',
    (model) => wrapLanguageModel({ model, middleware: [middleware, settings] }),
  ],
  [
    'a wrapped provider',
    (model) =>
      wrapProvider({
        provider: customProvider({ languageModels: { chat: model } }),
        languageModelMiddleware: middleware,
      }).languageModel('chat'),
  ],
  ['a durable model', (model) => durableModel({ model, middleware: 'carried' })],
];

describe('the options of a wrapped model', () => {
  it.each(ways)('are found through %s', async (_name, wrap) => {
    const explanation = await explainSummarization({ messages, model: wrap(chatModel()) });
    expect(explanation.contextLength).toBe(5000);
  });

  it('are found where the model itself asks for its addresses, and the addresses stay', async () => {
    const supportedUrls = { 'image/*': [/^https:/] };
    for (const list of [supportedUrls, Promise.resolve(supportedUrls)]) {
      const inner = new MockLanguageModelV4({ supportedUrls: list });
      const model = wrapLanguageModel({ model: inner, middleware });
      expect(await model.supportedUrls).toEqual(supportedUrls);
      const { contextLength } = await explainSummarization({ messages, model });
      expect(contextLength).toBe(5000);
    }
    const refusal = Promise.reject<typeof supportedUrls>(new Error('No list.'));
    const inner = new MockLanguageModelV4({ supportedUrls: refusal });
    await expect(wrapLanguageModel({ model: inner, middleware }).supportedUrls).rejects.toThrow(
      'No list.',
    );
  });

  it('are those of the middleware, and not of another around the same model', async () => {
    const inner = chatModel();
    wrapLanguageModel({ model: inner, middleware });
    const other = wrapLanguageModel({
      model: inner,
      middleware: summarizationMiddleware({ contextLength: 7000 }),
    });
    expect(await explainSummarization({ messages, model: other })).toMatchObject({
      contextLength: 7000,
    });
    expect(await explainSummarization({ messages, model: inner })).toMatchObject({
      contextLength: 128_000,
    });
  });

  it('let an explanation know the summaries in the memory of the middleware', async () => {
    const { model } = await called(messages, { preserveRecent: 4 });
    expect(await explainSummarization({ messages, model })).toMatchObject({
      contextLength: 1000,
      applied: { strategy: 'llm' },
    });
  });

  it('are left out where they are wrong beside those of the call', async () => {
    const { model, inner } = wrapModel({
      summarizerModelPreference: chatModel(),
      resetTokenRatio: 0.7,
    });
    const strategy = ruleBasedStrategy();
    const result = await summarizeConversation({
      model,
      messages,
      options: { strategy, triggerTokenRatio: 0.6 },
    });
    expect(result).toMatchObject({ ok: true, record: { strategy: 'rule-based' } });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(promptsOf(inner)).toEqual([]);
    const options = { strategy, minUserTurns: 2 };
    await expect(summarizeConversation({ model, messages, options })).rejects.toThrow(
      'minUserTurns',
    );
  });

  it('let tokens be counted as the middleware counts them', async () => {
    const providers = { 'openai.responses': { tokenMultiplier: 2 } };
    const { model, events } = await called(messages, {
      providers,
      strategy: 'none',
      contextLength: 2000,
    });
    const [check] = events;
    expect(check).toMatchObject({ type: 'check', measuredBy: 'count' });
    expect(check).toMatchObject({ tokens: (await countPromptTokens({ messages, model })).tokens });
  });
});
