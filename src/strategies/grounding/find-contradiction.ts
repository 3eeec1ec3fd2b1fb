import { agrees } from './agrees.ts';
import type { Claim } from './claim.ts';
import type { Match } from './find-matches.ts';
import { findValues, type FoundValue } from './values/find-values.ts';
import type { Stretch } from './grounding-index.ts';

/** Share of a claim's words from which on a sentence is about the same thing. */
export const sameSubject = 0.5;

/** Share that is enough beside an identifier of the claim. */
const sameName = 0.3;

/** Share from which on it says the same: only a negation, a number or a name can differ then. */
const sameStatement = 0.6;

/** What of the sources holds all values of a claim. */
export interface WholeMatches {
  readonly whole: readonly Match[];
  readonly best: Match | undefined;
  /** Whether one sentence holds several values of it. */
  readonly isTogether: boolean;
}

/**
 * Finds a sentence that says otherwise than a claim of its language: it gives the same thing another value, a
 * later one of the user changes it, or it says the same with a negation that the claim has not, or without one.
 */
export function findContradiction(
  claim: Claim,
  matches: readonly Match[],
  { whole, best, isTogether }: WholeMatches,
): Stretch | undefined {
  return (
    (isTogether ? undefined : otherValue(claim, matches)) ??
    newerValue(claim, matches, best) ??
    contrary(claim, whole)
  );
}

/** A sentence on the same subject with another value in the place of one that nothing else bears out. */
function otherValue(claim: Claim, matches: readonly Match[]): Stretch | undefined {
  const foreign = claim.values.filter(
    (value) => !matches.some((match) => match.isNear(value) && match.nearShare >= sameSubject),
  );
  if (foreign.length === 0) return undefined;
  const isAbout = ({ ownShare, holds }: Match): boolean =>
    (ownShare >= sameSubject && ownShare * claim.words.length >= 2) ||
    // An identifier beside some words names the subject as well.
    (ownShare >= sameName &&
      claim.values.some(
        (value) => value.kind === 'name' && !foreign.includes(value) && holds(value),
      ));
  const found = matches
    .filter(isAbout)
    .toSorted((one, other) => other.ownShare - one.ownShare)
    .find(({ stretch, isNear }) =>
      foreign.some((value) => !isNear(value) && hasOther(stretch, value, claim)),
    );
  return found?.stretch;
}

/** A later sentence of the user that gives the same thing another number, date or time. */
function newerValue(
  claim: Claim,
  matches: readonly Match[],
  best: Match | undefined,
): Stretch | undefined {
  const names = claim.values.filter(({ kind }) => kind === 'name');
  const found = matches.find(
    ({ stretch, ownShare, holds }) =>
      best !== undefined &&
      stretch.role === 'user' &&
      stretch.message > best.stretch.message &&
      ownShare >= sameSubject &&
      names.every(holds) &&
      claim.values.some((value) => value.kind !== 'name' && hasOther(stretch, value, claim)),
  );
  return found?.stretch;
}

/** A sentence that says the same but for a negation, where none says the same with it. */
function contrary(claim: Claim, whole: readonly Match[]): Stretch | undefined {
  const same = whole.filter(({ ownShare }) => ownShare >= sameStatement);
  return same.some(({ stretch }) => agrees(claim.text, stretch.text))
    ? undefined
    : same[0]?.stretch;
}

/** Whether a sentence has a value of the same kind that the claim does not repeat. */
function hasOther({ text }: Stretch, { kind }: FoundValue, claim: Claim): boolean {
  const repeated = new Set(claim.values.flatMap(({ readings }) => readings));
  return findValues(text).some(
    (other) =>
      other.kind === kind &&
      other.readings.length > 0 &&
      !other.means.some((key) => repeated.has(key)),
  );
}
