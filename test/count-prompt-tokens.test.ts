import { describe, expect, it } from 'vitest';
import type { CallOptions } from './support/prompt-types.ts';
import { countPromptTokens } from '../src/index.ts';

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
    const count = await countPromptTokens({ prompt });
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
    const generic = await countPromptTokens({ prompt, tools });
    const claude = await countPromptTokens({ prompt, tools, model });
    const gpt = await countPromptTokens({
      prompt,
      model: { provider: 'openai.chat', modelId: 'gpt-5' },
    });
    expect(claude.overhead - generic.overhead).toBe(346 - 130);
    expect(gpt.perMessage).toEqual([6, 4 + 1 + 1024]);
  });

  it('counts an empty prompt', async () => {
    expect(await countPromptTokens({ prompt: [] })).toEqual({
      perMessage: [],
      messages: 0,
      overhead: 3,
      total: 3,
    });
  });

  it('takes messages as generateText takes them', async () => {
    const asGiven = await countPromptTokens({ prompt: [{ role: 'user', content: 'hello' }] });
    const asSent = await countPromptTokens({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    });
    expect(asGiven).toEqual(asSent);
  });
});
