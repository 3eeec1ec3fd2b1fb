import type { SummaryContent } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { actionItemText } from '../../record/content-text.ts';
import type { ItemField } from '../../record/item-ids.ts';
import { mentionScores } from './mention-score.ts';

/** Where an item stands in a summary's content. */
export interface ItemPosition {
  readonly field: ItemField;
  readonly index: number;
}

/** What may go first. Fields of equal rank shrink together; what the user ruled goes last. */
const fieldRank: Readonly<Record<ItemField, number>> = {
  participants: 0,
  domainEntities: 0,
  keyPoints: 0,
  unresolved: 0,
  actionItems: 0,
  decisions: 1,
  constraints: 2,
};

/**
 * Lists all items, the first to drop first: facts, tasks and questions before decisions before
 * constraints; among those the ones `recentTexts` mention least; among those the oldest. Key points
 * are kept most important first, so of them the last counts as the oldest.
 */
export async function dropOrder(
  content: SummaryContent,
  recentTexts: Iterable<string>,
  slices: TimeSlices,
): Promise<readonly ItemPosition[]> {
  const items = fieldTexts(content).flatMap(({ field, texts }) =>
    texts.map((text, index) => ({
      field,
      index,
      text,
      rank: fieldRank[field],
      // Relative, so that no list is emptied before another one shrinks.
      age: (field === 'keyPoints' ? texts.length - 1 - index : index) / texts.length,
    })),
  );
  const scores = await mentionScores(
    items.map(({ text }) => text),
    recentTexts,
    slices,
  );
  return items
    .map((item, index) => ({ ...item, score: scores[index] ?? 0 }))
    .toSorted(
      (left, right) => left.rank - right.rank || left.score - right.score || left.age - right.age,
    )
    .map(({ field, index }) => ({ field, index }));
}

/** The same content without some of its items. */
export function withoutItems(
  content: SummaryContent,
  dropped: readonly ItemPosition[],
): SummaryContent {
  const gone = new Set(dropped.map(({ field, index }) => `${field} ${index}`));
  const kept = <Item>(field: ItemField, items: readonly Item[]): readonly Item[] =>
    items.filter((_, index) => !gone.has(`${field} ${index}`));
  const { summary, keyPoints, context } = content;
  return {
    summary,
    keyPoints: kept('keyPoints', keyPoints),
    context: {
      participants: kept('participants', context.participants),
      decisions: kept('decisions', context.decisions),
      actionItems: kept('actionItems', context.actionItems),
      unresolved: kept('unresolved', context.unresolved),
      domainEntities: kept('domainEntities', context.domainEntities),
      constraints: kept('constraints', context.constraints),
    },
  };
}

/** What the items of a content say, by field. */
export function fieldTexts({
  keyPoints,
  context,
}: SummaryContent): readonly { readonly field: ItemField; readonly texts: readonly string[] }[] {
  return [
    { field: 'participants', texts: context.participants },
    { field: 'domainEntities', texts: context.domainEntities },
    { field: 'keyPoints', texts: keyPoints },
    { field: 'unresolved', texts: context.unresolved },
    { field: 'actionItems', texts: context.actionItems.map(actionItemText) },
    { field: 'decisions', texts: context.decisions },
    { field: 'constraints', texts: context.constraints },
  ];
}
