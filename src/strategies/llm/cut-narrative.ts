import type { TimeSlices } from '../../util/async/time-slices.ts';

/**
 * Cuts a text to the longest beginning that `fits`: at a sentence end, else, when not even the first
 * sentence fits, at a word end with an ellipsis. Empty when nothing fits.
 */
export async function cutNarrative(
  text: string,
  fits: (text: string) => Promise<boolean>,
  slices: TimeSlices,
): Promise<string> {
  if (await fits(text)) return text;
  const sentenceEnds = await endsOf(text, 'sentence', slices);
  const whole = await longest(sentenceEnds, async (end) => fits(text.slice(0, end).trimEnd()));
  if (whole !== undefined) return text.slice(0, whole).trimEnd();
  const first = text.slice(0, sentenceEnds[0]);
  // Not the whole sentence: that did not fit.
  const wordEnds = (await endsOf(first, 'word', slices)).slice(0, -1);
  const partial = await longest(wordEnds, async (end) => fits(`${text.slice(0, end).trimEnd()}…`));
  return partial === undefined ? '' : `${text.slice(0, partial).trimEnd()}…`;
}

async function endsOf(
  text: string,
  granularity: 'sentence' | 'word',
  slices: TimeSlices,
): Promise<readonly number[]> {
  const ends: number[] = [];
  for (const { index, segment } of new Intl.Segmenter('en', { granularity }).segment(text)) {
    ends.push(index + segment.length);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return ends;
}

/** The last of ascending ends that is accepted, by halving: a longer text is never smaller. */
async function longest(
  ends: readonly number[],
  accepts: (end: number) => Promise<boolean>,
): Promise<number | undefined> {
  let found: number | undefined;
  let low = 0;
  let high = ends.length - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const end = ends[middle];
    if (end !== undefined && (await accepts(end))) {
      found = end;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}
