import { textPieces } from '../../../tokens/text/text-pieces.ts';
import { plainText } from '../../grounding/values/plain-text.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';

/** Tells whether a text occurs literally in the sources. */
export type SourceMatcher = (text: string) => boolean;

/** Makes a matcher for which case, spaces, punctuation and Unicode form do not matter. */
export async function sourceMatcher(
  sources: readonly string[],
  slices: TimeSlices,
): Promise<SourceMatcher> {
  const plain: string[] = [];
  for (const source of sources) {
    const pieces: string[] = [];
    for (const piece of textPieces(source)) {
      pieces.push(plainText(piece));
      await slices.pause();
    }
    plain.push(pieces.join(''));
  }
  return (text) => {
    const sought = plainText(text);
    return sought !== '' && plain.some((source) => source.includes(sought));
  };
}
