import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** What looks like a special token, such as `<|endoftext|>`, is a text like any other. */
const ordinaryText = { disallowedSpecial: new Set<string>() };

/** Tokens of a text under `o200k_base`, OpenAI's current encoding. */
export function countText(text: string): number {
  return countTokens(text, ordinaryText);
}
