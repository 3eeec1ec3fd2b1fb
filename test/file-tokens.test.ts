import { expect, it } from 'vitest';
import { countPromptTokens } from '../src/index.ts';
import type { CallOptions } from './support/prompt-types.ts';

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
  const prompt: CallOptions['prompt'] = [
    { role: 'user', content: [{ type: 'file', mediaType, data }] },
  ];
  const { messages } = await countPromptTokens({ messages: prompt, model: models[family] });
  expect(messages).toBe(4 + tokens);
});
