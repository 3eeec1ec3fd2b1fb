import { customProvider, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStorage } from 'unstorage';
import { z } from 'zod';
import {
  compactTool,
  contextLengthOf,
  countPromptTokens,
  explainSummarization,
  memoryStore,
  summarizationMiddleware,
  SummarizationOptionError,
  summarizeConversation,
  summaryTreeId,
} from '../src/index.ts';
import {
  ensurePromptTemplates,
  ensureSettings,
  loadLevelTemplates,
  loadPromptTemplates,
  loadSettings,
  markdownTreeStore,
} from '../src/node/index.ts';
import { chromaTreeStore } from '../src/stores/chroma-tree-store.ts';
import { postgresStore } from '../src/stores/postgres-store.ts';
import { unstorageStore } from '../src/stores/unstorage-store.ts';
import { middleTruncate } from '../src/text/index.ts';
import { summarizationMetadata, summaryDataParts } from '../src/ui/index.ts';
import { chat } from './support/messages.ts';
import { answer, chatModel, summarizerModel } from './support/models.ts';
import { untyped } from './support/untyped.ts';

const messages = chat(12);
const model = chatModel();

/** The functions that take a conversation, as a caller without types sees them. */
const functions: Readonly<Record<string, (input: unknown) => Promise<unknown>>> = {
  countPromptTokens: async (input) => countPromptTokens(untyped(input)),
  explainSummarization: async (input) => explainSummarization(untyped(input)),
  summarizeConversation: async (input) => summarizeConversation(untyped(input)),
};

async function errorOf(name: string, input: unknown): Promise<SummarizationOptionError> {
  const error: unknown = await functions[name]?.(input).catch((thrown: unknown) => thrown);
  if (SummarizationOptionError.isInstance(error)) return error;
  throw new Error(`${name} did not refuse the input.`, { cause: error });
}

const parts = [{ type: 'text', text: 'Hello' }];

describe.each(Object.keys(functions))('%s', (name) => {
  it.each([[undefined], [null], [[]], [messages], ['Hello'], [1]])(
    'takes one object and not %j',
    async (input) => {
      const { option, message } = await errorOf(name, input);
      expect(option).toBe('input');
      expect(message).toMatch(/allowed is an object with .*messages/);
    },
  );

  it.each<[unknown, string, RegExp]>([
    [undefined, 'messages', /a list of messages/],
    [null, 'messages', /got null, allowed is a list of messages/],
    ['Hello', 'messages', /got "Hello", allowed is a list of messages/],
    [{ 0: messages[0] }, 'messages', /got an object, allowed is a list of messages/],
    [Promise.resolve(messages), 'messages', /got a promise, allowed is a list of messages/],
    [[...messages, null], 'messages[12]', /got null, allowed is an object with a role/],
    [['Hello'], 'messages[0]', /an object with a role/],
    [[{ role: 'human', content: 'Hello' }], 'messages[0]', /user, assistant, tool/],
    [[{ role: 'user' }], 'messages[0]', /and a content/],
    [[{ role: 'user', content: [null] }], 'messages[0]', /and a content/],
    [[{ role: 'user', parts }], 'messages[0]', /got "a UI message".*convertToModelMessages/],
  ])('names what is wrong with messages: %j', async (given, option, text) => {
    const error = await errorOf(name, { messages: given, model });
    expect(error.option).toBe(option);
    expect(error.message).toMatch(text);
  });

  it.each([[null], [''], [{}], [[]], [7], [{ modelId: 'gpt-5' }]])(
    'names a model that is none: %j',
    async (given) => {
      const { option, message } = await errorOf(name, { messages, model: given });
      expect(option).toBe('model');
      expect(message).toContain('allowed is a language model or the id of one');
    },
  );
});

