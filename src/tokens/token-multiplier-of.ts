import type { ModelIdentity } from '../prompt/prompt-types.ts';

/**
 * Gives the factor from an o200k count to the model's own tokens: Claude 1.35 (measured on 850 calls
 * of Claude 4.5: an o200k count is 20-24 % low), Gemini 1.1, OpenAI and everything else 1. By the
 * model id first, so that Claude on Bedrock or behind a gateway is recognised.
 */
export function tokenMultiplierOf(model: ModelIdentity): number {
  const modelId = model.modelId.toLowerCase();
  if (modelId.includes('claude')) return 1.35;
  if (modelId.includes('gemini')) return 1.1;
  return model.provider.toLowerCase().includes('anthropic') ? 1.35 : 1;
}
