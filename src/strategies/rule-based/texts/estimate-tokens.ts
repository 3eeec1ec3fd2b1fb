import { runAtOnce, type Steps } from '../../../util/async/run-steps.ts';

/** Characters between two steps: under 1 ms. */
const stretch = 65_536;
/** Characters that are read before it is asked whether they are too many. */
const excerpt = 4096;

/** Letters and digits that make a token. */
const lettersInToken = 6;
const digitsInToken = 3;

/** Tokens of a visible ASCII character that is neither: half of them merge with their neighbours. */
const tokensOfSymbol = 0.8;

/**
 * Estimates the tokens of a short text inside rendered JSON without a tokenizer: letters by six, digits
 * by three, every other visible character one, other scripts one for each character. Good enough to
 * compare candidates; what is written in the end is counted exactly.
 */
export function estimateTokens(text: string): number {
  return runAtOnce(tokenPositions(text))[text.length] ?? 0;
}

/** Like `estimateTokens`, but infinite as soon as they are more than `most`: a long text is not read to its end. */
export function estimateTokensUpTo(text: string, most: number): number {
  let tokens = 0;
  for (let start = 0; start < text.length; start += excerpt) {
    tokens += estimateTokens(text.slice(start, start + excerpt));
    if (tokens > most) return Number.POSITIVE_INFINITY;
  }
  return tokens;
}

/** The estimated tokens before each position of a text, and of all of it at the end. */
export function* tokenPositions(text: string): Steps<Float32Array> {
  const positions = new Float32Array(text.length + 1);
  let total = 0;
  let letters = 0;
  let digits = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      if (letters % lettersInToken === 0) total += 1;
      letters += 1;
      digits = 0;
    } else if (code >= 48 && code <= 57) {
      if (digits % digitsInToken === 0) total += 1;
      digits += 1;
      letters = 0;
    } else {
      if (code > 32) total += code < 128 ? tokensOfSymbol : 1;
      letters = 0;
      digits = 0;
    }
    positions[position + 1] = total;
    if (position % stretch === stretch - 1) yield;
  }
  return positions;
}
