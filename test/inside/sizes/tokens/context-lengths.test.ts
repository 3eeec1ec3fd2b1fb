import { expect, it } from 'vitest';
import { lengthInTable as contextLengthOf } from '../../../../src/sizes/tokens/context-lengths.ts';

const profile = 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-6';

// One of each line of models, as vendors and hosts spell them: dated, fine-tuned, sized, quantised. Behind `@` what a
// host serves otherwise.
it.each<[contextLength: number, modelIds: string, inputLimit?: number]>([
  [4096, 'gpt-3.5-turbo-instruct phi-3-mini-4k-instruct'],
  [8000, 'gemini-2.5-flash-preview-tts gemini-2.5-pro-tts gemma-2-9b-it open-mistral-7b'],
  [8000, 'qwen-plus-character meta-llama/Meta-Llama-3-8B-Instruct'],
  [8192, 'gpt-4-0613'],
  [16_000, 'qwen-mt-turbo phi-4 amazon-bedrock@qwen.qwen3-32b-v1:0 azure.chat@gpt-35-turbo'],
  [16_384, 'gpt-3.5-turbo-0125'],
  [32_000, 'gemini-2.5-flash-image mistral-small-2501 qwen-max lfm2-8b-a1b'],
  [24_000, 'workersai.chat@llama-3.3-70b-instruct-fp8-fast workersai.chat@qwq-32b'],
  [32_000, 'gateway@mistral/mistral-small together-ai.chat@pearl-ai/gemma-4-31b-it'],
  [32_768, 'gpt-4-32k-0613'],
  [40_960, 'Qwen/Qwen3-32B Qwen/Qwen3-8B qwen3:8b qwen-3-8b Qwen3_8B-GGUF qwen3-8b-8bit'],
  [64_000, 'gemini-3-pro-image open-mixtral-8x22b qwen3-omni-flash glm-4.5v'],
  [100_000, 'claude-instant-1.2'],
  [120_000, 'sonar'],
  [128_000, 'gpt-4-turbo-2024-04-09 ft:gpt-4o-mini-2024-07-18:acme::9x gpt-oss-120b'],
  [128_000, 'gemma-3-27b-it mistral-small-3.2 pixtral-large-latest qwq-plus nova-micro'],
  [128_000, 'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M llama-v3p1-70b-instruct'],
  [128_000, 'deepseek-ai/DeepSeek-R1-Distill-Llama-70B amazon-bedrock@qwen.qwen3-coder-480b'],
  [128_000, 'azure.chat@model-router cerebras.chat@qwen-3.8-max groq.chat@llama-3-70b'],
  [128_000, 'gpt-5.3-codex-spark', 100_000],
  [128_000, 'gateway@openai/gpt-5-chat', 111_616],
  [128_000, 'gateway@openai/gpt-oss-safeguard-20b', 65_536],
  [128_000, 'gateway@openai/gpt-oss-20b', 122_880],
  [160_000, 'cogito-v2'],
  [196_000, 'minimax-m2.5'],
  [200_000, 'o3 claude-3-5-sonnet-20241022 claude-3-7-sonnet-20250219 glm-4.7'],
  [200_000, 'azure.chat@claude-opus-4-6 us.anthropic.claude-opus-4-5-20251101-v1:0'],
  [216_144, 'gateway@moonshotai/kimi-k2-thinking'],
  [240_000, 'qwen3.6-max'],
  [256_000, 'gemma-4-31b-it codestral-2508 devstral-small-2512 mistral-large-2512'],
  [256_000, 'mistral-medium-2508 mistral-small-latest qwen3.5-397b'],
  [256_000, 'qwen3-coder-480b grok-4 kimi-k2-thinking mimo-v2-flash seed-2.1 nemotron-3.5-super'],
  [256_000, 'azure.chat@grok-4.20-reasoning'],
  [272_000, 'amazon-bedrock@openai.gpt-5.5'],
  [300_000, 'nova-pro'],
  [400_000, 'gpt-5-2025-08-07 gpt-5-mini', 272_000],
  [500_000, 'grok-4.5'],
  [990_000, 'qwen3.7-max'],
  [1_000_000, 'anthropic/claude-haiku-5.5-batch claude-opus-4-7 claude-opus-4-8 claude-sonnet-5-5'],
  [
    1_000_000,
    'models/gemini-3-pro-preview mistral-large-latest mistral-large-4 qwen3-coder-plus qwen3.6-plus',
  ],
  [1_000_000, 'qwen-turbo glm-5.3 kimi-k3 nova-premier step-5 deepseek.chat@deepseek-chat'],
  [1_000_000, `amazon-bedrock@${profile} amazon-bedrock@us.amazon.nova-2-lite-v1:0`],
  [1_000_000, 'vercel@deepseek/deepseek-v4 zai.chat@glm-5.2'],
  [1_000_000, 'gateway@openai/gpt-5.5', 872_000],
  [1_047_576, 'gpt-4.1-mini'],
  [1_050_000, 'gpt-5.5 gpt-6-sol', 922_000],
  [2_000_000, 'grok-4-fast'],
  [3_500_000, 'amazon-bedrock@meta.llama4-scout-17b-instruct-v1:0'],
  // A newer version of the line than the listed ones, but not a size or a date.
  [1_050_000, 'gpt-9', 922_000],
  [1_000_000, 'claude-opus-6-20270101 gemini-4.5-flash'],
  [8192, 'gpt-4-2027-01-01'],
  // No model that anybody knows.
  [128_000, `marco-o1 / ${'a1'.repeat(100_000)} __proto__@constructor ${'x'.repeat(10_000)}@new`],
])('contextLengthOf finds %d (%#)', (contextLength, models, inputLimit) => {
  for (const model of models.split(' ')) {
    const [modelId = '', provider = 'any'] = model.split('@').toReversed();
    const known = !/^(?:gpt-9|claude-opus-6|gemini-4\.5|marco|constructor|\/|new|a1)/.test(modelId);
    expect(contextLengthOf({ provider, modelId })).toEqual({ contextLength, inputLimit, known });
  }
});