describe('explainSummarization and countPromptTokens', () => {
  it.each(['system', 'instructions'])('do not leave out what stands in %s', async (name) => {
    for (const each of ['countPromptTokens', 'explainSummarization']) {
      const error = await errorOf(each, { messages, model, [name]: 'Be brief.' });
      expect(error.option).toBe(name);
      expect(error.message).toContain("the first of the messages, with the role 'system'");
    }
  });

  it.each([[null], ['read_file'], [{ read: null }], [[1]]])(
    'name tools that are none: %j',
    async (tools) => {
      const { option, message } = await errorOf('countPromptTokens', { messages, tools });
      expect(option).toBe('tools');
      expect(message).toMatch(/an object of tools by name, or a list of tools/);
    },
  );

  it('name tools whose schema is none', async () => {
    const tools = { weather: { inputSchema: { type: 'object', properties: {} } } };
    const { option, message } = await errorOf('countPromptTokens', { messages, tools });
    expect(option).toBe('tools');
    expect(message).toMatch(
      /tools as generateText takes them, whose inputSchema .* jsonSchema\(\)/,
    );
  });

  it('take tools as generateText takes them, and as a middleware sees them', async () => {
    const tools = {
      read_file: tool({
        description: 'Reads a file.',
        inputSchema: z.object({ path: z.string().describe('Where it is') }),
        execute: ({ path }) => `Nothing is in ${path}.`,
      }),
    };
    const prompt = [{ role: 'user' as const, content: parts }];
    const none = await countPromptTokens({ messages: untyped(prompt), model });
    const read = await countPromptTokens({ messages: untyped(prompt), tools, model });
    const given = await countPromptTokens({ messages, tools, model });
    expect(read.overhead).toBeGreaterThan(none.overhead + 20);
    expect(given.overhead).toBe(read.overhead);
    const inputSchema = {
      type: 'object' as const,
      properties: { path: { type: 'string' as const, description: 'Where it is' } },
      required: ['path'],
    };
    const asSent = await countPromptTokens({
      messages,
      tools: [{ type: 'function', name: 'read_file', description: 'Reads a file.', inputSchema }],
      model,
    });
    expect(read.overhead - asSent.overhead).toBeLessThan(30);
    const explained = await explainSummarization({ messages, tools, model });
    const without = await explainSummarization({ messages, model });
    expect(explained.tokens).toBeGreaterThan(without.tokens + 20);
  });
});

describe('explainSummarization', () => {
  it.each([[undefined], [{ options: {} }]])('asks for the model: %j', async (more) => {
    const { option, message } = await errorOf('explainSummarization', { messages, ...more });
    expect(option).toBe('model');
    expect(message).toContain('got undefined');
  });

  it('says what is wrong with options', async () => {
    const wrong = await errorOf('explainSummarization', { messages, model, options: null });
    expect(wrong.message).toMatch(/options: got null, allowed is an object/);
  });
});

describe('summarizeConversation', () => {
  it.each<[string, unknown, RegExp]>([
    ['config', null, /an object/],
    ['config', [], /an object/],
    ['parent', null, /an object/],
    ['parent', { id: 'x' }, /a record that summarizeConversation wrote/],
    ['abortSignal', {}, /an AbortSignal/],
    ['maxSummaryTokens', 100, /one of these names: model, .*messages, config/],
  ])('names what is wrong with %s: %j', async (option, value, allowed) => {
    const error = await errorOf('summarizeConversation', { messages, model, [option]: value });
    expect(error.option).toBe(option);
    expect(error.message).toMatch(allowed);
  });
});

describe('models by their ids', () => {
  const small = summarizerModel(answer({ summary: 'They spoke of rivers.' }));
  beforeEach(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = customProvider({ languageModels: { small } });
  });
  afterEach(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
  });

  it('are resolved as the SDK does it', async () => {
    const result = await summarizeConversation({ messages, model: 'small' });
    expect(result).toMatchObject({ ok: true, record: { summary: 'They spoke of rivers.' } });
    const options = { contextLength: 400, minMessages: 2 };
    expect(await explainSummarization({ messages, model: 'small', options })).toEqual(
      await explainSummarization({ messages, model: small, options }),
    );
    expect(await countPromptTokens({ messages, model: 'small' })).toEqual(
      await countPromptTokens({ messages, model: small }),
    );
  });

  it('are what the provider says of them where it knows none', async () => {
    await expect(summarizeConversation({ messages, model: 'large' })).rejects.toThrow('large');
  });

  it('may be left out for models of an older specification', async () => {
    const old = new MockLanguageModelV3({ modelId: 'gpt-5-mini', provider: 'openai.chat' });
    expect((await explainSummarization({ messages, model: old })).contextLength).toBe(400_000);
  });
});

const none = async (): Promise<never> => Promise.reject(new Error('unused'));
const chroma = { getOrCreateCollection: none };

