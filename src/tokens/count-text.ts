import { textPieces } from './text-pieces.ts';
import type { TimeSlices } from './time-slices.ts';

/** Counts the tokens of a text as `count` does, piece by piece, and leaves the event loop to others in between. */
export async function countText(
  text: string,
  count: (text: string) => number,
  slices: TimeSlices,
): Promise<number> {
  let total = 0;
  for (const piece of textPieces(text)) {
    total += count(piece);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return total;
}
