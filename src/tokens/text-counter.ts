import { oncePerModel } from '../prompt/model-name.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { nextTurn, type TimeSlices } from '../util/async/time-slices.ts';
import { splitsSurrogatePair } from '../util/strings.ts';
import { estimateTokens } from './estimate-tokens.ts';

/** Counts tokens of plain text. */
export interface TextCounter {
  /**
   * Tokens of the text under `o200k_base`, OpenAI's current encoding. Exact except where a run of
   * more than 128 letters, symbols or spaces had to be cut; linear in the length for any text.
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

/** Turns of the event loop without a count after which the tokenizer forgets the pieces of text that it keeps. */
const idleTurns = 4;

/** Characters after which it forgets them at once. */
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
  const forget = (): void => {
    kept = 0;
    encoding.clearMergeCache();
  };
  const forgetWhenIdle = async (): Promise<void> => {
    for (let idle = 0; idle < idleTurns;) {
      const before = kept;
      await nextTurn();
      idle = before === kept ? idle + 1 : 0;
    }
    forget();
  };
  return {
    isExact: true,
    count: (text) => {
      // What repeats is kept while work goes on, which is twice as fast for prose; no text is kept longer.
      if (kept > mostKept) forget();
      const isIdle = kept === 0;
      kept += text.length;
      if (isIdle) void forgetWhenIdle();
      let total = 0;
      for (const piece of textPieces(text))
        for (const run of shortRuns(piece)) total += encoding.countTokens(run, ordinaryText);
      return total;
    },
  };
}

/** How texts are read that may be long. */
export interface TextReading {
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  readonly slices: TimeSlices;
}

/**
 * Counts the tokens of a text as `count` does, piece by piece, and leaves the event loop to others in between.
 *
 * @param most - Where counting may stop: of a text with more tokens, any number above it comes back.
 */
export async function countText(
  text: string,
  count: (text: string) => number,
  slices: TimeSlices,
  most: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  let total = 0;
  for (const piece of textPieces(text)) {
    total += count(piece);
    if (total > most) break;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
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
const longestRun = 128;
const wideRun = { least: 34, most: 64 };

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
    if (run.length <= wideRun.most) continue;
    for (let cut = runEnd(text, index); cut < end; cut = runEnd(text, cut)) {
      if (splitsSurrogatePair(text, cut)) cut -= 1;
      yield text.slice(pieceStart, cut);
      pieceStart = cut;
    }
  }
  yield text.slice(pieceStart);
}

/**
 * Where a run is cut. Beyond ASCII behind one character in 16, so that parts of one text are cut at the same places
 * wherever they begin: counted again, they are what the tokenizer has kept.
 */
function runEnd(text: string, start: number): number {
  if (text.charCodeAt(start) <= 127) return start + longestRun;
  let end = start + wideRun.least;
  while (end < start + wideRun.most && text.charCodeAt(end - 1) % 16 !== 0) end += 1;
  return end;
}

/** A vocabulary that models of today still use, and that has fewer tokens than o200k for some scripts. */
type SmallVocabulary = 'cl100k' | 'llama-3';

/** Tokens that a UTF-16 unit takes beyond those of o200k, from the first code of a script on. */
type ExtraTokens = readonly (readonly [from: number, tokens: number])[];

/**
 * Measured with both tokenizers on a few sentences of each script: tokens of o200k for a unit, times what the vocabulary
 * takes over it. A text in Arabic comes to 2.0 times its count of o200k under cl100k, in Korean to 1.6, in Thai to 2.3, in
 * Hindi to 3.1; under Llama 3 in Hindi to 1.7.
 */
const extraTokens: Readonly<Record<SmallVocabulary, ExtraTokens>> = {
  cl100k: [
    [0x0370, 0.5], // Greek
    [0x0400, 0.24], // Cyrillic
    [0x0530, 0.63], // Armenian, Hebrew
    [0x0600, 0.36], // Arabic
    [0x0700, 0.6],
    [0x0900, 0.72], // Devanagari
    [0x0980, 1], // the other scripts of India
    [0x0e00, 0.62], // Thai
    [0x0e80, 1.5], // Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer
    [0x1e00, 0.4], // Vietnamese letters
    [0x1f00, 0.5],
    [0x2000, 0],
    [0x3040, 0.33], // kana
    [0x3400, 0.35], // Chinese
    [0xac00, 0.38], // Korean
    [0xd7b0, 0],
  ],
  'llama-3': [
    [0x0400, 0.07],
    [0x0530, 0.63],
    [0x0600, 0.05],
    [0x0700, 0.6],
    [0x0900, 0.2],
    [0x0980, 1],
    [0x0e00, 0],
    [0x0e80, 1.5],
    [0x1e00, 0],
    [0x3400, 0.05],
    [0xac00, 0],
  ],
};

/** GPT-4 and 3.5, before 4o and 4.1, and Llama 3; what is left has the factor of its model for all scripts. */
const vocabularyOf = oncePerModel<SmallVocabulary | undefined>(({ modelId }) => {
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
  const scripts = extraTokens[vocabulary];
  const count = (text: string): number => {
    let extra = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x2ff) extra += scripts.findLast(([from]) => code >= from)?.[1] ?? 0;
    }
    return counter.count(text) + Math.round(extra);
  };
  return { ...counter, vocabulary, count };
}
