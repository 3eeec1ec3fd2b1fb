import type { CountPromptTokensParams, PromptTokenCount } from './count-prompt.ts';

/**
 * Counts the tokens of a model call as it is really sent: texts exactly under o200k (OpenAI's
 * encoding), images and files by the rule of the model's provider. Loads the tokenizer on first use.
 * The counts are not scaled to other tokenizers. Rejects where a bundle has left the tables out.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed.
 *
 * @example
 * ```ts
 * const { total } = await countPromptTokens({ messages, tools, model });
 * ```
 */
export async function countPromptTokens(
  params: CountPromptTokensParams,
): Promise<PromptTokenCount> {
  const { countPrompt } = await import('./count-prompt.ts');
  return countPrompt(params);
}
