import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';

/** A stretch of text that a chunk takes as a whole or not at all. */
export interface TextUnit {
  /** With the white space that follows it: joined, the units are the text. */
  readonly text: string;
  /** Size of the text without that white space. */
  readonly size: number;
  /** Size with it: what the unit takes where another one follows. */
  readonly sizeBefore: number;
}

type Measure = (text: string) => number;

/** Blank lines: what separates paragraphs. Every start is a line feed, so no character is read twice. */
const paragraphEnd = /\n[^\S\n]*\n\s*/g;

/** Characters that are looked at at once for sentences. */
const stretchLength = 32_768;

/** Characters of a piece of what has no sentences: a few words, so that chunks fill well. */
const pieceLength = 256;

/** More than a UTF-16 character takes: 3 bytes of UTF-8, or an escape in JSON. */
const maxSizePerCharacter = 8;

/** Characters behind a piece that show whether a grapheme goes on there. Longer ones are emoji chains. */
const lookAhead = 64;

/**
 * Splits a text into its paragraphs; one that is larger than `limit` into its sentences and lines, and
 * what is still too large into pieces between graphemes, after a space where there is one. Depends on
 * nothing that comes after a unit, but for a paragraph that is not finished. Takes linear time.
 */
export function* textUnits(text: string, limit: number, measure: Measure): Generator<TextUnit> {
  let start = 0;
  const take = function* (end: number): Generator<TextUnit> {
    const paragraph = unitOf(text.slice(start, end), measure);
    if (paragraph.size <= limit) yield paragraph;
    else yield* smallerUnits(paragraph.text, limit, measure);
    start = end;
  };
  for (const { index, 0: separator } of text.matchAll(paragraphEnd)) {
    yield* take(index + separator.length);
  }
  if (start < text.length) yield* take(text.length);
}

/** Splits a text into sentences and lines; those that are larger than `limit` into pieces. */
export function* smallerUnits(text: string, limit: number, measure: Measure): Generator<TextUnit> {
  // One language for all: where a text is cut must not depend on the machine.
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  for (let start = 0; start < text.length;) {
    const stretch = text.slice(start, start + stretchLength);
    const isLast = start + stretch.length === text.length;
    const sentences = Array.from(segmenter.segment(stretch), ({ segment }) => segment);
    const isEndless = !isLast && sentences.length === 1;
    // The stretch may have cut its last sentence: it is read again with what follows.
    if (!isLast && !isEndless) sentences.pop();
    for (const sentence of sentences) {
      const unit = isEndless ? undefined : unitOf(sentence, measure);
      if (unit !== undefined && unit.size <= limit) {
        yield unit;
        start += sentence.length;
        continue;
      }
      const length = Math.min(pieceLength, Math.floor(limit / maxSizePerCharacter));
      for (const piece of pieces(sentence, length, isEndless)) {
        yield unitOf(piece, measure);
        start += piece.length;
      }
    }
  }
}

/**
 * Cuts a text into pieces of about `length` characters, never inside a grapheme unless that alone is
 * longer, and never inside a surrogate pair.
 *
 * @param holdsBack - Leaves out the last piece, whose end may not be one.
 */
function* pieces(text: string, length: number, holdsBack: boolean): Generator<string> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const target = Math.max(length, 1);
  for (let start = 0; start < text.length;) {
    if (text.length - start <= target) {
      if (!holdsBack) yield text.slice(start);
      return;
    }
    // Begins at the border of a grapheme, so that pairs such as flags are counted from the right end.
    const stretch = text.slice(start, start + target + lookAhead);
    let end = 0;
    let spaceEnd = 0;
    for (const { index, segment } of segmenter.segment(stretch)) {
      const next = index + segment.length;
      if (next > target && end > 0) break;
      end = next;
      if (next > target / 2 && segment.trim() === '') spaceEnd = next;
    }
    if (spaceEnd > 0) end = spaceEnd;
    // A grapheme that fills the stretch is no character anybody reads.
    else if (end > target && end === target + lookAhead) end = target;
    if (splitsSurrogatePair(text, start + end)) end += end > 1 ? -1 : 1;
    yield text.slice(start, start + end);
    start += end;
  }
}

function unitOf(text: string, measure: Measure): TextUnit {
  const body = text.trimEnd();
  const size = measure(body);
  const space = text.slice(body.length);
  // A tokenizer takes one space with the word behind it.
  return {
    text,
    size,
    sizeBefore: space.length < 2 && space !== '\n' ? size : size + measure(space),
  };
}
