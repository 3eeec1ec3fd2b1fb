import { oncePerModel } from '../prompt/model-name.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { pause } from '../util/async/time-slices.ts';
import { splitsSurrogatePair } from '../util/strings.ts';

/** Counts tokens of plain text. */
export interface TextCounter {
  /**
   * Tokens of the text under `o200k_base`, OpenAI's current encoding. Exact except where a run of
   * more than 64 letters, symbols or spaces had to be cut; linear in the length for any text.
   */
  readonly count: (text: string) => number;
  /** Whether `count` counts, or only estimates. */
  readonly isExact: boolean;
  /** Of which vocabulary the tokens are; o200k where it does not say. */
  readonly vocabulary?: string | undefined;
}

let loading: Promise<TextCounter> | undefined;

/**
 * Loads the tokenizer on first use and keeps it: about 200 ms and 60 MB, once per process. A failed
 * load rejects, and the next call tries again.
 */
export function loadTextCounter(): Promise<TextCounter> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * The tokenizer, or estimates where its tables cannot be loaded: a bundle may leave out their megabyte.
 * What providers report corrects estimates from the second call on.
 */
export async function availableTextCounter(): Promise<TextCounter> {
  return loadTextCounter().catch(() => ({ count: estimateTokens, isExact: false }));
}

/** What looks like a special token (`<|endoftext|>`) is ordinary text. */
const ordinaryText = { disallowedSpecial: new Set<string>() };

/** Characters after which the tokenizer forgets the words that it keeps: what is counted again is twice as fast. */
const mostKept = 2_000_000;

async function load(): Promise<TextCounter> {
  const [{ GptEncoding }, { default: ranks }] = await Promise.all([
    import('gpt-tokenizer/GptEncoding'),
    import('gpt-tokenizer/bpeRanks/o200k_base'),
  ]);
  // Bundlers put an empty module in the place of one that is to be left out.
  if (!Array.isArray(ranks)) throw new Error("The tokenizer's tables are not part of this bundle.");
  // An instance of our own: clearing its cache does not slow an application that uses the package too.
  const encoding = GptEncoding.getEncodingApi('o200k_base', () => ranks);
  let kept = 0;
  return {
    isExact: true,
    count: (text) => {
      let total = 0;
      for (const piece of textPieces(text)) {
        kept += piece.length;
        if (kept > mostKept) {
          encoding.clearMergeCache();
          kept = 0;
        }
        for (const run of shortRuns(piece)) total += encoding.countTokens(run, ordinaryText);
      }
      return total;
    },
  };
}

/**
 * Counts the tokens of a text, piece by piece, and leaves the event loop to others in between.
 *
 * @param most - Where counting may stop: of a text with more tokens, any number above it comes back.
 * @param counter - Default: the tokenizer, or estimates.
 */
export async function countText(
  text: string,
  most: number = Number.POSITIVE_INFINITY,
  counter?: TextCounter,
): Promise<number> {
  const { count } = counter ?? (await availableTextCounter());
  let total = 0;
  for (const piece of textPieces(text)) {
    total += count(piece);
    if (total > most) break;
    await pause();
  }
  return total;
}

/** Characters counted in one stretch: under 5 ms for the slowest kind of text. */
const maxPieceLength = 4096;

/** Characters that a token of ordinary text has at most. */
export const mostCharactersPerToken = 16;

/** How far back from there a piece looks for a space to end before. */
const pieceReach = 256;

/**
 * Cuts a text into pieces that are counted one by one: the sum is the count of the text but for about
 * one token in 10,000. The same text is always cut at the same places.
 */
