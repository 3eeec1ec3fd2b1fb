import { describe, expect, it } from 'vitest';
import { countPromptTokens } from '../src/index.ts';
import type { CallOptions } from './support/prompt-types.ts';
import { system } from './support/prompt-messages.ts';
import { untyped } from './support/untyped.ts';

const prompt: CallOptions['prompt'] = [
  { role: 'system', content: 'hello world' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'hello' },
      { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: {} } },
    ],
  },
];

describe('countPromptTokens', () => {
  it('gives the total, its parts and each message', async () => {
    const count = await countPromptTokens({ messages: prompt });
    expect(count).toEqual({
      perMessage: [4 + 2, 4 + 1 + 1399],
      messages: 6 + 1404,
      overhead: 3,
      total: 6 + 1404 + 3,
    });
  });

  it('prices images and tool use by the model', async () => {
    const tools: CallOptions['tools'] = [
      { type: 'function', name: 'a', inputSchema: { type: 'object' } },
    ];
    const model = { provider: 'gateway', modelId: 'anthropic/claude-sonnet-4.5' };
    const generic = await countPromptTokens({ messages: prompt, tools });
    const claude = await countPromptTokens({ messages: prompt, tools, model });
    const gpt = await countPromptTokens({
      messages: prompt,
      model: { provider: 'openai.chat', modelId: 'gpt-5' },
    });
    expect(claude.overhead - generic.overhead).toBe(346 - 130);
    expect(gpt.perMessage).toEqual([6, 4 + 1 + 1024]);
  });

  it('counts what is sent of every part', async () => {
    const named = {
      toolCallId: '1',
      toolName: 'hello',
      approvalId: '1',
      approved: true,
      kind: 'a.b',
    };
    const parts = (type: string, ...all: object[]) =>
      all.map((more) => ({ ...named, type, ...more }));
    const text = 'hello';
    const sealed = (provider: string, length: number) => {
      const value = 'A'.repeat(length);
      const options = {
        reasoningEncryptedContent: value,
        encryptedContent: value,
        redactedData: value,
      };
      return { text, providerOptions: { [provider]: options } };
    };
    const readers = ['openai', 'azure', 'xai', 'anthropic', 'bedrock', 'amazonBedrock'];
    const outputs: object[] = [
      { type: 'error-text', value: text },
      { type: 'error-json', value: {} },
      { type: 'content', value: [{ type: 'text', text }] },
      { type: 'execution-denied' },
    ];
    // The text of reasoning says more than what is sealed, and less.
    const thoughts = parts('reasoning', sealed('openai', 1), sealed('openai', 2));
    const hidden = parts('custom', ...readers.map((reader) => sealed(reader, 32)));
    const content = [
      ...parts('tool-call', { input: {} }),
      ...thoughts,
      ...hidden,
      ...parts('new', { text }, {}),
    ];
    const results = parts('tool-result', ...outputs.map((output) => ({ output })));
    const told = [...results, ...parts('tool-approval-response', {}, { reason: text })];
    const messages = [
      { role: 'assistant', content },
      { role: 'tool', content: told },
    ];
    const { perMessage } = await countPromptTokens(untyped({ messages }));
    const [ofResults, ofApprovals] = [4 * (8 + 1) + 1 + 1 + 1 + 5, 8 + 8 + 1];
    expect(perMessage).toEqual([4 + (8 + 2) + (1 + 2) + 6 * 18 + 1, 4 + ofResults + ofApprovals]);
  });

  it('counts tools of the provider, the one that is chosen, and a schema', async () => {
    const overheadOf = async (more: object): Promise<number> =>
      (await countPromptTokens({ messages: prompt, ...more })).overhead;
    const search = { type: 'provider', id: 'a.hello', name: 'hello', args: {} };
    expect(await overheadOf({ tools: [search, search] })).toBe(3 + 130 + 2 * (500 + 1 + 1));
    expect(await overheadOf({ toolChoice: { type: 'tool', toolName: 'hello' } })).toBe(3 + 1);
    const [toolChoice, responseFormat] = [{ type: 'auto' }, { type: 'json' }];
    expect(await overheadOf({ toolChoice, responseFormat })).toBe(3 + 16 + 1);
    expect(await overheadOf({ responseFormat: { type: 'text' } })).toBe(3);
  });
});

