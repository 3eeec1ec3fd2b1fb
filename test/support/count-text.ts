import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** What looks like a special token, such as `<|endoftext|>`, is a text like any other. */
const ordinaryText = { disallowedSpecial: new Set<string>() };

/** The first 128 letters, spaces or symbols of a longer run: a tokenizer takes quadratic time for one. */
const longRun = /\p{L}{128}(?=\p{L})|\s{128}(?=\s)|[^\p{L}\s]{128}(?=[^\p{L}\s])/gu;

/** Tokens of a text under `o200k_base`, OpenAI's current encoding; runs of more than 128 letters, spaces or symbols are cut. */
export function countText(text: string): number {
  const pieces = text.replaceAll(longRun, '$&\0').split('\0');
  return pieces.reduce((total, piece) => total + countTokens(piece, ordinaryText), 0);
}