export function* textPieces(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (text.length - start > maxPieceLength) {
    const end = pieceEnd(text, start + maxPieceLength);
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function pieceEnd(text: string, latest: number): number {
  for (let end = latest; end > latest - pieceReach; end -= 1) {
    // Tokens begin with the space before a word, and most end with the line.
    if (text.charCodeAt(end) === 32 && text.charCodeAt(end - 1) > 32) return end;
  }
  return splitsSurrogatePair(text, latest) ? latest - 1 : latest;
}

/** Characters of one class that reach the tokenizer in one stretch; beyond ASCII they are two to four bytes each. */
const longestRun = { least: 34, most: 64 };

/** A text without one has no run that is cut: two runs of different classes can stand in one piece of the tokenizer. */
const suspect = /\S{65}|\s{65}/;

/** The four classes cover every character, so each match begins where the last one ended. */
const runs = /[\p{L}\p{M}]+|\p{N}+|\s+|[^\s\p{L}\p{N}]+/gu;

/**
 * Cuts a text where a run of one character class (letters with their marks, punctuation and symbols, white space) is
 * long. A byte-pair tokenizer takes quadratic time on such a run: 36 s for 100 KB of unspaced Chinese. A surrogate pair
 * is never split. Most texts are one piece.
 */
function* shortRuns(text: string): Generator<string, void, undefined> {
  if (!suspect.test(text)) {
    yield text;
    return;
  }
  let pieceStart = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    const end = index + run.length;
    if (run.length <= longestRun.most) continue;
    for (let cut = runEnd(text, index); cut < end; cut = runEnd(text, cut)) {
      if (splitsSurrogatePair(text, cut)) cut -= 1;
      yield text.slice(pieceStart, cut);
      pieceStart = cut;
    }
  }
  yield text.slice(pieceStart);
}

/**
 * Where a run is cut: behind one character in 16, so that parts of one text are cut at the same places wherever they
 * begin, and counted again are what the tokenizer has kept.
 */
function runEnd(text: string, start: number): number {
  let end = start + longestRun.least;
  while (end < start + longestRun.most && text.charCodeAt(end - 1) % 16 !== 0) end += 1;
  return end;
}

/**
 * Two vocabularies that models of today still use have fewer tokens than o200k for some scripts: what a UTF-16 unit takes
 * in them beyond the tokens of o200k, from the first code of a script on. Measured with the
 * tokenizers on a few sentences of each script. A text in Arabic comes to 2.0 times its count of o200k under cl100k, in
 * Korean to 1.6, in Thai to 2.3, in Hindi to 3.1; under Llama 3 in Hindi to 1.7.
 */
const extraTokens: readonly (readonly [from: number, cl100k: number, llama3: number])[] = [
  [0x0370, 0.5, 0], // Greek
  [0x0400, 0.24, 0.07], // Cyrillic
  [0x0530, 0.63, 0.63], // Armenian, Hebrew
  [0x0600, 0.36, 0.05], // Arabic
  [0x0700, 0.6, 0.6],
  [0x0900, 0.72, 0.2], // Devanagari
  [0x0980, 1, 1], // the other scripts of India
  [0x0e00, 0.62, 0], // Thai
  [0x0e80, 1.5, 1.5], // Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer
  [0x1e00, 0.4, 0], // Vietnamese letters
  [0x2000, 0, 0],
  [0x3040, 0.35, 0.05], // kana, Chinese, Korean
  [0xd7b0, 0, 0],
];

/** GPT-4 and 3.5, before 4o and 4.1, and Llama 3; what is left has the factor of its model for all scripts. */
const vocabularyOf = oncePerModel(({ modelId }): 'cl100k' | 'llama-3' | undefined => {
  if (/llama-?v?3/i.test(modelId)) return 'llama-3';
  return /gpt-(?:3\.?5|4(?![o.]|\d\b))/i.test(modelId) ? 'cl100k' : undefined;
});

/**
 * Counts a text as a model's own vocabulary does where that is known to be a smaller one than o200k, for the scripts in
 * which it makes a difference.
 */
export function inVocabularyOf(model: ModelIdentity, counter: TextCounter): TextCounter {
  const vocabulary = vocabularyOf(model);
  if (vocabulary === undefined) return counter;
  const column = vocabulary === 'cl100k' ? 1 : 2;
  const count = (text: string): number => {
    let extra = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x2ff) extra += extraTokens.findLast(([from]) => code >= from)?.[column] ?? 0;
    }
    return counter.count(text) + Math.round(extra);
  };
  return { ...counter, vocabulary, count };
}

/**
 * Tokens of o200k that a UTF-16 unit beyond ASCII takes, by the block it lies below. Measured on a few
 * sentences of each script; marks, unknown scripts and symbols count as one.
 */
const wideRates: readonly (readonly [below: number, tokens: number])[] = [
  [0x00c0, 0.9], // signs
  [0x0530, 0.38], // Greek, Cyrillic
  [0x0e00, 0.44], // Armenian, Hebrew, Arabic, Indic
  [0x0e80, 0.5], // Thai
  [0x2e80, 0.8], // other alphabets, symbols
  [0x3100, 0.65], // kana
  [0xa000, 0.85], // Chinese
  [0xac00, 1],
  [0xd7b0, 0.8], // Korean
  [0xe000, 1.25], // halves of emoji and of rare characters
  [0x1_0000, 1],
];

/** Tokens of a marked letter beside those of its word. */
const markedLetterTokens = 0.3;

/** Letters of a word that one token holds, and the tokens of every third letter beyond. */
const lettersPerToken = 7;
const longWordTokens = 0.38;

/** Tokens of the first character of a run of symbols, of another one in it, and of a repetition. */
const symbolTokens = { first: 0.75, other: 0.45, repeated: 0.06 };

/** Tokens of a line break; other white space goes with the word behind it. */
const lineBreakTokens = 0.4;

/** Base64, tables and minified text come out lower than prose does: rather summarise too early. */
const caution = 1.1;

/**
 * Estimates the tokens of a text under o200k in one pass, without the tokenizer's tables. Within 15 % on
 * prose in common scripts, code, JSON and logs; up to 25 % low on base64.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let kind = '';
  let length = 0;
  let isLower = false;
  const enter = (next: string): boolean => {
    const isNew = kind !== next;
    kind = next;
    length = isNew ? 1 : length + 1;
    return isNew;
  };
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const lowerCased = code | 32;
    if ((code >= 0xc0 && code < 0x250) || (code >= 0x1e00 && code < 0x1f00)) {
      tokens += markedLetterTokens + (enter('letter') ? 1 : 0);
      isLower = true;
    } else if (code > 127) {
      enter('wide');
      tokens += wideRates.find(([below]) => code < below)?.[1] ?? 1;
    } else if (lowerCased >= 97 && lowerCased <= 122) {
      const isUpper = code < 97;
      const isWord = enter('letter') || (isUpper && isLower);
      if (isWord) length = 1;
      isLower = !isUpper;
      if (isWord) tokens += 1;
      else if (length >= lettersPerToken && (length - lettersPerToken) % 3 === 0)
        tokens += longWordTokens;
    } else if (code >= 48 && code <= 57) {
      enter('digit');
      // The tokenizer takes numbers three digits at a time.
      if (length % 3 === 1) tokens += 1;
    } else if (code === 32 || (code >= 9 && code <= 13)) {
      const isNew = enter('space');
      if (code === 10) tokens += isNew ? lineBreakTokens : symbolTokens.repeated;
    } else if (enter('symbol')) tokens += symbolTokens.first;
    else tokens += text.charCodeAt(index - 1) === code ? symbolTokens.repeated : symbolTokens.other;
  }
  return Math.ceil(tokens * caution);
}
