import { textPieces } from './text-pieces.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';

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
    await slices.pause();
  }
  return total;
}
