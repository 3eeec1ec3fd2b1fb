import type { Conversation } from './call/to-prompt.ts';
import type { CallOptions, ModelIdentity } from './prompt/prompt-types.ts';

/** What to count: the parameters of a call; `prompt` may be messages as `generateText` takes them. */
export interface CountPromptTokensParams extends Partial<
  Pick<CallOptions, 'tools' | 'toolChoice' | 'responseFormat'>
> {
  readonly prompt: Conversation;
}

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
 * The counts are not scaled to other tokenizers. Rejects where a bundle has left the tables out.
 *
 * @example
 * ```ts
 * const { total } = await countPromptTokens({ prompt: messages }, model);
 * ```
 */
export async function countPromptTokens(
  params: CountPromptTokensParams,
  model?: ModelIdentity,
): Promise<PromptTokenCount> {
  const { countPrompt } = await import('./call/count-prompt.ts');
  return countPrompt(params, model);
}
