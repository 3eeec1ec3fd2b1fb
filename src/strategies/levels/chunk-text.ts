import { mostCharactersPerToken } from '../../tokens/text/text-pieces.ts';
import { smallerUnits, textUnits, type TextUnit } from './text-units.ts';

/** A part of a text. */
export interface TextChunk {
  /** The end of the chunk before, repeated so that nothing is read without what it follows. */
  readonly overlap: string;
  /** What only this chunk has: joined, these are the text. */
  readonly text: string;
  /** What is read: the overlap and the text, without white space around them. */
  readonly content: string;
}

/** How {@link chunkText} splits. */
export interface ChunkTextOptions {
  /** Size of a chunk's content at most. */
  readonly chunkSize: number;
  /** Size of the overlap at most; less than `chunkSize`. */
  readonly chunkOverlap: number;
  /** Size of a text, usually its tokens; at most eight a UTF-16 character. */
  readonly measure: (text: string) => number;
}

/**
 * Splits a text into chunks at paragraphs, else at sentences and lines, else between graphemes. Filled
 * from the front: a paragraph that is added at the end changes the last chunk or begins a new one, and
 * leaves all others as they are. No chunk is blank unless the text is. Takes linear time.
 */
export function* chunkText(text: string, options: ChunkTextOptions): Generator<TextChunk> {
  const { chunkSize, chunkOverlap, measure } = options;
  const content = text.trim();
  if (text === '') return;
  if (content.length <= chunkSize * mostCharactersPerToken && measure(content) <= chunkSize) {
    yield { overlap: '', text, content };
    return;
  }
  let overlap = '';
  let overlapSize = 0;
  let units: TextUnit[] = [];
  // Of the units taken, the white space behind each but the last included.
  let size = 0;

  const close = (): TextChunk => {
    const carried: TextUnit[] = [];
    let chunk = chunkOf(overlap, units);
    // Sizes of parts do not add up exactly: tokens may come out differently where parts meet.
    while (measure(chunk.content) > chunkSize && (units.length > 1 || overlap !== '')) {
      const last = units.length > 1 ? units.pop() : undefined;
      if (last === undefined) overlap = '';
      else carried.unshift(last);
      chunk = chunkOf(overlap, units);
    }
    overlap = overlapText(units, chunkOverlap, measure);
    overlapSize = measure(overlap);
    units = carried;
    size = carried.reduce((sum, unit) => sum + unit.sizeBefore, 0);
    return chunk;
  };

  for (const unit of textUnits(text, Math.max(1, chunkSize - chunkOverlap), measure)) {
    const isFull = unit.size > 0 && size > 0 && overlapSize + size + unit.size > chunkSize;
    if (isFull) yield close();
    units.push(unit);
    // Blank units at the beginning are not read.
    if (size > 0 || unit.size > 0) size += unit.sizeBefore;
  }
  while (units.length > 0) yield close();
}

function chunkOf(overlap: string, units: readonly TextUnit[]): TextChunk {
  const text = units.map((unit) => unit.text).join('');
  const body = text.trim();
  const isApart = overlap === '' || overlap.trimEnd() !== overlap || text.trimStart() === text;
  return { overlap, text, content: (overlap + (isApart ? '' : '\n') + body).trim() };
}

/** The last units that fit, or the last sentences or pieces of the last one. */
function overlapText(
  units: readonly TextUnit[],
  limit: number,
  measure: (text: string) => number,
): string {
  const whole = lastTexts(units, limit);
  const last = units.at(-1);
  if (whole !== '' || last === undefined || limit === 0) return whole;
  // Megabytes of white space are no overlap.
  if (last.sizeBefore - last.size > limit) return '';
  return lastTexts([...smallerUnits(last.text, limit, measure)], limit);
}

function lastTexts(units: readonly TextUnit[], limit: number): string {
  let size = 0;
  const first = units.findLastIndex((unit) => {
    size += unit.sizeBefore;
    return size > limit;
  });
  return units
    .slice(first + 1)
    .map((unit) => unit.text)
    .join('');
}
