import { describe, expect, it } from 'vitest';
import {
  inheritedBreakpoint,
  rememberPlacement,
  resolvePlacement,
} from '../../../src/composing/place-summary.ts';
import type { Message } from '../../../src/index.ts';
import { user } from '../../support/prompt-messages.ts';

type Options = NonNullable<Message['providerOptions']>;

const marked = <Given extends Message>(message: Given, providerOptions: Options): Given => ({
  ...message,
  providerOptions,
});
const cached = (more = {}): Options => ({
  anthropic: { cacheControl: { type: 'ephemeral', ...more } },
});
const short = cached();
const long = cached({ ttl: '1h' });

describe('inheritedBreakpoint', () => {
  const four = [short, short, short, short].map((options) => marked(user('a'), options));
  const point = { bedrock: { cachePoint: { type: 'default' } } };
  const spelled = { anthropic: { cache_control: { type: 'ephemeral' } } };
  const part = { type: 'text', text: 'a', providerOptions: short } as const;
  const onPart: Message = { role: 'user', content: [part, part] };
  it.each([
    ['the last of several', [marked(user('a'), short), marked(user('b'), long)], [], long],
    ['one of a part', [onPart, user('b')], [], short],
    ['what marks one', [marked(user('a'), { ...point, openai: { user: 'u' } })], [], point],
    ['one spelling for both', [marked(user('a'), spelled)], [], short],
    ['none beside four', [marked(user('a'), long)], four, undefined],
  ])('gives %s', (_name, covered, kept, inherited) => {
    expect(inheritedBreakpoint(covered, kept)).toEqual(inherited);
  });
});

describe('resolvePlacement', () => {
  const openai = 'gpt-4.1-mini o4-mini chatgpt-4o-latest codex-mini-latest ft:gpt-4o:acme::1';

  it.each([
    ['openai.responses azure.responses anthropic.messages google.generative-ai', 'gpt-5', 'system'],
    ['google.vertex.chat vertex.anthropic.messages amazon-bedrock', 'gpt-5', 'system'],
    ['mistral.chat xai.chat groq.chat deepseek.chat cohere.chat gateway', 'gpt-5', 'system'],
    ['openai-compatible.chat ollama.chat lmstudio.chat vllm', 'gpt-5', 'system-merged'],
    ['fireworks.chat togetherai.chat something-new constructor', 'gpt-5', 'system-merged'],
    // What is OpenAI's own behind its package.
    ['openai.chat', openai, 'system'],
    ['openai.chat', 'qwen3-32b gpt-oss-120b openai/gpt-4o', 'system-merged'],
  ])('places the summary of %s with %s as %s', (providers, modelIds, placement) => {
    for (const provider of providers.split(' '))
      for (const modelId of modelIds.split(' '))
        expect(resolvePlacement('auto', { provider, modelId }, {})).toBe(placement);
  });

  const chat = { provider: 'openai.chat', modelId: 'gpt-5' };
  const refusing = { provider: 'openai.chat', modelId: 'gpt-refusing' };

  const remove = { providerOptions: { openai: { systemMessageMode: 'remove' } } };

  it.each([
    ['system-merged', chat, remove, 'system-merged'],
    ['auto', chat, remove, 'user'],
    // Never back to a place that was refused.
    ['auto', refusing, {}, 'system-merged'],
    ['system', refusing, {}, 'system-merged'],
    ['user', refusing, {}, 'user'],
  ] as const)('takes %s of %j with %j as %s', (placement, model, given, expected) => {
    rememberPlacement(refusing, 'system-merged');
    expect(resolvePlacement(placement, model, given)).toBe(expected);
  });
});
