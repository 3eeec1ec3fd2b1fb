import type { Claim } from './claim.ts';
import { findContradiction, sameSubject } from './find-contradiction.ts';
import { findMatches, idsOf, type Match } from './find-matches.ts';
import type { FoundValue } from './values/find-values.ts';
import { languageIn, type GroundingIndex, type Stretch } from './grounding-index.ts';

/** What the sources say of a claim. */
export type Judgement =
  | { readonly kind: 'supported'; readonly by: Stretch }
  /** They say otherwise of the same thing. */
  | { readonly kind: 'contradicted'; readonly by: Stretch }
  | { readonly kind: 'unsupported' };

/** Share of its words that the sources know from which on a claim is in their language. */
const sameLanguage = 0.5;

/** Share below which a claim says something else of its values than the place that holds them. */
const leastShare = 0.25;

/** Share of words from which on a claim without any value is borne out. */
const wordsAlone = 0.5;

/**
 * Judges a claim by what the sources say literally. Words decide nothing where a claim is in another language:
 * its values do.
 */
export function judgeClaim(
  claim: Claim,
  index: GroundingIndex,
  matches: readonly Match[] = findMatches(claim, index),
): Judgement {
  const strong = strongValues(claim);
  const whole = matches.filter(({ isNear }) => strong.every(isNear));
  const isForeign = isInOtherLanguage(claim, index);
  const best = bestOf(whole, claim, isForeign);
  // Several values that one sentence holds are of one thing, whatever another sentence says in like words.
  const isTogether =
    strong.length > 1 &&
    matches.some(({ stretch, holds, isNear }) =>
      strong.every(stretch.role === 'call' ? isNear : holds),
    );
  if (!isForeign) {
    const by = findContradiction(claim, matches, { whole, best, isTogether });
    if (by !== undefined) return { kind: 'contradicted', by };
  }
  const read = { claim, index, matches, strong, best, isForeign, isTogether };
  if (!isNamed(read)) {
    const isSame = best !== undefined && best.ownShare >= sameSubject && !isForeign;
    return isSame ? { kind: 'contradicted', by: best.stretch } : unsupported;
  }
  if (!strong.every((value) => isKnown(value, index))) return unsupported;
  const by = strong.length === 0 ? saidInWords(read) : saidWithValues(read);
  return by === undefined ? unsupported : { kind: 'supported', by: by.stretch };
}

/** A claim and what was found of it. */
interface ReadClaim {
  readonly claim: Claim;
  readonly index: GroundingIndex;
  readonly matches: readonly Match[];
  readonly strong: readonly FoundValue[];
  /** The place that holds all of its values. */
  readonly best: Match | undefined;
  readonly isForeign: boolean;
  readonly isTogether: boolean;
}

/** Whether the names of a claim stand where its values do. */
function isNamed({ claim, index, best }: ReadClaim): boolean {
  return best === undefined || claim.names.every((name) => isNamedBeside(name, best, index));
}

/** What bears out a claim without any value: in another language only names in capitals do. */
function saidInWords({ claim, index, best, isForeign }: ReadClaim): Match | undefined {
  if (best === undefined) return undefined;
  const isSaid =
    best.nearShare >= wordsAlone ||
    citedShare(claim, index) >= wordsAlone ||
    (isForeign && claim.capitals.length > 0 && holdsAll(best, claim.capitals));
  return isSaid ? best : undefined;
}

/** What bears out a claim whose values are all known. */
function saidWithValues(read: ReadClaim): Match | undefined {
  const { claim, index, matches, strong, best, isForeign, isTogether } = read;
  if (best !== undefined) {
    const share = Math.max(best.nearShare, citedShare(claim, index));
    const isOffSubject = !isForeign && !isTogether && claim.words.length > 1 && share < leastShare;
    return isOffSubject ? undefined : best;
  }
  // Pieced together from several messages: it must be about what one of them speaks of.
  return matches.find(({ nearShare, stretch, holds }) =>
    isForeign || nearShare >= sameSubject
      ? strong.some(holds)
      : stretch.message === claim.citing && strong.some(holds),
  );
}

const unsupported: Judgement = { kind: 'unsupported' };

/** Values that a claim must not have made up: not those that somebody has counted. */
export function strongValues({ values }: Claim): readonly FoundValue[] {
  return values.filter(({ isCount }) => !isCount);
}

/** Whether a value stands anywhere in the sources. */
export function isKnown({ readings }: FoundValue, index: GroundingIndex): boolean {
  return readings.some((key) => index.holding(key).length > 0);
}

/** Of the cited message where that is about the same thing, then with most of the words, then the newest. */
function bestOf(
  matches: readonly Match[],
  { citing }: Claim,
  isForeign: boolean,
): Match | undefined {
  const isCited = ({ stretch, nearShare }: Match): number =>
    Number(stretch.message === citing && (isForeign || nearShare >= leastShare));
  return matches.toSorted(
    (one, other) =>
      isCited(other) - isCited(one) ||
      other.nearShare - one.nearShare ||
      other.stretch.id - one.stretch.id,
  )[0];
}

/** Whether a word of a name stands in a place or beside it. */
function isNamedBeside(name: string, { stretch }: Match, index: GroundingIndex): boolean {
  return [-1, 0, 1].some((step) => index.stretch(stretch.id + step)?.keys.has(name) === true);
}

function holdsAll({ stretch }: Match, keys: readonly string[]): boolean {
  return keys.every((key) => stretch.keys.has(key));
}

/** Share of a claim's words in all of the message that it cites. */
function citedShare({ words, citing }: Claim, index: GroundingIndex): number {
  if (citing === undefined) return 0;
  const said = words.filter((word) => idsOf(index.holding(word), citing, index).length > 0);
  return said.length / Math.max(words.length, 1);
}

/** By its language; where its words do not tell, by whether the sources know them. */
function isInOtherLanguage({ text, words, names }: Claim, index: GroundingIndex): boolean {
  const language = languageIn(text);
  if (language !== undefined && index.languages.size > 0) return !index.languages.has(language);
  const plain = words.filter((word) => !names.includes(word));
  const known = plain.filter((word) => index.holding(word).length > 0).length;
  return known < sameLanguage * Math.max(plain.length, 1);
}
