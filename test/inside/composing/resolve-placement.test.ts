import { describe, expect, it } from 'vitest';
import { resolvePlacement } from '../../../src/composing/resolve-placement.ts';

const model = (provider: string) => ({ provider, modelId: 'm' });

describe('resolvePlacement', () => {
  it.each([
    ['openai.responses', 'system'],
    ['openai.chat', 'system'],
    ['azure.responses', 'system'],
    ['anthropic.messages', 'system'],
    ['google.generative-ai', 'system'],
    ['google.vertex.chat', 'system'],
    ['vertex.anthropic.messages', 'system'],
    ['amazon-bedrock', 'system'],
    ['mistral.chat', 'system'],
    ['xai.chat', 'system'],
    ['groq.chat', 'system'],
    ['deepseek.chat', 'system'],
    ['cohere.chat', 'system'],
    ['gateway', 'system'],
    ['openai-compatible.chat', 'system-merged'],
    ['ollama.chat', 'system-merged'],
    ['lmstudio.chat', 'system-merged'],
    ['vllm', 'system-merged'],
    ['fireworks.chat', 'system-merged'],
    ['togetherai.chat', 'system-merged'],
    ['something-new', 'system-merged'],
    ['', 'system-merged'],
    ['constructor', 'system-merged'],
  ])('places the summary of %s as %s', (provider, placement) => {
    expect(resolvePlacement('auto', model(provider), {})).toBe(placement);
  });

  it.each(['system', 'system-merged', 'user'] as const)('takes %s as it is', (placement) => {
    const providerOptions = { openai: { systemMessageMode: 'remove' } };
    expect(resolvePlacement(placement, model('vllm'), { providerOptions })).toBe(placement);
  });

  it.each(['openai', 'azure'])('goes to the user where %s removes system messages', (name) => {
    const providerOptions = { [name]: { systemMessageMode: 'remove' } };
    expect(resolvePlacement('auto', model('openai.chat'), { providerOptions })).toBe('user');
  });

  it('reads the option of Azure beside options of OpenAI', () => {
    const providerOptions = { openai: { user: 'u' }, azure: { systemMessageMode: 'remove' } };
    expect(resolvePlacement('auto', model('azure.chat'), { providerOptions })).toBe('user');
  });
});
