import { mostCharactersPerToken } from '../../tokens/text/text-pieces.ts';
import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import { renderTranscript } from './read-transcript.ts';

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

/** Of a cut that was too long, what is tried next of the length that would do by its average. */
const usedShare = 0.95;

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
  let left = budget;
  const fitting = parts.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  const next = parts[fitting];
  if (next === undefined) return { piece: parts, rest: [] };
  left += next.tokens;
  const whole = parts.slice(0, fitting);
  if (fitting > 0 && left < Math.max(leastCutShare * budget, leastCutTokens))
    return { piece: whole, rest: parts.slice(fitting) };
  const { part } = next;
  const end = await cutPosition(part, left, count);
  const head = { ...part, text: part.text.slice(0, end), omittedCharacters: 0 };
  const tail = { ...part, text: part.text.slice(end) };
  const [first, ...second] = await sizeParts(tail.text === '' ? [head] : [head, tail], count);
  const piece = first === undefined ? whole : [...whole, first];
  return { piece, rest: [...second, ...parts.slice(fitting + 1)] };
}

/** Where a part is cut for its beginning to have at most so many tokens: at the end of a line or word in its second half. */
async function cutPosition(
  part: TranscriptPart,
  budget: number,
  count: CountTokens,
): Promise<number> {
  const { text } = part;
  let end = Math.min(text.length, budget * mostCharactersPerToken);
  for (;;) {
    const tokens = await count(renderTranscript([{ ...part, text: text.slice(0, end) }]));
    if (tokens <= budget || end <= 1) break;
    end = Math.max(1, Math.floor(((end * budget) / tokens) * usedShare));
  }
  const borders = ['\n', ' '].map((border) => text.lastIndexOf(border, end - 1) + 1);
  const border = borders.find((position) => position > end / 2) ?? end;
  if (end === text.length) return end;
  return splitsSurrogatePair(text, border) && border > 1 ? border - 1 : border;
}
