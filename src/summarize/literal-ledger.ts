import type { SummaryContent } from '../record/summary-record.ts';
import { contentText } from './content-text.ts';
import { isDecisionOf, sourceMatcher, type SourceMatcher } from './literal-ledger-sources.ts';
import type { SummaryInput } from './summary-strategy.ts';
import type { TermKind } from './rule-based/term-kind.ts';
import { sourceTexts, type SourceText } from './rule-based/source-texts.ts';
import { indexTerms } from './rule-based/term-index.ts';
import { toolUses } from './rule-based/tool-uses.ts';
import { touchedFiles } from './rule-based/touched-files.ts';
import { findUserRules } from './rule-based/user-rules.ts';
import { termWeigher } from './rule-based/weigh-term.ts';

/** Share of a summary's budget for the rules, and for the identifiers, that code adds. */
const ruleShare = 0.1;
const identifierShare = 0.1;

/** Share of a full summary for all identifiers, those of earlier generations included. */
const entityShare = 0.25;

/** Share of its budget from which on a summary counts as full: the rest goes into frame and keys. */
const fullShare = 0.7;

/** A summary must stay smaller than what it replaces: the additions take no more of that than this. */
const sourceShare = 0.1;

/** Identifiers looked at; the share is used up long before. */
const maxIdentifiers = 200;

/** Tokens between two items of a list. */
const separatorTokens = 2;

/** Numbers and words say nothing without what stands around them. */
const identifierKinds: ReadonlySet<TermKind> = new Set([
  'path',
  'url',
  'email',
  'date',
  'file',
  'id',
  'code',
]);

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
 * @param count - Tokens of a text.
 * @returns The same object when there is nothing to correct.
 */
export function applyLedger(
  content: SummaryContent,
  input: Pick<SummaryInput, 'messages' | 'previous' | 'redact' | 'maxSummaryTokens'>,
  count: (text: string) => number,
): SummaryContent {
  const { messages, previous, redact, maxSummaryTokens } = input;
  const texts = sourceTexts(messages, redact);
  const earlier = previous === undefined ? [] : [contentText(previous)];
  const sources = sourceMatcher([...texts.map(({ text }) => text), ...earlier]);
  const grounded = withoutInventions(content, sources, texts, earlier);

  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  // Four characters a token: a bound for the additions needs no exact count of everything.
  const room = Math.min(maxSummaryTokens, (sourceShare / ruleShare) * (characters / 4));
  const said = sourceMatcher([contentText(grounded)]);
  const rules = fitting(
    findUserRules(texts, []).map(({ text }) => text),
    said,
    ruleShare * room,
    count,
  );
  const identifiers = fitting(rankIdentifiers(input, texts), said, identifierShare * room, count);
  if (grounded === content && rules.length === 0 && identifiers.length === 0) return content;
  const { context } = grounded;
  const complete = {
    ...grounded,
    context: {
      ...context,
      domainEntities: [...context.domainEntities, ...identifiers],
      constraints: [...context.constraints, ...rules],
    },
  };
  if (count(contentText(complete)) < fullShare * maxSummaryTokens) return complete;
  const mentioned = sourceMatcher(texts.map(({ text }) => text));
  const domainEntities = newestWithin(
    complete.context.domainEntities,
    mentioned,
    entityShare * maxSummaryTokens,
    count,
  );
  return { ...complete, context: { ...complete.context, domainEntities } };
}

/** What of the texts fits: the mentioned ones first, the last before the first; in their order. */
function newestWithin(
  texts: readonly string[],
  mentioned: SourceMatcher,
  maxTokens: number,
  count: (text: string) => number,
): readonly string[] {
  const newest = texts.toReversed();
  const order = [...newest.filter(mentioned), ...newest.filter((text) => !mentioned(text))];
  let left = maxTokens;
  const kept = new Set(
    order.filter((text) => {
      left -= count(text) + separatorTokens;
      return left >= 0;
    }),
  );
  return texts.filter((text) => kept.has(text));
}

function withoutInventions(
  content: SummaryContent,
  sources: SourceMatcher,
  texts: readonly SourceText[],
  earlier: readonly string[],
): SummaryContent {
  const { decisions, constraints, domainEntities } = content.context;
  const isDecision = isDecisionOf([...texts.map(({ text }) => text), ...earlier]);
  const kept = {
    decisions: decisions.filter((text) => isDecision(text)),
    constraints: constraints.filter((text) => sources(text)),
    domainEntities: domainEntities.filter((text) => sources(text)),
  };
  const isWhole =
    kept.decisions.length === decisions.length &&
    kept.constraints.length === constraints.length &&
    kept.domainEntities.length === domainEntities.length;
  return isWhole ? content : { ...content, context: { ...content.context, ...kept } };
}

/** The first texts that are not said yet, as many as the tokens allow. */
function fitting(
  candidates: readonly string[],
  said: SourceMatcher,
  maxTokens: number,
  count: (text: string) => number,
): readonly string[] {
  const taken: string[] = [];
  let left = maxTokens;
  for (const text of candidates) {
    if (left <= separatorTokens) break;
    if (said(text)) continue;
    const tokens = count(text) + separatorTokens;
    // Stops at the first that does not fit: a shorter one behind it matters less.
    if (tokens > left) break;
    left -= tokens;
    taken.push(text);
  }
  return taken;
}

/** Files that were changed, the last one first, then identifiers by their weight. */
function rankIdentifiers(
  { messages, redact }: Pick<SummaryInput, 'messages' | 'redact'>,
  texts: readonly SourceText[],
): readonly string[] {
  const uses = toolUses(messages, { extractors: {}, preserveErrorDetails: false, redact });
  const weigh = termWeigher(uses.length > 0);
  const ranked = [...indexTerms(texts).terms.values()]
    .filter(({ kind, mentions }) => {
      const { user, assistant, call } = mentions;
      // What only a tool printed once is noise until somebody takes it up.
      return identifierKinds.has(kind) && user + assistant + call > 0;
    })
    .map((term) => ({ text: term.text, weight: weigh(term) }))
    .toSorted((left, right) => right.weight - left.weight)
    .slice(0, maxIdentifiers)
    .map(({ text }) => text);
  const identifiers = [...new Set([...touchedFiles(uses), ...ranked])];
  // A path says the name of its file too.
  return identifiers.filter((text) => !identifiers.some((other) => other.endsWith(`/${text}`)));
}
