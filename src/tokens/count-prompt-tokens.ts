import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import { countMessage } from './count-message.ts';
import { countOverhead } from './count-overhead.ts';
import { loadTextCounter } from './load-text-counter.ts';
import { mediaFamilyOf } from './media-family-of.ts';

/** Sizes of one model call, in tokens. */
export interface PromptTokenCount {
  /** Everything that is sent: `messages + overhead`. */
  readonly total: number;
  /** All messages, leading system messages included. */
  readonly messages: number;
  /** Tool definitions, response schema and the opening of the answer. */
  readonly overhead: number;
  /** Each message of the prompt, in order. */
  readonly perMessage: readonly number[];
}

/**
 * Counts the tokens of a model call as it is really sent: texts exactly under o200k (OpenAI's
 * encoding), images and files by the rule of the model's provider. Loads the tokenizer on first use.
 * The counts are not scaled to other tokenizers.
 *
 * @example
 * ```ts
 * const { total } = await countPromptTokens(params, model);
 * ```
 */
export async function countPromptTokens(
  params: Pick<CallOptions, 'prompt'> & Partial<CallOptions>,
  model?: ModelIdentity,
): Promise<PromptTokenCount> {
  const family = model === undefined ? 'other' : mediaFamilyOf(model);
  const counter = await loadTextCounter();
  const perMessage = params.prompt.map((message) => countMessage(counter, message, family));
  const messages = perMessage.reduce((sum, tokens) => sum + tokens, 0);
  const overhead = countOverhead(counter, params, family);
  return { total: messages + overhead, messages, overhead, perMessage };
}
