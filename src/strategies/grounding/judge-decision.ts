import type { Claim } from './claim.ts';
import { agrees } from './agrees.ts';
import { findMatches, type Match } from './find-matches.ts';
import { findValues } from './values/find-values.ts';
import type { GroundingIndex, Stretch } from './grounding-index.ts';
import { judgeClaim, strongValues, type Judgement } from './judge-claim.ts';

/** What becomes of a decision that a model wrote. */
export type DecisionJudgement =
  /** It stands in the model's words. */
  | { readonly kind: 'kept'; readonly by: Stretch }
  /** What somebody said takes its place. */
  | { readonly kind: 'said'; readonly by: Stretch }
  /** Nobody is known to have decided it. */
  | { readonly kind: 'demoted'; readonly judgement: Judgement };

/** Share of its words that people must have said in one place, where its values stand there as well. */
const decisionShare = 0.6;

/** Share in one sentence, and words at least, of a decision without any value. */
const wordsAlone = 0.75;
const leastWords = 3;

/**
 * Judges a decision. It is one only if user or assistant said it, or the assistant's call shows it: most of its
 * words and all of its values in one place. Where only its values are, as in other words or another language,
 * the sentence that holds them stands for it. What a tool says as well is no decision of the assistant.
 */
export function judgeDecision(claim: Claim, index: GroundingIndex): DecisionJudgement {
  const matches = findMatches(claim, index);
  const judgement = judgeClaim(claim, index, matches);
  const strong = strongValues(claim);
  const saysAll = ({ nearShare, ownShare, isNear }: Match): boolean =>
    strong.length > 0
      ? nearShare >= decisionShare && strong.every(isNear)
      : ownShare >= wordsAlone && ownShare * claim.words.length >= leastWords;
  const printed = matches.find((match) => match.stretch.role === 'result' && saysAll(match));
  const speaks = ({ stretch: { role, id } }: Match): boolean =>
    role === 'user' ||
    role === 'call' ||
    // Behind a tool that has said it, the assistant quotes.
    (role === 'assistant' && (printed === undefined || id < printed.stretch.id));
  const own = matches.filter(speaks);
  if (judgement.kind === 'contradicted')
    return own.some(({ stretch }) => stretch === judgement.by) && isStatement(judgement.by)
      ? { kind: 'said', by: judgement.by }
      : { kind: 'demoted', judgement };
  const kept = own.find(
    (match) =>
      saysAll(match) && agrees(claim.text, match.stretch.text) && isInOrder(claim, match.stretch),
  );
  if (kept !== undefined) return { kind: 'kept', by: kept.stretch };
  const said = own.find(
    ({ stretch, holds }) => strong.length > 0 && strong.every(holds) && isStatement(stretch),
  );
  return said === undefined ? { kind: 'demoted', judgement } : { kind: 'said', by: said.stretch };
}

/** Whether the values of a claim that a sentence holds stand in the same order: `A instead of B` is not `B instead of A`. */
function isInOrder({ values }: Claim, { text }: Stretch): boolean {
  const said = findValues(text).toSorted((one, other) => one.start - other.start);
  const places = values
    .toSorted((one, other) => one.start - other.start)
    .map(({ readings }) =>
      said.findIndex(({ means }) => means.some((key) => readings.includes(key))),
    )
    .filter((place) => place >= 0);
  return places.every((place, index) => place >= (places[index - 1] ?? 0));
}

/** Whether a sentence can stand for itself: no question, no quotation, no arguments of a call. */
function isStatement({ text, role }: Stretch): boolean {
  return role !== 'call' && !/[?？؟]["')\]]*\s*$|^\s*[>"“„«]/.test(text);
}
