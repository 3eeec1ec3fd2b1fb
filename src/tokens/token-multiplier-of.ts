import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from './files/media-family-of.ts';

/**
 * Gives the factor from an o200k count to the model's own tokens before any usage of it is known:
 * OpenAI 1, Gemini 1.1, Claude 1.35 (measured on 850 calls of Claude 4.5: an o200k count is 20-24 %
 * low), Llama 3 1.05 (0.99 to 1.07 on recorded conversations), everything else 1.35. By the model id first, so that Claude on Bedrock or behind a gateway is
 * recognised.
 */
export function tokenMultiplierOf(model: ModelIdentity): number {
  switch (mediaFamilyOf(model)) {
    case 'openai':
      return 1;
    case 'google':
      return 1.1;
    case 'anthropic':
    case 'other':
      // OpenAI's open models are counted with o200k too.
      if (/gpt-oss/i.test(model.modelId)) return 1;
      return /llama-?3/i.test(model.modelId) ? 1.05 : 1.35;
  }
}
