import { mostCharactersPerToken } from '../../tokens/text-counter.ts';
import { sentencesOf } from '../texts.ts';

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

/** More than a UTF-16 character takes: 3 bytes of UTF-8, or an escape in JSON. */
const maxSizePerCharacter = 8;

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

/** The last sentences of a text that fit. */
function endOf(text: string, limit: number, measure: Measure): string {
  const near = text.slice(Math.max(0, text.length - limit * mostCharactersPerToken));
  let end = '';
  for (const sentence of sentencesOf(near, limit).toReversed()) {
    if (measure(sentence + end) > limit) break;
    end = sentence + end;
  }
  return end.trimStart();
}

/** Ways to split a text whose parts are too large, the coarsest first. */
const splits: readonly ((text: string, limit: number) => readonly string[])[] = [
  // Every match begins at a line feed, so no character is read twice.
  (text) =>
    text.split(/\n[^\S\n]*\n\s*/).map((part, index) => (index === 0 ? part : `\n\n${part}`)),
  (text) => sentencesOf(text),
  (text, limit) => sentencesOf(text, Math.floor(limit / maxSizePerCharacter)),
];

/**
 * The stretches of a text that a chunk takes as a whole or not at all, and their sizes: paragraphs; of those larger
 * than `limit` the sentences, and of these pieces that are not.
 */
function* unitsOf(
  text: string,
  limit: number,
  measure: Measure,
  [split, ...finer] = splits,
): Generator<readonly [text: string, size: number]> {
  for (const part of split?.(text, limit) ?? []) {
    // A tokenizer takes one space with the word behind it.
    const body = part.endsWith(' ') ? part.slice(0, -1) : part;
    const size = part.length > limit * mostCharactersPerToken ? Infinity : measure(body);
    if (size <= limit || finer.length === 0) yield [part, size];
    else yield* unitsOf(part, limit, measure, finer);
  }
}
