import { mostCharactersPerToken } from '../../tokens/text/text-pieces.ts';
import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import { renderTranscript } from './render-transcript.ts';

/** Tokens of a text; of one with more than `most`, any number above it. */
export type CountTokensUpTo = (text: string, most?: number) => Promise<number>;

/** Below this the JSON around a text leaves no room for the text. */
const leastPieceTokens = 64;

/** Characters that show what a token of a text holds. */
const pieceSampleCharacters = 512;

/**
 * Splits off as many parts from the beginning as one call may read. A single part that is too large is
 * cut, at the end of a line or word where there is one; nothing is dropped.
 *
 * @param maxTokens - Tokens of the rendered piece; never treated as less than 64.
 * @returns The piece, never empty unless `parts` is, and what remains to be read.
 */
export async function splitTranscript(
  parts: readonly TranscriptPart[],
  maxTokens: number,
  count: CountTokensUpTo,
): Promise<{
  readonly piece: readonly TranscriptPart[];
  readonly rest: readonly TranscriptPart[];
}> {
  const budget = Math.max(maxTokens, leastPieceTokens);
  const tokens = (piece: readonly TranscriptPart[]): Promise<number> =>
    count(renderTranscript(piece), budget);
  let taken = 0;
  let total = 0;
  for (const part of parts) {
    if (part.text.length > budget * mostCharactersPerToken) break;
    const size = await tokens([part]);
    if (total + size > budget) break;
    total += size;
    taken += 1;
  }
  // The sum is an upper bound except for tokens that merge across parts, hence the check.
  while (taken > 1 && (await tokens(parts.slice(0, taken))) > budget) taken -= 1;
  const [first] = parts;
  if (taken > 0 || first === undefined) {
    return { piece: parts.slice(0, taken), rest: parts.slice(taken) };
  }
  const end = await cutPosition(first, budget, (part) => count(renderTranscript([part])));
  return {
    piece: [{ ...first, text: first.text.slice(0, end), omittedCharacters: 0 }],
    rest: [{ ...first, text: first.text.slice(end) }, ...parts.slice(1)],
  };
}

/**
 * The end of a piece, to be repeated in front of the next: its last parts, or the end of the last one,
 * from the beginning of a line or word where there is one.
 *
 * @param maxTokens - Tokens of the rendered overlap.
 */
export async function overlapOf(
  piece: readonly TranscriptPart[],
  maxTokens: number,
  count: CountTokensUpTo,
): Promise<readonly TranscriptPart[]> {
  const tokens = (parts: readonly TranscriptPart[]): Promise<number> =>
    count(renderTranscript(parts), maxTokens);
  let start = piece.length;
  let total = 0;
  while (start > 0) {
    const part = piece[start - 1];
    if (part === undefined || part.text.length > maxTokens * mostCharactersPerToken) break;
    total += await tokens([part]);
    if (total > maxTokens) break;
    start -= 1;
  }
  const last = piece.at(-1);
  if (start < piece.length || last === undefined) return piece.slice(start);
  const { text } = last;
  const sample = Math.min(text.length, maxTokens, pieceSampleCharacters);
  const sampleTokens = await count(renderTranscript([{ ...last, text: text.slice(-sample) }]));
  // Lengths that are far too long need not be counted to be passed over.
  const promising = (2 * sample * maxTokens) / Math.max(sampleTokens, 1);
  for (let length = maxTokens * 4; length >= 1; length = Math.floor(length * 0.75)) {
    if (length > promising) continue;
    const overlap = [{ ...last, text: text.slice(boundaryAfter(text, text.length - length)) }];
    if ((await tokens(overlap)) <= maxTokens) return overlap;
  }
  return [];
}

async function cutPosition(
  part: TranscriptPart,
  budget: number,
  tokens: (part: TranscriptPart) => Promise<number>,
): Promise<number> {
  const size = (end: number): Promise<number> => tokens({ ...part, text: part.text.slice(0, end) });
  // A text of a token a character would otherwise be counted sixteen times, once for every piece.
  const sample = Math.min(part.text.length, budget, pieceSampleCharacters);
  const fitting = Math.floor((sample * budget) / Math.max(await size(sample), 1));
  let end = Math.max(1, Math.min(part.text.length, fitting, budget * mostCharactersPerToken));
  for (let length = await size(end); length > budget && end > 1; length = await size(end)) {
    end = Math.max(1, Math.floor(((end * budget) / length) * 0.95));
  }
  return boundaryBefore(part.text, end);
}

/** The last line or word end in the second half of `text.slice(0, end)`, else `end` outside a pair. */
function boundaryBefore(text: string, end: number): number {
  if (end >= text.length) return end;
  const half = Math.floor(end / 2);
  for (const separator of ['\n', ' ']) {
    const position = text.lastIndexOf(separator, end - 1);
    if (position >= half) return position + 1;
  }
  return splitsSurrogatePair(text, end) && end > 1 ? end - 1 : end;
}

/** The first line or word that begins in the first half of `text.slice(start)`, else `start` outside a pair. */
function boundaryAfter(text: string, start: number): number {
  if (start <= 0) return 0;
  const half = text.length - Math.ceil((text.length - start) / 2);
  for (const separator of ['\n', ' ']) {
    const position = text.indexOf(separator, start);
    if (position !== -1 && position < half) return position + 1;
  }
  return splitsSurrogatePair(text, start) ? start + 1 : start;
}
