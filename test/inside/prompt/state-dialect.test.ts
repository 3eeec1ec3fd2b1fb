import { describe, expect, it } from 'vitest';
import { stateDialectOf } from '../../../src/prompt/message-state.ts';

describe('stateDialectOf', () => {
  it.each([
    ['openai.responses', 'gpt-6-luna', 'openai'],
    ['azure.responses', 'my-deployment', 'azure'],
    ['azure-openai.responses', 'my-deployment', 'azure'],
    ['my-proxy.responses', 'gpt-6-luna', 'openai'],
    ['gateway', 'openai/gpt-6-luna', 'openai'],
    ['gateway', 'anthropic/claude-opus-4-8', 'anthropic'],
    ['gateway', 'mistral/mistral-large', undefined],
    ['anthropic.messages', 'claude-opus-4-8', 'anthropic'],
    ['vertex.anthropic.messages', 'claude-opus-4-8', 'anthropic'],
    ['bedrock.anthropic.messages', 'us.anthropic.claude-opus-4-8', 'anthropic'],
    ['openai.chat', 'gpt-4.1-mini', undefined],
    ['xai.responses', 'grok-4', undefined],
    ['huggingface.responses', 'some/model', undefined],
    ['google.generative-ai', 'gemini-3-pro-preview', undefined],
    ['mistral.chat', 'mistral-large-latest', undefined],
    ['selfhosted.chat', 'qwen3-32b', undefined],
  ])('%s, %s: %s', (provider, modelId, dialect) => {
    expect(stateDialectOf({ provider, modelId })).toBe(dialect);
  });
});
