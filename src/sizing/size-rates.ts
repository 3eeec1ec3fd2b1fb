/** How counts under o200k become tokens of a model. */
export interface SizeRates {
  /** Tokens of the model for one of o200k. */
  readonly multiplier: number;
  /** The least that a token of o200k comes to: no tokenizer in use makes less of a text. */
  readonly least: number;
  /** Tokens that the provider may add to every prompt, as far as its reports leave room for them. */
  readonly hidden: number;
}

/**
 * Tokens a message may take beyond the 4 that are counted for its frame: providers and chat templates
 * take none to eight, and do not say.
 */
export const spareFrameTokens = 4;

/** Rates of which nothing but the factor is known. */
export function plainRates(multiplier: number): SizeRates {
  return { multiplier, least: multiplier, hidden: 0 };
}

/**
 * Tokens that a whole prompt may take. What a provider reports beyond our count is a dearer tokenizer or
 * a text that it adds: whichever comes to more at this size.
 *
 * @param counted - Tokens of o200k, frames and overhead included.
 */
export function promptTokens(
  counted: number,
  messages: number,
  { multiplier, least, hidden }: SizeRates,
): number {
  return Math.max(counted * multiplier, counted * least + hidden) + messages * spareFrameTokens;
}
