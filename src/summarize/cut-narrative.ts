/**
 * Cuts a text to the longest beginning that `fits`: at a sentence end, else, when not even the first
 * sentence fits, at a word end with an ellipsis. Empty when nothing fits.
 */
export function cutNarrative(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
  const sentenceEnds = Array.from(
    sentences.segment(text),
    (part) => part.index + part.segment.length,
  );
  const whole = longest(sentenceEnds, (end) => fits(text.slice(0, end).trimEnd()));
  if (whole !== undefined) return text.slice(0, whole).trimEnd();
  const words = new Intl.Segmenter('en', { granularity: 'word' });
  const first = text.slice(0, sentenceEnds[0]);
  const wordEnds = Array.from(words.segment(first), (part) => part.index);
  const partial = longest(wordEnds.slice(1), (end) => fits(`${text.slice(0, end).trimEnd()}…`));
  return partial === undefined ? '' : `${text.slice(0, partial).trimEnd()}…`;
}

/** The last of ascending ends that is accepted, by halving: a longer text is never smaller. */
function longest(ends: readonly number[], accepts: (end: number) => boolean): number | undefined {
  let found: number | undefined;
  let low = 0;
  let high = ends.length - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const end = ends[middle];
    if (end !== undefined && accepts(end)) {
      found = end;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}
