import type { SummaryContent } from '../../record/summary-record.ts';
import { countText, type TextReading } from '../../tokens/text/count-text.ts';
import { contentText } from '../../record/content-text.ts';
import { isDecisionOf, sourceMatcher, type SourceMatcher } from './grounding-sources.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { rankIdentifiers } from './rank-identifiers.ts';
import { sourceTexts, type SourceText } from '../rule-based/texts/source-texts.ts';
import { findUserRules } from '../rule-based/facts/user-rules.ts';

/** Share of a summary's budget for the rules, and for the identifiers, that code adds. */
const groundedRuleShare = 0.1;
const identifierShare = 0.1;

/** Share of a full summary for all identifiers, those of earlier generations included. */
const entityShare = 0.25;

/** Share of its budget from which on a summary counts as full: the rest goes into frame and keys. */
const fullShare = 0.7;

/** A summary must stay smaller than what it replaces: the additions take no more of that than this. */
const sourceShare = 0.1;

/** Tokens between two items of a list. */
const listSeparatorTokens = 2;

/**
 * Corrects what a model wrote by what the sources say literally.
 *
 * - `constraints` and `domainEntities` that occur in no message and not in the previous record leave;
 *   case, spaces and punctuation do not matter.
 * - `decisions` leave unless most of their content words occur in one message, or the decision stands in
 *   the previous record: a decision is a paraphrase, but of something that was said in one place.
 * - Rules of the user that the model dropped are added, verbatim, for at most 10 % of the budget; then
 *   files that were changed and the identifiers most likely to be needed, for another 10 %.
 * - A summary that fills its budget keeps identifiers for a quarter of it, those the messages mention and
 *   the newest first: names alone must not push out what is said about them.
 *
 * @returns The same object when there is nothing to correct.
 */
export async function checkGrounding(
  content: SummaryContent,
  input: Pick<SummaryInput, 'messages' | 'previous' | 'redact' | 'maxSummaryTokens'>,
  reading: TextReading,
): Promise<SummaryContent> {
  const { messages, previous, redact, maxSummaryTokens } = input;
  const { count, slices } = reading;
  const sources = await sourceTexts(messages, slices, redact);
  const mentions = sources.map(({ text }) => text);
  const earlier = previous === undefined ? [] : [contentText(previous)];
  const grounded = await withoutInventions(content, [...mentions, ...earlier], slices);
  const { rules, identifiers } = await whatIsMissing(grounded, sources, input, reading);
  if (grounded === content && rules.length === 0 && identifiers.length === 0) return content;
  const { context } = grounded;
  const domainEntities = [...context.domainEntities, ...identifiers];
  const constraints = [...context.constraints, ...rules];
  const complete = { ...grounded, context: { ...context, domainEntities, constraints } };
  const tokens = await countText(contentText(complete), count, slices);
  if (tokens < fullShare * maxSummaryTokens) return complete;
  const entityTokens = entityShare * maxSummaryTokens;
  const newest = await newestWithin(domainEntities, mentions, entityTokens, reading);
  return { ...complete, context: { ...complete.context, domainEntities: newest } };
}

async function withoutInventions(
  content: SummaryContent,
  sources: readonly string[],
  slices: TimeSlices,
): Promise<SummaryContent> {
  const { decisions, constraints, domainEntities } = content.context;
  const isLiteral = await sourceMatcher(sources, slices);
  // Only when there is a decision to judge: it is the dearest step.
  const isDecision = decisions.length === 0 ? () => true : await isDecisionOf(sources, slices);
  const kept = {
    decisions: await matching(decisions, isDecision, slices),
    constraints: await matching(constraints, isLiteral, slices),
    domainEntities: await matching(domainEntities, isLiteral, slices),
  };
  const isWhole =
    kept.decisions.length === decisions.length &&
    kept.constraints.length === constraints.length &&
    kept.domainEntities.length === domainEntities.length;
  return isWhole ? content : { ...content, context: { ...content.context, ...kept } };
}

async function matching(
  texts: readonly string[],
  matches: SourceMatcher,
  slices: TimeSlices,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const text of texts) {
    if (matches(text)) found.push(text);
    await slices.pause();
  }
  return found;
}

/** Rules and identifiers of the sources that the content does not say, as many as their shares hold. */
async function whatIsMissing(
  content: SummaryContent,
  sources: readonly SourceText[],
  input: Pick<SummaryInput, 'messages' | 'redact' | 'maxSummaryTokens'>,
  reading: TextReading,
): Promise<{ readonly rules: readonly string[]; readonly identifiers: readonly string[] }> {
  const { slices } = reading;
  const characters = sources.reduce((sum, { text }) => sum + text.length, 0);
  // Four characters a token: a bound for the additions needs no exact count of everything.
  const room = Math.min(
    input.maxSummaryTokens,
    (sourceShare / groundedRuleShare) * (characters / 4),
  );
  const isSaid = await sourceMatcher([contentText(content)], slices);
  const rules = (await findUserRules(sources, [], slices)).rules.map(({ text }) => text);
  const identifiers = await rankIdentifiers(input, sources, slices);
  return {
    rules: await firstWithin(rules, groundedRuleShare * room, reading, isSaid),
    identifiers: await firstWithin(identifiers, identifierShare * room, reading, isSaid),
  };
}

/** What of the texts fits: the mentioned ones first, the last before the first; in their order. */
async function newestWithin(
  texts: readonly string[],
  mentions: readonly string[],
  maxTokens: number,
  reading: TextReading,
): Promise<readonly string[]> {
  const { slices } = reading;
  const mentioned = new Set(await matching(texts, await sourceMatcher(mentions, slices), slices));
  const newest = texts.toReversed();
  const order = [
    ...newest.filter((text) => mentioned.has(text)),
    ...newest.filter((text) => !mentioned.has(text)),
  ];
  const kept = new Set(await firstWithin(order, maxTokens, reading));
  return texts.filter((text) => kept.has(text));
}

/** The first texts that are not said yet, up to the first that does not fit: those behind it matter less. */
async function firstWithin(
  texts: readonly string[],
  maxTokens: number,
  { count, slices }: TextReading,
  isSaid: SourceMatcher = () => false,
): Promise<readonly string[]> {
  const taken: string[] = [];
  let left = maxTokens;
  for (const text of texts) {
    await slices.pause();
    if (isSaid(text)) continue;
    left -= (await countText(text, count, slices)) + listSeparatorTokens;
    if (left < 0) break;
    taken.push(text);
  }
  return taken;
}
