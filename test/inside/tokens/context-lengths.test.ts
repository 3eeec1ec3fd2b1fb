import { describe, expect, it } from 'vitest';
import { lengthInTable as contextLengthOf } from '../../../src/tokens/context-lengths.ts';

type Case = [
  provider: string,
  modelId: string,
  contextLength: number,
  inputLimit?: number | undefined,
];

const gpt5 = [400_000, 272_000] as const;

describe('contextLengthOf', () => {
  it.each<Case>([
    // OpenAI and Azure
    ['openai.responses', 'gpt-5-mini', ...gpt5],
    ['openai.responses', 'gpt-5-2025-08-07', ...gpt5],
    ['openai.responses', 'gpt-5.2-codex', ...gpt5],
    ['openai.responses', 'gpt-5.1-chat-latest', 128_000],
    ['openai.responses', 'gpt-5.4', 1_050_000, 922_000],
    ['openai.responses', 'gpt-5.4-mini', ...gpt5],
    ['openai.chat', 'gpt-4', 8192],
    ['openai.chat', 'gpt-4-1106-preview', 128_000],
    ['openai.chat', 'gpt-4.1-nano', 1_047_576],
    ['openai.chat', 'gpt-4o-2024-11-20', 128_000],
    ['openai.chat', 'ft:gpt-4o-mini-2024-07-18:acme::9x', 128_000],
    ['openai.responses', 'o4-mini', 200_000],
    ['openai.completion', 'gpt-3.5-turbo-instruct', 4096],
    ['azure.responses', 'gpt-5', ...gpt5],
    ['azure.chat', 'prod-gpt-4o', 128_000],
    ['azure.chat', 'claude-opus-4-6', 200_000],
    ['azure.chat', 'Meta-Llama-3.1-405B-Instruct', 128_000],
    // Anthropic and where it is hosted
    ['anthropic.messages', 'claude-3-5-sonnet-20241022', 200_000],
    ['anthropic.messages', 'claude-sonnet-4-5-20250929', 200_000],
    ['anthropic.messages', 'claude-opus-4-20250514', 200_000],
    ['anthropic.messages', 'claude-opus-4-7', 1_000_000],
    ['anthropic.messages', 'claude-sonnet-5', 1_000_000],
    ['amazon-bedrock', 'us.anthropic.claude-opus-4-5-20251101-v1:0', 200_000],
    ['bedrock.anthropic.messages', 'global.anthropic.claude-opus-4-7', 1_000_000],
    [
      'amazon-bedrock',
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-6',
      1_000_000,
    ],
    ['vertex.anthropic.messages', 'claude-haiku-4-5@20251001', 200_000],
    ['gateway', 'anthropic/claude-sonnet-4.6', 1_000_000],
    ['openrouter.chat', 'anthropic/claude-sonnet-4.5', 200_000],
    // Google
    ['google.generative-ai', 'gemini-2.5-flash-preview-09-2025', 1_048_576],
    ['google.generative-ai', 'gemini-2.5-flash-image', 32_768],
    ['google.generative-ai', 'models/gemini-3-pro-preview', 1_048_576],
    ['google.vertex.chat', 'gemini-3.1-pro-preview', 1_048_576],
    ['gateway', 'google/gemini-3-flash', 1_000_000],
    ['google.generative-ai', 'gemma-3-27b-it', 128_000],
    ['google.vertex.chat', 'meta/llama-4-maverick-17b-128e-instruct-maas', 524_288],
    // The rest of the providers
    ['amazon-bedrock', 'amazon.nova-pro-v1:0', 300_000],
    ['amazon-bedrock', 'meta.llama4-scout-17b-instruct-v1:0', 3_500_000],
    ['amazon-bedrock', 'deepseek.v3.2', 163_840],
    ['amazon-bedrock', 'openai.gpt-5.5', 272_000],
    ['mistral.chat', 'mistral-large-latest', 262_144],
    ['mistral.chat', 'mistral-medium-2505', 128_000],
    ['mistral.chat', 'codestral-latest', 256_000],
    ['xai.responses', 'grok-4.20-0309-reasoning', 1_000_000],
    ['gateway', 'xai/grok-4.20-reasoning', 2_000_000],
    ['xai.chat', 'grok-4-0709', 256_000],
    ['groq.chat', 'llama-3.3-70b-versatile', 131_072],
    ['groq.chat', 'qwen/qwen3-32b', 131_072],
    ['deepseek.chat', 'deepseek-chat', 1_000_000],
    ['gateway', 'deepseek/deepseek-v3.2', 128_000],
    ['cohere.chat', 'command-a-03-2025', 256_000],
    ['cohere.chat', 'command-r7b-12-2024', 128_000],
    ['perplexity', 'sonar-pro', 200_000],
    ['moonshotai.chat', 'kimi-k2-0905-preview', 262_144],
    ['alibaba.chat', 'qwen-plus', 1_000_000],
    ['alibaba.chat', 'qwen3-coder-plus', 1_000_000],
    ['cerebras.chat', 'zai-glm-4.7', 131_072],
    ['fireworks.chat', 'accounts/fireworks/models/llama-v3p1-70b-instruct', 128_000],
    ['fireworks.chat', 'accounts/fireworks/routers/glm-5p2-fast', 1_048_575],
    ['togetherai.chat', 'Qwen/Qwen3-235B-A22B-Instruct-2507-tput', 262_144],
    ['togetherai.chat', 'pearl-ai/gemma-4-31b-it', 32_000],
    // Open models anywhere
    ['ollama.chat', 'gpt-oss:20b', 128_000],
    ['lmstudio.chat', 'qwen2.5-7b-instruct', 32_768],
    ['vllm.chat', 'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M', 128_000],
    ['vllm.chat', 'meta-llama/Meta-Llama-3-8B-Instruct', 8192],
    ['vllm.chat', 'deepseek-ai/DeepSeek-R1-Distill-Llama-70B', 128_000],
    ['vllm.chat', 'mistralai/Mistral-Small-2501', 32_000],
    ['vllm.chat', 'google/gemma-3n-E4B-it', 32_768],
    ['ollama.chat', 'gemma3:1b', 32_768],
    ['ollama.chat', 'gemma3:27b', 128_000],
    // Newer ones, and what looks like a newer version and is none
    ['openai.responses', 'gpt-6-sol', 1_050_000, 922_000],
    ['anthropic.messages', 'claude-opus-5', 1_000_000],
    ['gateway', 'anthropic/claude-haiku-5.5-batch', 1_000_000],
    ['xai.responses', 'grok-4.5', 500_000],
    ['azure.chat', 'gpt-35-turbo', 16_384],
    ['openai.chat', 'gpt-4-32k-0613', 32_768],
    ['vllm.chat', 'meta-llama/Llama-4-Scout-17B-16E-Instruct', 128_000],
    ['mistral.chat', 'open-mixtral-8x22b', 64_000],
  ])('knows %s %s', (provider, modelId, contextLength, inputLimit) => {
    const limits = inputLimit === undefined ? { contextLength } : { contextLength, inputLimit };
    expect(contextLengthOf({ provider, modelId })).toEqual({ ...limits, known: true });
  });

  it.each<Case>([
    ['openai.responses', 'gpt-9', 1_050_000, 922_000],
    ['anthropic.messages', 'claude-opus-6-20270101', 1_000_000],
    ['amazon-bedrock', 'us.anthropic.claude-haiku-7-v1:0', 1_000_000],
    ['google.generative-ai', 'gemini-4.5-flash', 1_048_576],
    ['xai.responses', 'grok-5', 1_000_000],
    ['vllm.chat', 'llama-9-70b', 128_000],
    ['openai.chat', 'o7-mini', 200_000],
  ])('assumes the newest of its line for %s %s', (provider, modelId, contextLength, inputLimit) => {
    const limits = inputLimit === undefined ? { contextLength } : { contextLength, inputLimit };
    expect(contextLengthOf({ provider, modelId })).toEqual({ ...limits, known: false });
  });

  it.each([
    ['mock-provider', 'mock-model-id'],
    ['marco.chat', 'marco-o1'],
    ['__proto__', 'constructor'],
    ['', ''],
    ['gateway', '/'],
    ['x'.repeat(10_000), 'a1'.repeat(100_000)],
  ])('takes 128,000 for granted for an unknown model (%#)', (provider, modelId) => {
    expect(contextLengthOf({ provider, modelId })).toEqual({
      contextLength: 128_000,
      known: false,
    });
  });
});
