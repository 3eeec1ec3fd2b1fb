import type { ItemField, SummaryContent } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { actionItemText, replacementText } from '../../record/content-text.ts';
import { mapItems } from '../../record/content-items.ts';
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
  replacedConstraints: 1,
  decisions: 1,
  constraints: 2,
  openRequests: 3,
};

/** What the user said word for word: of that the oldest goes first, whatever is being spoken of. */
const ofUser: ReadonlySet<ItemField> = new Set(['constraints', 'openRequests']);

/**
 * Lists all items, the first to drop first: facts, tasks and questions before decisions and rules that were
 * ended, before constraints, before open requests; among those the ones `recentTexts` mention least; among those
 * the oldest. Key points are kept most important first, so of them the last counts as the oldest.
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
    .map((item, index) => ({ ...item, score: ofUser.has(item.field) ? 0 : (scores[index] ?? 0) }))
    .toSorted(
      (left, right) => left.rank - right.rank || left.score - right.score || left.age - right.age,
    )
    .map(({ field, index }) => ({ field, index }));
}

/**
 * The same content without some of its items. Of a constraint that goes, only its place in the prompt does:
 * it holds, and stays in the record.
 */
export function withoutItems(
  content: SummaryContent,
  dropped: readonly ItemPosition[],
): SummaryContent {
  const gone = new Set(dropped.map(({ field, index }) => `${field} ${index}`));
  return mapItems(content, (items, field) => {
    const isGone = (index: number): boolean => gone.has(`${field} ${index}`);
    return field === 'constraints'
      ? items.map((rule, index) => (isGone(index) ? { ...rule, isUnshown: true } : rule))
      : items.filter((_, index) => !isGone(index));
  });
}

/** What the items of a content say, by field. */
export function fieldTexts({
  keyPoints,
  context,
}: SummaryContent): readonly { readonly field: ItemField; readonly texts: readonly string[] }[] {
  const { replacedConstraints = [], openRequests = [] } = context;
  return [
    { field: 'participants', texts: context.participants },
    { field: 'domainEntities', texts: context.domainEntities },
    { field: 'keyPoints', texts: keyPoints },
    { field: 'unresolved', texts: context.unresolved },
    { field: 'actionItems', texts: context.actionItems.map(actionItemText) },
    { field: 'replacedConstraints', texts: replacedConstraints.map(replacementText) },
    { field: 'decisions', texts: context.decisions },
    { field: 'constraints', texts: context.constraints },
    { field: 'openRequests', texts: openRequests },
  ];
}
