import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import type { ItemField } from '../../record/item-ids.ts';
import { writeNarrative, type NarrativeLine } from './narrative.ts';
import type { Excerpt } from './terms/excerpt-candidates.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';
import type { SourceText } from './texts/source-texts.ts';

/** A list of a record that holds texts. */
export type TextField = Exclude<ItemField, 'actionItems'>;

/** The smallest thing that a summary takes or leaves. */
export type SummaryUnit =
  | { readonly type: 'item'; readonly field: TextField; readonly text: string }
  | { readonly type: 'action'; readonly item: ActionItem }
  | ({ readonly type: 'line' } & NarrativeLine)
  | { readonly type: 'excerpt'; readonly excerpt: Excerpt };

/** Key points a record may hold; see `SummaryContent`. */
const mostKeyPoints = 30;

/** Puts units together: lists in the order of the units, the narrative in that of the conversation. */
export function composeContent(
  units: readonly SummaryUnit[],
  texts: readonly SourceText[],
): SummaryContent {
  const items = (field: TextField): readonly string[] =>
    units.flatMap((unit) => (unit.type === 'item' && unit.field === field ? [unit.text] : []));
  return {
    summary: writeNarrative(
      texts,
      units.flatMap((unit) => (unit.type === 'excerpt' ? [unit.excerpt] : [])),
      units.filter((unit) => unit.type === 'line'),
    ),
    keyPoints: items('keyPoints').slice(0, mostKeyPoints),
    context: {
      participants: items('participants'),
      decisions: items('decisions'),
      actionItems: units.flatMap((unit) => (unit.type === 'action' ? [unit.item] : [])),
      unresolved: items('unresolved'),
      domainEntities: items('domainEntities'),
      constraints: items('constraints'),
    },
  };
}

/** The words of a unit that stand in no source text of their own. */
export function unitText(unit: SummaryUnit): string {
  if (unit.type === 'excerpt') return '';
  return unit.type === 'action' ? unit.item.task : unit.text;
}

/** Tokens around a text in a list or on a line of its own. */
export const listedTokens = 2;

const excerptCharactersPerToken = 4;

/** Estimated tokens of a unit. */
export function unitTokens(unit: SummaryUnit): number {
  if (unit.type !== 'excerpt') return listedTokens + estimateTokens(unitText(unit));
  return listedTokens + (unit.excerpt.end - unit.excerpt.start) / excerptCharactersPerToken;
}
