import { identifierTokens, writeIdentifierList, type ListedIdentifier } from './identifier-list.ts';
import type { MinutesText } from './texts/minutes-text.ts';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import { contentOf, type ContentItem, type TextField } from '../../record/content-items.ts';
import { modelOrigin, type ItemOrigin } from '../../record/item-origin.ts';
import { fewUserTurns, writeMinutes } from './minutes.ts';
import { scanTerms } from './terms/scan-terms.ts';
import type { Excerpt } from './texts/excerpt.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';

/** A list of texts that a summary holds. */
export type ItemList = TextField | 'changedFiles';

/** The smallest thing that a summary takes or leaves. */
export type SummaryUnit =
  | {
      readonly type: 'item';
      readonly field: ItemList;
      readonly text: string;
      readonly origin: ItemOrigin;
      /** Its place in the list. Units without one stand behind those, in the order in which they are taken. */
      readonly order?: number | undefined;
    }
  | { readonly type: 'identifier'; readonly identifier: ListedIdentifier }
  | { readonly type: 'action'; readonly item: ActionItem; readonly origin: ItemOrigin }
  | { readonly type: 'excerpt'; readonly excerpt: Excerpt }
  /** Says that there are too few user messages to list them. */
  | { readonly type: 'placeholder' };

/** Puts units together: lists in their order, the narrative in that of the conversation. */
export function composeContent(
  units: readonly SummaryUnit[],
  texts: readonly MinutesText[],
): SummaryContent {
  const items = (field: ItemList): readonly ContentItem[] =>
    units
      .flatMap((unit) => (unit.type === 'item' && unit.field === field ? [unit] : []))
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map(({ text, origin }) => ({ item: text, origin }));
  const minutes = writeMinutes(
    texts,
    units.flatMap((unit) => (unit.type === 'excerpt' ? [unit.excerpt] : [])),
  );
  const said = identifiersIn(minutes);
  const identifiers = units.flatMap((unit) =>
    unit.type === 'identifier' && !said.has(unit.identifier.text) ? [unit.identifier] : [],
  );
  const hasPlaceholder = units.some(({ type }) => type === 'placeholder');
  const summary = [hasPlaceholder ? fewUserTurns : '', minutes].filter(Boolean).join('\n');
  // A line of several messages names none of them.
  const listed = writeIdentifierList(identifiers).map((item) => ({ item, origin: modelOrigin }));
  const changedFiles = items('changedFiles').map(({ item }) => item);
  return contentOf(
    { summary, changedFiles },
    {
      keyPoints: items('keyPoints'),
      participants: items('participants'),
      decisions: items('decisions'),
      actionItems: units.flatMap((unit) => (unit.type === 'action' ? [unit] : [])),
      unresolved: items('unresolved'),
      domainEntities: [...items('domainEntities'), ...listed],
      constraints: items('constraints'),
      replacedConstraints: [],
      openRequests: items('openRequests'),
    },
  );
}

/** What need not be listed, for a line tells of it. */
function identifiersIn(minutes: string): ReadonlySet<string> {
  const found = new Set<string>();
  scanTerms(minutes, false, (_, start, end) => found.add(minutes.slice(start, end)));
  return found;
}

function placeOf(unit: SummaryUnit): number {
  return (unit.type === 'item' ? unit.order : undefined) ?? Number.MAX_SAFE_INTEGER;
}

/** The words of a unit that stand in no source text of their own. */
export function unitText(unit: SummaryUnit): string {
  if (unit.type === 'item') return unit.text;
  if (unit.type === 'identifier') return unit.identifier.text;
  if (unit.type === 'placeholder') return fewUserTurns;
  return unit.type === 'action' ? unit.item.task : '';
}

/** Tokens around a text in a list or on a line of its own. */
const listedTokens = 2;

const excerptCharactersPerToken = 4;

/** Estimated tokens of a unit. */
export function unitTokens(unit: SummaryUnit): number {
  if (unit.type === 'identifier') return identifierTokens(unit.identifier);
  if (unit.type !== 'excerpt') return listedTokens + estimateTokens(unitText(unit));
  return listedTokens + (unit.excerpt.end - unit.excerpt.start) / excerptCharactersPerToken;
}