/** What a caller without types may do, and the name and the rule that he is told. */
const mistakes: readonly (readonly [call: () => unknown, option: string, allowed: RegExp])[] = [
  ...[undefined, 7, 'gpt-5', []].flatMap((given) => [
    [() => contextLengthOf(untyped(given)), 'input', /an object with provider/] as const,
    [() => summaryTreeId(untyped(given)), 'input', /conversationId/] as const,
  ]),
  [() => contextLengthOf(untyped({})), 'provider', /a string/],
  [() => contextLengthOf(untyped({ provider: 'openai' })), 'modelId', /a string/],
  [() => memoryStore(untyped(7)), 'input', /an object with maxBytes/],
  [() => memoryStore(untyped({ maxbytes: 1 })), 'maxbytes', /one of these names: .*maxBytes/],
  [() => memoryStore({ maxBytes: 1.5 }), 'maxBytes', /an integer of at least 1/],
  [() => compactTool(untyped({ description: '' })), 'description', /not empty/],
  [() => compactTool(untyped({ name: 'x' })), 'name', /one of these names: description/],
  [() => middleTruncate(untyped(7), 5), 'text', /a string/],
  [() => middleTruncate('a', untyped(undefined)), 'budgetChars', /a number/],
  [() => middleTruncate('a', Number.NaN), 'budgetChars', /a number/],
  [() => middleTruncate('a', 1, untyped(null)), 'input', /an object/],
  [() => middleTruncate('a', 2, untyped({ head: 1 })), 'head', /these names: .*headFraction/],
  [() => middleTruncate('a', 2, { headFraction: -1 }), 'headFraction', /at least 0/],
  [() => middleTruncate('a', 2, { tailFraction: Number.NaN }), 'tailFraction', /at least 0/],
  [
    () => middleTruncate('a', 2, { headFraction: 0, tailFraction: 0 }),
    'headFraction',
    /above 0 unless tailFraction is/,
  ],
  [() => summaryTreeId(untyped({})), 'conversationId', /a string/],
  [() => summaryTreeId(untyped({ conversationId: 'a', namespace: 7 })), 'namespace', /a string/],
  [() => chromaTreeStore(untyped(undefined)), 'input', /an object with client and embed/],
  [() => chromaTreeStore(untyped({ embed: none })), 'client', /package chromadb/],
  [() => chromaTreeStore(untyped({ client: chroma })), 'embed', /a function/],
  [
    () => chromaTreeStore(untyped({ client: chroma, embed: none, collectionName: '' })),
    'collectionName',
    /not empty/,
  ],
  [() => postgresStore(untyped(null)), 'input', /client/],
  ...[undefined, 'postgres://user:password@example.com', {}, { execute: none }, new Map()].map(
    (client) =>
      [
        () => postgresStore({ client: untyped(client) }),
        'client',
        /^(?!.*password).*query\(text, values\), such as a Pool/,
      ] as const,
  ),
  ...['', 'a b', 'a"b', 'a.b.c', '.a', 'a.', '1a', 'a'.repeat(51), 'ä', 'a;b', null].map(
    (table) =>
      [
        () => postgresStore({ client: { query: none }, table: untyped(table) }),
        'table',
        /letters, digits and underscores/,
      ] as const,
  ),
  ...[undefined, new Map(), { driver: {} }, createStorage, { ...createStorage(), getItem: 1 }].map(
    (storage) =>
      [
        () => unstorageStore(untyped(storage)),
        'storage',
        /createStorage of the package unstorage/,
      ] as const,
  ),
  [() => markdownTreeStore(untyped(null)), 'input', /an object with folder/],
  [() => markdownTreeStore(untyped({})), 'folder', /a string that is not empty/],
  [() => ensurePromptTemplates(untyped(undefined)), 'directory', /a string that is not empty/],
  [() => ensureSettings(untyped({})), 'path', /a string that is not empty/],
  [() => loadPromptTemplates(untyped(null)), 'input', /an object with prompts/],
  [() => loadPromptTemplates(untyped({ prompt: {} })), 'prompt', /these names: .*prompts/],
  [() => loadLevelTemplates(untyped({ prompt: {} })), 'prompt', /these names: .*prompts/],
  [() => loadSettings(untyped(7)), 'path', /a string that is not empty/],
  [() => loadSettings('no.json', untyped({ strategy: {} })), 'strategy', /names: .*strategies/],
  [() => summaryDataParts(untyped(undefined)), 'writer', /createUIMessageStream/],
  [() => summarizationMetadata(untyped(null)), 'input', /an object with continues/],
  [() => summarizationMetadata(untyped({ continue: {} })), 'continue', /names: .*continues/],
  [
    () => summarizationMiddleware(untyped(Promise.resolve({}))),
    'options',
    /got a promise, allowed/,
  ],
  // What was not awaited, and what has no names to be read.
  ...[Promise.resolve({ contextLength: 1000 }), new Map(), new Date()].flatMap((given) =>
    ['archive', 'messageFilter', 'prices', 'prompts', 'providers', 'telemetry'].map(
      (option) =>
        [() => summarizationMiddleware(untyped({ [option]: given })), option, /an object/] as const,
    ),
  ),
];

describe('public functions that are called without types', () => {
  it.each(mistakes)('name the argument: %s', (call, option, allowed) => {
    expect(call).toThrow(SummarizationOptionError);
    expect(call).toThrow(expect.objectContaining({ option }));
    expect(call).toThrow(allowed);
  });
});
