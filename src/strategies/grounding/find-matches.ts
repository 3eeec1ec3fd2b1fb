import type { Claim } from './claim.ts';
import type { FoundValue } from './values/find-values.ts';
import type { GroundingIndex, Stretch } from './grounding-index.ts';

/** A place of the sources that a claim may come from. */
export interface Match {
  readonly stretch: Stretch;
  /** Whether a value stands in it, or in the sentences beside it. */
  readonly isNear: (value: FoundValue) => boolean;
  readonly holds: (value: FoundValue) => boolean;
  /** Share of the claim's words in it; those beside it included. */
  readonly ownShare: number;
  readonly nearShare: number;
}

/** Places that are looked at closer, of the cited message and of all. */
const mostMatches = 8;

/** Stretches with one word that are counted, of the cited message and of the newest; of a word in more, most say nothing. */
const mostOfOneKey = 256;

/** Lines on either side that belong to an argument of a call; elsewhere one sentence does. */
const callReach = 12;

/** What a value counts beside a word. */
const valueVotes = 3;

/** Finds the places that hold most of a claim, those of the message that it cites first. */
export function findMatches(claim: Claim, index: GroundingIndex): readonly Match[] {
  const votes = new Map<number, number>();
  const vote = (keys: readonly string[], weight: number): void => {
    const ids = new Set(keys.flatMap((key) => someOf(index.holding(key), claim.citing, index)));
    for (const id of ids) votes.set(id, (votes.get(id) ?? 0) + weight);
  };
  for (const { readings } of claim.values) vote(readings, valueVotes);
  for (const word of claim.words) vote([word], 1);
  // Of equal ones the newest: it is what holds.
  const ranked = [...votes].toSorted(([one, few], [other, many]) => many - few || other - one);
  const stretches = ranked.flatMap(([id]) => index.stretch(id) ?? []);
  const cited = stretches.filter(({ message }) => message === claim.citing);
  const chosen = new Set([...cited.slice(0, mostMatches), ...stretches.slice(0, mostMatches)]);
  return [...chosen].map((stretch) => matchOf(claim, stretch, index));
}

function matchOf(claim: Claim, stretch: Stretch, index: GroundingIndex): Match {
  const { id, source, role, keys } = stretch;
  const reach = role === 'call' ? callReach : 1;
  const beside: Stretch[] = [];
  for (let other = id - reach; other <= id + reach; other += 1) {
    const near = other === id ? undefined : index.stretch(other);
    if (near?.source === source) beside.push(near);
  }
  const isBeside = (key: string): boolean => beside.some((other) => other.keys.has(key));
  const own = claim.words.filter((word) => keys.has(word)).length;
  const near = claim.words.filter((word) => keys.has(word) || isBeside(word)).length;
  const all = Math.max(claim.words.length, 1);
  return {
    stretch,
    holds: ({ readings }) => readings.some((key) => keys.has(key)),
    isNear: ({ readings }) => readings.some((key) => keys.has(key) || isBeside(key)),
    ownShare: own / all,
    nearShare: near / all,
  };
}

function someOf(
  ids: readonly number[],
  citing: number | undefined,
  index: GroundingIndex,
): readonly number[] {
  if (ids.length <= 2 * mostOfOneKey) return ids;
  const newest = ids.slice(-mostOfOneKey);
  return citing === undefined ? newest : [...idsOf(ids, citing, index), ...newest];
}

/** Those of ascending ids that belong to a message; of many the first. */
export function idsOf(
  ids: readonly number[],
  message: number,
  index: GroundingIndex,
): readonly number[] {
  const first = firstOf(ids, message, index);
  return ids
    .slice(first, first + mostOfOneKey)
    .filter((id) => index.stretch(id)?.message === message);
}

/** The place of the first stretch of a message among ascending ids, by halving. */
function firstOf(ids: readonly number[], message: number, index: GroundingIndex): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((index.stretch(ids[middle] ?? -1)?.message ?? message) < message) low = middle + 1;
    else high = middle;
  }
  return low;
}
