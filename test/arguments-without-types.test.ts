import { customProvider, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  countPromptTokens,
  explainSummarization,
  SummarizationOptionError,
  summarizeConversation,
} from '../src/index.ts';
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
const ofMessages = (given: unknown) => ({ messages: given, model });

describe.each(Object.keys(functions))('%s', (name) => {
  it.each<[unknown, string, RegExp]>([
    [undefined, 'input', /allowed is an object with .*messages/],
    [messages, 'input', /allowed is an object with .*messages/],
    ['Hello', 'input', /allowed is an object with .*messages/],
    [ofMessages(undefined), 'messages', /a list of messages/],
    [ofMessages({ 0: messages[0] }), 'messages', /got an object, allowed is a list of messages/],
    [ofMessages(Promise.resolve(messages)), 'messages', /got a promise, allowed is a list/],
    [ofMessages([...messages, null]), 'messages[12]', /got null, allowed is an object with a role/],
    [ofMessages([{ role: 'human', content: 'Hello' }]), 'messages[0]', /user, assistant, tool/],
    [ofMessages([{ role: 'user', content: [null] }]), 'messages[0]', /and a content/],
    [ofMessages([{ role: 'user', parts }]), 'messages[0]', /a UI message.*convertToModelMessages/],
    [{ messages, model: null }, 'model', /allowed is a language model or the id of one/],
    [{ messages, model: { modelId: 'gpt-5' } }, 'model', /allowed is a language model or the id/],
  ])('names what is wrong with %j: %s', async (input, option, text) => {
    const error = await errorOf(name, input);
    expect(error.option).toBe(option);
    expect(error.message).toMatch(text);
  });
});

describe('explainSummarization and countPromptTokens', () => {
  it.each(['system', 'instructions'])('do not leave out what stands in %s', async (name) => {
    for (const each of ['countPromptTokens', 'explainSummarization']) {
      const error = await errorOf(each, { messages, model, [name]: 'Be brief.' });
      expect(error.option).toBe(name);
      expect(error.message).toContain("the first of the messages, with the role 'system'");
    }
  });

  it('name tools whose schema is none', async () => {
    const tools = { weather: { inputSchema: { type: 'object', properties: {} } } };
    const { option, message } = await errorOf('countPromptTokens', { messages, tools });
    expect(option).toBe('tools');
    expect(message).toMatch(/as generateText takes them, whose inputSchema .* jsonSchema\(\)/);
  });

  it('take tools as generateText takes them', async () => {
    const inputSchema = z.object({ path: z.string().describe('Where it is') });
    const tools = { read_file: tool({ description: 'Reads.', inputSchema, execute: () => '' }) };
    const { overhead } = await countPromptTokens({ messages, model });
    const counted = await countPromptTokens({ messages, tools, model });
    expect(counted.overhead - overhead).toBe(80);
    const explained = await explainSummarization({ messages, tools, model });
    const without = await explainSummarization({ messages, model });
    expect(explained.tokens - without.tokens).toBe(80);
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

  it('may be left out for models of an older specification', async () => {
    const old = new MockLanguageModelV3({ modelId: 'gpt-5-mini', provider: 'openai.chat' });
    expect((await explainSummarization({ messages, model: old })).contextLength).toBe(400_000);
  });
});
