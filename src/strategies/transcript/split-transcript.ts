import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import { renderTranscript } from './render-transcript.ts';

/** Tokens of a text. */
type CountTokens = (text: string) => Promise<number>;

/** A part and the tokens of it in a transcript. */
export interface SizedPart {
  readonly part: TranscriptPart;
  readonly tokens: number;
}

/** The least that is cut off a part, as a share of the piece and in tokens: it is not torn for a few words. */
const leastCutShare = 0.1;
const leastCutTokens = 64;

/** Characters that show what a token of a text holds. */
const sampleCharacters = 4096;

/** Tries at a cut, each shorter than the one before by what it was too long. */
const mostTries = 8;

/** Counts each part. */
export async function sizeParts(
  parts: readonly TranscriptPart[],
  count: CountTokens,
): Promise<readonly SizedPart[]> {
  const sized: SizedPart[] = [];
  for (const part of parts) sized.push({ part, tokens: await count(renderTranscript([part])) });
  return sized;
}

/** Tokens of all parts together. */
export function tokensIn(parts: readonly SizedPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * Splits off so many tokens from the beginning. A part that does not fit is cut where much of the piece would stay
 * empty without it, at the end of a line or word where there is one; nothing is dropped.
 *
 * @param maxTokens - Never treated as less than 64.
 * @returns The piece, never empty unless `parts` is, and what remains.
 */
export async function splitTranscript(
  parts: readonly SizedPart[],
  maxTokens: number,
  count: CountTokens,
): Promise<{ readonly piece: readonly SizedPart[]; readonly rest: readonly SizedPart[] }> {
  const budget = Math.max(maxTokens, leastCutTokens);
  let room = budget;
  const fitting = parts.findIndex(({ tokens }) => {
    room -= tokens;
    return room < 0;
  });
  if (fitting === -1) return { piece: parts, rest: [] };
  const next = parts[fitting];
  const left = room + (next?.tokens ?? 0);
  const [whole, rest] = [parts.slice(0, fitting), parts.slice(fitting + 1)];
  if (
    next === undefined ||
    (fitting > 0 && left < Math.max(leastCutShare * budget, leastCutTokens))
  )
    return { piece: whole, rest: parts.slice(fitting) };
  const { part } = next;
  const end = await cutPosition(part, left, count);
  const tail = { ...part, text: part.text.slice(end) };
  const cut = await sizeParts(
    [
      { ...part, text: part.text.slice(0, end), omittedCharacters: 0 },
      ...(tail.text === '' ? [] : [tail]),
    ],
    count,
  );
  return { piece: [...whole, ...cut.slice(0, 1)], rest: [...cut.slice(1), ...rest] };
}

async function cutPosition(
  part: TranscriptPart,
  budget: number,
  count: CountTokens,
): Promise<number> {
  const size = (end: number): Promise<number> =>
    count(renderTranscript([{ ...part, text: part.text.slice(0, end) }]));
  const sample = Math.min(part.text.length, sampleCharacters);
  let end = Math.floor((sample * budget) / Math.max(await size(sample), 1));
  for (let tries = 0; tries < mostTries; tries += 1) {
    end = Math.max(1, Math.min(end, part.text.length));
    const tokens = await size(end);
    if (tokens <= budget || end === 1) break;
    end = Math.floor(((end * budget) / tokens) * usedShare);
  }
  return boundaryBefore(part.text, Math.max(1, end));
}

/** Of a cut that was too long, what is tried next of the length that would do by its average. */
const usedShare = 0.95;

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
