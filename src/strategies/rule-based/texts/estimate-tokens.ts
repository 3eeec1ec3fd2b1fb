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
  return runAtOnce(tokensBefore(text, [text.length]))[0] ?? 0;
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

/** The estimated tokens of a text before each of some ascending positions. */
export function* tokensBefore(
  text: string,
  positions: readonly number[],
): Steps<readonly number[]> {
  const sums: number[] = [];
  const tally = { tokens: 0, letters: 0, digits: 0 };
  let position = 0;
  let stop = stretch;
  for (const end of positions) {
    for (; position < end; position = Math.min(end, stop)) {
      if (position === stop) {
        stop += stretch;
        yield;
      }
      add(tally, text, position, Math.min(end, stop));
    }
    sums.push(tally.tokens);
  }
  return sums;
}

interface Tally {
  tokens: number;
  /** Letters and digits of the token that goes on. */
  letters: number;
  digits: number;
}

/** Apart from the steps: a loop over characters in a generator takes ten times as long. */
function add(tally: Tally, text: string, start: number, end: number): void {
  let { tokens, letters, digits } = tally;
  for (let position = start; position < end; position += 1) {
    const code = text.charCodeAt(position);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      if (letters === 0) tokens += 1;
      letters = letters + 1 === lettersInToken ? 0 : letters + 1;
      digits = 0;
    } else if (code >= 48 && code <= 57) {
      if (digits === 0) tokens += 1;
      digits = digits + 1 === digitsInToken ? 0 : digits + 1;
      letters = 0;
    } else {
      if (code > 32) tokens += code < 128 ? tokensOfSymbol : 1;
      letters = 0;
      digits = 0;
    }
  }
  tally.tokens = tokens;
  tally.letters = letters;
  tally.digits = digits;
}
