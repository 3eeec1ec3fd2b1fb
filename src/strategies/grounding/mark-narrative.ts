import type { TimeSlices } from '../../util/async/time-slices.ts';
import { readClaim } from './claim.ts';
import { doubtMark } from '../../record/doubt-mark.ts';
import type { GroundingIndex } from './grounding-index.ts';
import { isKnown, judgeClaim, strongValues } from './judge-claim.ts';
import { stretchesOf } from './stretches.ts';

/**
 * Marks what of a narrative no source bears out: each such value and, where a sentence says otherwise than the
 * messages, its end. Nothing leaves: a story with holes cannot be followed.
 *
 * @param earlier - What earlier records say, which a narrative retells.
 */
export async function markNarrative(
  narrative: string,
  index: GroundingIndex,
  earlier: GroundingIndex,
  slices: TimeSlices,
): Promise<string> {
  const pieces: string[] = [];
  for (const sentence of stretchesOf(narrative)) {
    pieces.push(marked(sentence, index, earlier));
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return pieces.join('');
}

function marked(sentence: string, index: GroundingIndex, earlier: GroundingIndex): string {
  const claim = readClaim(sentence);
  const doubtful = strongValues(claim).filter(
    (value) => !isKnown(value, index) && !isKnown(value, earlier),
  );
  let text = sentence;
  for (const { end } of doubtful.toSorted((one, other) => other.start - one.start))
    text = `${text.slice(0, end)} ${doubtMark}${text.slice(end)}`;
  const isRetold = claim.values.some((value) => isKnown(value, earlier));
  if (doubtful.length > 0 || isRetold || claim.values.length === 0) return text;
  const { kind } = judgeClaim(claim, index);
  return kind === 'contradicted' ? withMarkAtEnd(text) : text;
}

function withMarkAtEnd(sentence: string): string {
  const trimmed = sentence.trimEnd();
  const end = trimmed.length - Number('.!。！'.includes(trimmed.slice(-1)));
  return `${sentence.slice(0, end)} ${doubtMark}${sentence.slice(end)}`;
}
