import type { ModelIdentity } from '../prompt/prompt-types.ts';

/** What is said of the size of models. */
export interface SizeOptions {
  /**
   * Tokens the model accepts: a number, or a function that may leave a model to the package's table by
   * returning `undefined`. The function, and `providers`, are asked about summarising models too.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | ((model: ModelIdentity) => number | undefined) | undefined;
}

/** What is said of the size of one model. */
export interface ModelSizeOptions {
  /**
   * Tokens the model accepts.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | undefined;
  /**
   * Factor over the o200k count, for models whose tokenizer counts more. 0.1 to 10. One that is given
   * is taken as it is.
   * @default 1 for OpenAI, 1.05 for Llama 3, 1.1 for Gemini, 1.35 for Claude and every other model, then
   * learned from the usage that the provider reports (at most twice and at least half of that)
   */
  readonly tokenMultiplier?: number | undefined;
}
