import type { CountPromptTokensParams, PromptTokenCount } from '../count-prompt-tokens.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { countMessage } from '../tokens/count-message.ts';
import { countOverhead } from '../tokens/count-overhead.ts';
import { loadTextCounter } from '../tokens/load-text-counter.ts';
import { mediaFamilyOf } from '../tokens/media-family-of.ts';
import { toPrompt } from './to-prompt.ts';

/** The part of `countPromptTokens` that loads when it is called. */
export async function countPrompt(
  params: CountPromptTokensParams,
  model?: ModelIdentity,
): Promise<PromptTokenCount> {
  const family = model === undefined ? 'other' : mediaFamilyOf(model);
  const counter = await loadTextCounter();
  const prompt = await toPrompt(params.prompt, 'prompt');
  const perMessage = prompt.map((message) => countMessage(counter, message, family));
  const messages = perMessage.reduce((sum, tokens) => sum + tokens, 0);
  const overhead = countOverhead(counter, params, family);
  return { total: messages + overhead, messages, overhead, perMessage };
}
