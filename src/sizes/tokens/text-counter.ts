import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { makeOnce, yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { splitsSurrogatePair } from '../../foundations/util/strings.ts';
import { tokensUnder, vocabularyOf } from './vocabularies.ts';

/** Counts tokens of plain text. */
export interface TextCounter {
  /**
   * Tokens of the text under `o200k_base`, OpenAI's current encoding. Exact except where a run of
   * more than 64 letters, symbols or spaces had to be cut, or one of more than 128 KB without white space was drawn from;
   * linear in the length for any text.
   */
  readonly count: (text: string) => number;
  /** Whether `count` counts, or only estimates. */
  readonly isExact: boolean;
  /** Vocabulary of the tokens; o200k by default. */
  readonly vocabulary?: string | undefined;
}

/**
 * Loads the tokenizer on first use and keeps it: about 200 ms and 60 MB, once per process. A failed
 * load rejects, and the next call tries again.
 */
export const loadTextCounter: () => Promise<TextCounter> = makeOnce(load);

/**
 * Returns the tokenizer, or estimates if its tables cannot be loaded: a bundle may leave out their megabyte. Usage that
 * providers report corrects estimates from the second call on.
 */
export async function availableTextCounter(): Promise<TextCounter> {
  return loadTextCounter().catch(() => ({ count: estimateTokens, isExact: false }));
}

/** Characters after which the tokenizer forgets the words that it keeps: counting known words is twice as fast. */
const mostKept = 2_000_000;

async function load(): Promise<TextCounter> {
  // The parts of `GptEncoding` that count: chats, prices and names of models would be in every bundle.
  const [{ BytePairEncodingCore }, { O200KBase }, { default: ranks }] = await Promise.all([
    import('gpt-tokenizer/BytePairEncodingCore'),
    import('gpt-tokenizer/encodingParams/o200k_base'),
    import('gpt-tokenizer/bpeRanks/o200k_base'),
  ]);
  // Bundlers put an empty module in the place of one that is to be left out.
  if (!Array.isArray(ranks)) throw new Error("The tokenizer's tables are not part of this bundle.");
  // The package has its own instance: clearing its cache does not slow an application that uses the tokenizer too.
  const encoding = new BytePairEncodingCore(O200KBase(ranks));
  let kept = 0;
  return {
    isExact: true,
    count: (text) => {
      let total = 0;
      for (const [piece, times] of drawnPieces(text)) {
        kept += piece.length;
        if (kept > mostKept) {
          encoding.clearMergeCache();
          kept = 0;
        }
        const runs = suspect.test(piece) ? shortRuns(piece) : [piece];
        for (const run of runs) total += times * encoding.countNative(run);
      }
      return Math.round(total);
    },
  };
}

/**
 * Counts the tokens of a text, piece by piece, and leaves the event loop to others in between.
 *
 * @param most - Tokens at which counting may stop: for a longer text, any larger number is returned.
 * @param counter - Default: the tokenizer, or estimates.
 */
export async function countText(
  text: string,
  most: number = Number.POSITIVE_INFINITY,
  counter?: TextCounter,
): Promise<number> {
  const { count } = counter ?? (await availableTextCounter());
  let total = 0;
  for (const [piece, times] of drawnPieces(text)) {
    total += times * count(piece);
    if (total > most) break;
    await yieldToEventLoop();
  }
  return Math.round(total);
}

/** Characters counted in one stretch: under 5 ms for the slowest kind of text. */
const maxPieceLength = 4096;

/** Characters that a token of ordinary text has at most. */
export const mostCharactersPerToken = 16;

/** Characters before the end of a piece in which a space to end at is looked for. */
const pieceReach = 256;

/**
 * Cuts a text into pieces that are counted one by one: the sum is the count of the text except for about one token in
 * 10,000. The same text is always cut at the same places.
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

/** Pieces in a row without white space that are all counted: base64 of 3 MB would take the tokenizer 10 to 20 s. */
const mostDense = 32;

/** Lists pieces of a text, and how many pieces each stands for: a long row without white space is sampled. */
function* drawnPieces(text: string): Generator<readonly [piece: string, times: number]> {
  const dense: string[] = [];
  for (const piece of textPieces(text)) {
    if (/\s/.test(piece)) {
      yield* drawnFrom(dense.splice(0));
      yield [piece, 1];
    } else dense.push(piece);
  }
  yield* drawnFrom(dense);
}

function* drawnFrom(dense: readonly string[]): Generator<readonly [piece: string, times: number]> {
  const times = Math.max(1, dense.length / mostDense);
  for (let at = 0; at < dense.length; at += times) yield [dense[Math.floor(at)] ?? '', times];
}

function pieceEnd(text: string, latest: number): number {
  for (let end = latest; end > latest - pieceReach; end -= 1) {
    // Tokens begin with the space before a word, and most end with the line.
    if (text.charCodeAt(end) === 32 && text.charCodeAt(end - 1) > 32) return end;
  }
  return splitsSurrogatePair(text, latest) ? latest - 1 : latest;
}

/** Characters of one class that reach the tokenizer in one stretch; beyond ASCII they are two to four bytes each. */
const longestRun = 64;

/** A text without one has no run that is cut: two runs of different classes can stand in one piece of the tokenizer. */
const suspect = /\S{65}|\s{65}/;

/** The four classes cover every character, so each match begins where the last one ended. */
const classes = /[\p{L}\p{M}]+|\p{N}+|\s+|[^\s\p{L}\p{N}]+/gu;

/**
 * Cuts a text where a run of one character class (letters with their marks, punctuation and symbols, white space) is
 * long. A byte-pair tokenizer takes quadratic time on such a run: 36 s for 100 KB of unspaced Chinese. A surrogate pair
 * is never split.
 */
function* shortRuns(text: string): Generator<string, void, undefined> {
  let pieceStart = 0;
  for (const { 0: run, index } of text.matchAll(classes)) {
    const end = index + run.length;
    if (run.length <= longestRun) continue;
    for (let cut = index + longestRun; cut < end; cut += longestRun) {
      if (splitsSurrogatePair(text, cut)) cut -= 1;
      yield text.slice(pieceStart, cut);
      pieceStart = cut;
    }
  }
  yield text.slice(pieceStart);
}

/**
 * Tokens that a UTF-16 unit beyond ASCII takes under o200k, from the first code of a script on: as they are estimated, and
 * at the most. The most is measured on sentences too, on characters drawn by chance where a script has rare ones.
 */
const scripts: readonly (readonly [from: number, o200k: number, most: number])[] = [
  [0x0000, 0.9, 2], // signs
  [0x0250, 0.38, 2],
  [0x0370, 0.38, 0.5], // Greek
  [0x0400, 0.38, 0.5], // Cyrillic
  [0x0530, 0.44, 0.6], // Armenian, Hebrew
  [0x0600, 0.44, 0.6], // Arabic
  [0x0900, 0.44, 0.6], // Devanagari
  [0x0980, 0.44, 0.6], // the other scripts of India
  [0x0e00, 0.5, 0.6], // Thai
  [0x0e80, 0.8, 1.2], // Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer
  [0x1e00, 0.8, 1], // Vietnamese letters
  [0x2000, 0.8, 3], // symbols
  [0x3040, 0.65, 0.9], // kana
  [0x3100, 0.85, 1.2], // Chinese
  [0x3400, 0.85, 3], // rare Chinese
  [0x4e00, 0.85, 1.2], // Chinese
  [0xac00, 0.8, 1], // Korean
  [0xd7b0, 1.25, 2], // halves of emoji and of rare characters
];

/** Counts the tokens of a text's units beyond ASCII, by a column of the table: 1 as estimated, 2 at the most. */
export function tokensOfUnits(text: string, column: 1 | 2): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 127) tokens += scripts.findLast(([from]) => code >= from)?.[column] ?? 0;
  }
  return tokens;
}

