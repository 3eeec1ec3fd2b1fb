import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { tokensOfUnits } from './text-counter.ts';
import { tokensUnder, type Vocabulary } from './vocabularies.ts';

/** Estimates the tokens of texts by a sample, in the vocabulary of a model. */
export interface TextSample {
  readonly least: number;
  readonly tokens: number;
  /** Bounds that one of fifty texts exceeds, and that hardly any text exceeds. */
  readonly likely: number;
  readonly most: number;
}

/** Characters of a piece of a sample, and of the stretch that one stands for. */
const pieceLength = 256;
const longestStretch = 2048;
/** Pieces of a sample at the least; shorter texts are read whole. */
const leastPieces = 64;

/** Standard errors of a sample by which texts exceed it: one of fifty does by two, one of a thousand by three. */
const [likelyErrors, mostErrors] = [2, 3] as const;
/** Share by which the estimate of a whole conversation was wrong at the most: on prose, code, logs and JSON. */
const estimateError = 0.08;
/** Share of an estimate that other scripts and languages come to at the least. */
const leastOfEstimate = 0.65;

/**
 * Reads a sample of texts: a piece of each stretch of them, at a place that the piece before it decides, so that nobody
 * can write between the pieces. It needs no tokenizer, and takes less time than to parse them.
 *
 * @param texts - Lists of texts, read one after the other when they are asked for.
 * @param characters - Sum over all texts.
 */
export async function sampleTexts(
  texts: Iterable<readonly string[]>,
  characters: number,
  vocabulary: Vocabulary | undefined,
): Promise<TextSample> {
  const counted = (text: string, tokens: number): number =>
    vocabulary === undefined ? tokens : tokensUnder(vocabulary, text, tokens);
  const stretch = Math.min(longestStretch, Math.max(pieceLength, characters / leastPieces));
  const places = Math.floor(stretch) - pieceLength + 1;
  const read: { readonly length: number; readonly tokens: number }[] = [];
  const sum = { length: 0, tokens: 0, most: 0 };
  /** Characters before a text, where the next stretch begins, and where the next piece does. */
  let [before, begun, next] = [0, 0, 0];
  for (const list of texts) {
    for (const text of list) {
      while (next < before + text.length) {
        const start = next - before;
        const piece = text.slice(start, start + pieceLength);
        const { tokens: common, most, hash } = readPiece(piece);
        const tokens = counted(piece, common);
        read.push({ length: piece.length, tokens });
        sum.length += piece.length;
        sum.tokens += tokens;
        sum.most += Math.max(tokens, counted(piece, most));
        begun += stretch;
        next = Math.floor(begun) + (hash % places);
      }
      before += text.length;
    }
    await yieldToEventLoop();
  }
  if (sum.tokens === 0) return { least: 0, tokens: 0, likely: 0, most: 0 };
  const [rate, whole] = [sum.tokens / sum.length, characters / sum.length];
  const squares = read.reduce((all, each) => all + (each.tokens - rate * each.length) ** 2, 0);
  // A text that was read whole has no error.
  const unread = Math.max(0, 1 - sum.length / characters);
  const error = Math.sqrt(squares * unread) / sum.tokens;
  const tokens = sum.tokens * whole;
  return {
    least: tokens * leastOfEstimate * Math.max(0, 1 - mostErrors * error),
    tokens,
    likely: tokens * (1 + estimateError + likelyErrors * error),
    most: sum.most * whole * (1 + mostErrors * error),
  };
}

/** Tokens of a piece in o200k, and a number that any of its characters changes. */
interface PieceSize {
  readonly tokens: number;
  /** Its likely maximum. */
  readonly most: number;
  readonly hash: number;
}

/** Class of a character; Latin letters with marks are lower-case ones. */
const [space, line, digit, symbol, lower, upper, wide] = [0, 1, 2, 3, 4, 5, 6] as const;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return lower;
  if (code === 32 || code === 9) return space;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  if (code === 10 || code === 13) return line;
  if (code <= 127) return symbol;
  return (code >= 0xc0 && code <= 0x24f) || (code >= 0x1e00 && code <= 0x1eff) ? lower : wide;
}

/** Consonants in a row that hardly any language has: letters drawn by chance, such as base64 and keys. */
const unheardConsonants = 5;
/** White space that is one token: an indentation. */
const usualSpaces = 16;
/** Largest shortfall of the weights, on the worst of the measured texts. */
const pessimism = 1.3;

/**
 * Estimates a piece by runs of characters of a kind. The weights are a fit of counts, by least squares, of conversations
 * of people, of agents, of code and JSON. Those of the most exceed the count of each of these, of prose in
 * fifteen languages, of base64 and of identifiers; of syllables drawn by chance they are a quarter short.
 */
function readPiece(text: string): PieceSize {
  let [tokens, most, hash, at] = [0, 0, 0, 0];
  /** Text before a run, and before the capital letter that begins a word. */
  let [last, before] = [space, space] as [number, number];
  while (at < text.length) {
    const start = at;
    const kind = kindOf(text.charCodeAt(at));
    let [marked, row, longestRow] = [0, 0, 0];
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (kindOf(code) !== kind) break;
      hash = (Math.imul(hash, 31) + code) | 0;
      if (code > 127) marked += 1;
      row = code > 127 || isVowel(code) ? 0 : row + 1;
      if (row > longestRow) longestRow = row;
    }
    const length = at - start;
    const isGlued = kind >= lower && (before === lower || before === upper || before === digit);
    switch (kind) {
      case lower: {
        const letters = length + (last === upper ? 1 : 0);
        const isHeard = longestRow < unheardConsonants && (letters < 4 || longestRow < length);
        tokens += 0.97 + Math.max(0, letters - 8) * 0.36 + marked * 0.3;
        most += isHeard ? 1 + Math.max(0, letters - 5) * 0.35 + marked * 0.5 : letters + marked;
        break;
      }
      case upper: {
        // The last one belongs to the next word.
        const capitals = kindOf(text.charCodeAt(at)) === lower ? length - 1 : length;
        tokens += capitals > 0 ? 1.6 : 0;
        most += capitals > 2 ? capitals * 0.5 : capitals;
        break;
      }
      case digit:
        tokens += Math.ceil(length / 3);
        most += Math.ceil(length / 3);
        break;
      case line:
        tokens += 0.88;
        most += 0.5 + length * 0.5;
        break;
      case space:
        // One space belongs to the next word, an indentation to the line.
        tokens += length > 1 && last !== line ? 1.1 : 0;
        most += length > 1 ? 0.5 + Math.max(0, length - usualSpaces) / 3 : 0;
        break;
      case symbol:
        tokens += length === 1 ? 0.75 : 1.26;
        most += length < 4 ? 0.25 + length * 0.4 : length * 0.8;
        break;
      default: {
        const run = text.slice(start, at);
        tokens += tokensOfUnits(run, 1);
        most += tokensOfUnits(run, 2);
      }
    }
    if (isGlued && last !== upper) [tokens, most] = [tokens + 0.29, most + 0.29];
    before = kind === upper ? last : kind;
    last = kind;
  }
  return { tokens, most: most * pessimism, hash: hash >>> 1 };
}

/** Whether a letter of ASCII is one of `aeiouy`, in either case. */
function isVowel(code: number): boolean {
  switch (code | 32) {
    case 97:
    case 101:
    case 105:
    case 111:
    case 117:
    case 121:
      return true;
    default:
      return false;
  }
}
