import { mostCharactersPerToken } from '../../tokens/text/text-pieces.ts';
import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';

type Measure = (text: string) => number;

/** How {@link chunkText} splits. */
export interface ChunkTextOptions {
  /** Size of a chunk, its overlap included. */
  readonly chunkSize: number;
  /** Size at most of the end of a chunk that the next one begins with; at most half of `chunkSize`. */
  readonly chunkOverlap: number;
  /** Size of a text, usually its tokens; at most eight a UTF-16 character. */
  readonly measure: Measure;
}

/** Characters of a piece of what has no sentences: a few words, so that chunks fill well. */
const pieceLength = 256;

/** More than a UTF-16 character takes: 3 bytes of UTF-8, or an escape in JSON. */
const maxSizePerCharacter = 8;

/** Characters that are kept between two paragraphs: an indentation, but not megabytes of white space. */
const mostBetween = 100;

/**
 * Splits a text into chunks at paragraphs, else at sentences and lines, else between words. Filled
 * from the front: a paragraph that is added at the end changes the last chunk or begins a new one, and
 * leaves all others as they are. No chunk is blank. Takes linear time.
 */
export function* chunkText(text: string, options: ChunkTextOptions): Generator<string> {
  const { chunkSize, chunkOverlap, measure } = options;
  let [overlap, chunk, size] = ['', '', 0];
  for (const [unit, unitSize] of unitsOf(text, chunkSize - chunkOverlap, measure)) {
    if (chunk !== '' && size + unitSize > chunkSize) {
      if (chunk.trim() !== '') yield (overlap + chunk).trim();
      overlap = endOf(chunk, chunkOverlap, measure);
      [chunk, size] = ['', measure(overlap)];
    }
    chunk += unit;
    size += unitSize;
  }
  if (chunk.trim() !== '') yield (overlap + chunk).trim();
}

/** The last units of a text that fit. */
function endOf(text: string, limit: number, measure: Measure): string {
  const near = text.slice(Math.max(0, text.length - limit * mostCharactersPerToken));
  let end = '';
  for (const [unit] of [...unitsOf(near, limit, measure)].toReversed()) {
    if (measure(unit + end) > limit) break;
    end = unit + end;
  }
  return end.trimStart();
}

type Split = (text: string, limit: number) => Generator<string>;

/**
 * The stretches of a text that a chunk takes as a whole or not at all, and their sizes: paragraphs; of those larger
 * than `limit` the sentences, and of these the pieces. White space stands behind them.
 */
function* unitsOf(
  text: string,
  limit: number,
  measure: Measure,
  [split, ...finer]: readonly Split[] = [paragraphs, sentences, pieces],
): Generator<readonly [text: string, size: number]> {
  for (const part of split?.(text, limit) ?? []) {
    // A tokenizer takes one space with the word behind it.
    const body = part.endsWith(' ') ? part.slice(0, -1) : part;
    const size = part.length > limit * mostCharactersPerToken ? Infinity : measure(body);
    if (size <= limit || finer.length === 0) yield [part, size];
    else yield* unitsOf(part, limit, measure, finer);
  }
}

function* paragraphs(text: string): Generator<string> {
  let start = 0;
  // Every start is a line feed, so no character is read twice.
  for (const { index, 0: between } of text.matchAll(/\n[^\S\n]*\n\s*/g)) {
    yield text.slice(start, index) + between.slice(-mostBetween);
    start = index + between.length;
  }
  if (start < text.length) yield text.slice(start);
}

function* sentences(text: string): Generator<string> {
  // One language for all: where a text is cut must not depend on the machine.
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function* pieces(text: string, limit: number): Generator<string> {
  const words = new Intl.Segmenter('en', { granularity: 'word' });
  const most = Math.max(1, Math.min(pieceLength, Math.floor(limit / maxSizePerCharacter)));
  for (let start = 0; start < text.length;) {
    const stretch = text.slice(start, start + 2 * most);
    let end = stretch.length;
    // A word that is longer is cut where it is.
    if (end > most) end = words.segment(stretch).containing(most)?.index || most;
    if (splitsSurrogatePair(text, start + end)) end += end > 1 ? -1 : 1;
    yield text.slice(start, start + end);
    start += end;
  }
}

/** How many characters of a text's script make a token. */
export function charactersOfToken(text: string, count: Measure): number {
  // A sample shows the script as well as the whole, which may be megabytes.
  const sample = text.slice(0, 1000);
  return sample.length / Math.max(count(sample), 1);
}