/** Counts a text as a model's own vocabulary does, if that is known to differ from o200k. */
export function inVocabularyOf(model: ModelIdentity, counter: TextCounter): TextCounter {
  const vocabulary = vocabularyOf(model);
  if (vocabulary === undefined) return counter;
  const count = (text: string): number =>
    Math.round(tokensUnder(vocabulary, text, counter.count(text)));
  return { ...counter, vocabulary: vocabulary.name, count };
}

/**
 * Pieces that become tokens: words, numbers three digits at a time, lines, characters beyond ASCII, symbols; spaces
 * are free.
 */
const pieces =
  /([A-Z]*[a-z\u00c0-\u024f\u1e00-\u1eff]+|[A-Z]+)|(\d{1,3})|(\n+)|([^\0-\x7f]+)|([^\sA-Za-z\d\x80-\uffff]+)/g;

/** Letters of a word, and symbols of a run, beyond which a token holds more of them. */
const usualLetters = 6;
const usualSymbols = 8;

/** Base64, tables and minified text come out lower than prose does: rather summarize too early. */
const caution = 1.1;

/**
 * Estimates the tokens of a text under o200k in one pass, without the tokenizer's tables. Within 15 % on
 * prose in common scripts, code, JSON and logs; up to 25 % low on base64.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [{ length }, word, digits, lines, wide] of text.matchAll(pieces)) {
    if (word !== undefined) {
      const marked = /^[a-z]+$/i.test(word) ? 0 : word.replaceAll(/[a-z]/gi, '').length;
      tokens += 1 + marked * 0.3 + Math.max(0, length - usualLetters) * 0.13;
    } else if (digits !== undefined) tokens += 1;
    else if (lines !== undefined) tokens += 0.4;
    else if (wide !== undefined) tokens += tokensOfUnits(wide, 1);
    else
      tokens +=
        0.25 + Math.min(length, usualSymbols) * 0.4 + Math.max(0, length - usualSymbols) * 0.06;
  }
  return Math.ceil(tokens * caution);
}
