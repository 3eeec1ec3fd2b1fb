import { expect, it } from 'vitest';
import {
  rememberPlacement,
  resolvePlacement,
} from '../../../../src/planning/composing/place-summary.ts';

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
])('resolvePlacement places the summary of %s with %s as %s', (providers, modelIds, placement) => {
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
] as const)(
  'resolvePlacement takes %s of %j with %j as %s',
  (placement, model, given, expected) => {
    rememberPlacement(refusing, 'system-merged');
    expect(resolvePlacement(placement, model, given)).toBe(expected);
  },
);
