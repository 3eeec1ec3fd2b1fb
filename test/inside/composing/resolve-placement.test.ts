import { describe, expect, it } from 'vitest';
import { resolvePlacement } from '../../../src/composing/place-summary.ts';

const model = (provider: string, modelId = 'gpt-5') => ({ provider, modelId });

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

  it.each([
    ['gpt-4.1-mini', 'system'],
    ['gpt-6-sol', 'system'],
    ['o4-mini', 'system'],
    ['chatgpt-4o-latest', 'system'],
    ['ft:gpt-4o:acme::1', 'system'],
    ['codex-mini-latest', 'system'],
    ['qwen3-32b', 'system-merged'],
    ['gpt-oss-120b', 'system-merged'],
    ['openai/gpt-4o', 'system-merged'],
    ['olmo-2', 'system-merged'],
    ['', 'system-merged'],
  ])('knows what is OpenAI’s own behind its package: %s', (modelId, placement) => {
    expect(resolvePlacement('auto', model('openai.chat', modelId), {})).toBe(placement);
  });

  it('keeps to the place that a model took, unless a later one is asked for', () => {
    const taken = 'system-merged';
    expect(resolvePlacement('auto', model('openai.chat'), { taken })).toBe('system-merged');
    expect(resolvePlacement('system', model('openai.chat'), { taken })).toBe('system-merged');
    expect(resolvePlacement('user', model('openai.chat'), { taken })).toBe('user');
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