it.each([
  ['gpt-4 gpt-3.5-turbo gpt-4-turbo', 68],
  ['llama-v3p1-70b-instruct meta-llama/Meta-Llama-3.1-8B-Instruct', 39],
  ['gpt-4o gpt-4.1-mini gpt-4.5-preview gpt-5-mini gpt-6-sol openai/gpt-oss-120b', 23],
  ['qwen3-32b accounts/fireworks/models/qwen3-8b', 72],
])('countPromptTokens counts Hindi as the vocabulary of %s does', async (modelIds, tokens) => {
  const content = 'रिपोर्ट शुक्रवार तक तैयार होनी चाहिए। पहले नए आँकड़े जोड़ें, फिर मुझे भेजें।';
  for (const modelId of modelIds.split(' ')) {
    const given = { model: { provider: 'any', modelId }, messages: [system(content)] };
    expect((await countPromptTokens(given)).messages).toBe(4 + tokens);
  }
});

type FileData = Extract<
  Exclude<CallOptions['prompt'][number]['content'], string>[number],
  { type: 'file' }
>['data'];

const url = { type: 'url', url: new URL('https://example.com/file') } as const;
const inUrl = { type: 'url', url: new URL(`data:image/png;base64,${'A'.repeat(4000)}`) } as const;
const bytes = (size: number) => ({ type: 'data', data: new Uint8Array(size) }) as const;

const models = {
  openai: { provider: 'openai.chat', modelId: 'gpt-5' },
  anthropic: { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' },
  google: { provider: 'google.generative-ai', modelId: 'gemini-3-pro' },
  other: { provider: 'any', modelId: 'any' },
};

it.each<[mediaType: string, data: FileData, family: keyof typeof models, tokens: number]>([
  // Of a size that is not known.
  ['image', url, 'openai', 1024],
  ['image/*', url, 'anthropic', 1399],
  ['IMAGE/PNG', url, 'google', 1120],
  ['application/pdf', url, 'anthropic', 15_000],
  ['application/pdf', url, 'google', 2800],
  ['audio/mpeg', url, 'openai', 600],
  ['audio/mpeg', url, 'google', 1920],
  ['video/mp4', url, 'google', 18_000],
  ['text/plain', url, 'openai', 2000],
  ['application/zip', url, 'other', 10_000],
  // By their bytes, and never as text.
  ['image/png', bytes(500_000), 'openai', 1024],
  ['image/png', { type: 'data', data: 'A'.repeat(600_000) }, 'other', 1399],
  ['image/png', bytes(5000), 'anthropic', 125],
  ['image/png', inUrl, 'anthropic', 75],
  ['application/pdf', bytes(10_000), 'anthropic', 3000],
  ['application/pdf', bytes(1_000_000), 'anthropic', 30_000],
  ['application/pdf', bytes(30_000_000), 'anthropic', 150_000],
  ['text/csv', bytes(4000), 'anthropic', 1000],
  ['audio/mp3', bytes(160_000), 'anthropic', 320],
  ['audio/wav', bytes(640_000), 'anthropic', 320],
  ['video/mp4', bytes(2_500_000), 'anthropic', 3000],
])('the tokens of a file of %s (%#)', async (mediaType, data, family, tokens) => {
  const content = [{ type: 'file' as const, mediaType, data }];
  const given = { messages: [{ role: 'user' as const, content }], model: models[family] };
  expect((await countPromptTokens(given)).messages).toBe(4 + tokens);
});
