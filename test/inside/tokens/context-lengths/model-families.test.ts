import { describe, expect, it } from 'vitest';
import { mediaFamilyOf } from '../../../../src/tokens/files/media-family-of.ts';
import { tokenMultiplierOf } from '../../../../src/tokens/token-multiplier-of.ts';

const models = [
  ['openai.responses', 'gpt-5-mini', 'openai', 1],
  ['openai.chat', 'ft:gpt-4o-mini:acme::1', 'openai', 1],
  ['openai.responses', 'o3', 'openai', 1],
  ['azure.responses', 'my-deployment', 'openai', 1],
  ['azure.chat', 'claude-opus-4-5', 'anthropic', 1.35],
  ['gateway', 'openai/gpt-5', 'openai', 1],
  ['gateway', 'openai/gpt-oss-120b', 'other', 1],
  ['gateway', 'anthropic/claude-sonnet-4.5', 'anthropic', 1.35],
  ['gateway', 'google/gemini-3-flash', 'google', 1.1],
  ['anthropic.messages', 'claude-haiku-4-5', 'anthropic', 1.35],
  ['anthropic.messages', 'next-model', 'anthropic', 1.35],
  ['amazon-bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic', 1.35],
  ['bedrock.anthropic.messages', 'claude-opus-4-7', 'anthropic', 1.35],
  ['amazon-bedrock', 'amazon.nova-pro-v1:0', 'other', 1.35],
  ['vertex.anthropic.messages', 'claude-opus-4-5@20251101', 'anthropic', 1.35],
  ['google.generative-ai', 'gemini-2.5-pro', 'google', 1.1],
  ['google.vertex.chat', 'gemini-2.5-pro', 'google', 1.1],
  ['mistral.chat', 'mistral-large-latest', 'other', 1.35],
  ['groq.chat', 'meta-llama/Llama-3.3-70B-Instruct', 'other', 1.05],
  ['ollama.chat', 'llama3.1:8b', 'other', 1.05],
  ['marco.chat', 'marco-o1', 'other', 1.35],
] as const;

describe('mediaFamilyOf', () => {
  it.each(models)('of %s %s is %s', (provider, modelId, family) => {
    expect(mediaFamilyOf({ provider, modelId })).toBe(family);
  });
});

describe('tokenMultiplierOf', () => {
  it.each(models)('of %s %s (%s) is %d', (provider, modelId, _, multiplier) => {
    expect(tokenMultiplierOf({ provider, modelId })).toBe(multiplier);
  });
});
