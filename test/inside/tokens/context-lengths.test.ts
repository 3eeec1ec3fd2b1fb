import { describe, expect, it } from 'vitest';
import { lengthInTable as contextLengthOf } from '../../../src/tokens/context-lengths.ts';

type Case = [provider: string, modelId: string, contextLength: number, inputLimit?: number];

const gpt5 = [400_000, 272_000] as const;

describe('contextLengthOf', () => {
  it.each<Case>([
    // A vendor's own names, dated, fine-tuned, deployed
    ['openai.responses', 'gpt-5-2025-08-07', ...gpt5],
    ['openai.responses', 'gpt-6-sol', 1_050_000, 922_000],
    ['openai.chat', 'gpt-4-32k-0613', 32_768],
    ['openai.chat', 'ft:gpt-4o-mini-2024-07-18:acme::9x', 128_000],
    ['azure.chat', 'gpt-35-turbo', 16_000],
    ['anthropic.messages', 'claude-3-5-sonnet-20241022', 200_000],
    ['google.generative-ai', 'models/gemini-3-pro-preview', 1_000_000],
    ['mistral.chat', 'mistral-large-latest', 256_000],
    // Behind the names of hosts
    ['azure.chat', 'claude-opus-4-6', 200_000],
    ['amazon-bedrock', 'us.anthropic.claude-opus-4-5-20251101-v1:0', 200_000],
    [
      'amazon-bedrock',
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-6',
      1_000_000,
    ],
    ['amazon-bedrock', 'meta.llama4-scout-17b-instruct-v1:0', 3_500_000],
    ['gateway', 'anthropic/claude-haiku-5.5-batch', 1_000_000],
    ['fireworks.chat', 'accounts/fireworks/models/llama-v3p1-70b-instruct', 128_000],
    ['vllm.chat', 'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M', 128_000],
    ['vllm.chat', 'deepseek-ai/DeepSeek-R1-Distill-Llama-70B', 128_000],
    // A newer version of the line than the listed ones
    ['openai.responses', 'gpt-9', 1_050_000, 922_000],
    ['anthropic.messages', 'claude-opus-6-20270101', 1_000_000],
    ['google.generative-ai', 'gemini-4.5-flash', 1_000_000],
    // No model that anybody knows
    ['marco.chat', 'marco-o1', 128_000],
    ['__proto__', 'constructor', 128_000],
    ['gateway', '/', 128_000],
    ['x'.repeat(10_000), 'a1'.repeat(100_000), 128_000],
  ])('of %s %s (%#)', (provider, modelId, contextLength, inputLimit) => {
    const known = !/^(?:gpt-9|claude-opus-6|gemini-4\.5|o7|marco|constructor|\/|a1)/.test(modelId);
    expect(contextLengthOf({ provider, modelId })).toEqual({ contextLength, inputLimit, known });
  });
});
