import {
  contentOf,
  itemsOf,
  type ContentItem,
  type ContentItems,
} from '../../record/content-items.ts';
import { emptyContent } from '../../record/empty-content.ts';
import { itemId } from '../../record/item-ids.ts';
import { modelOrigin } from '../../record/item-origin.ts';
import type { ActionItem, ItemField, SummaryContent } from '../../record/summary-record.ts';
import type { MessagePositions } from '../messages/message-positions.ts';
import type { CitedText, SummaryAnswer } from '../models/summary-answer.ts';
import { sameness } from '../rule-based/texts/sentences.ts';

/** The lists that a model writes, and code takes over from it. */
type WrittenField = Exclude<ItemField, 'constraints' | 'replacedConstraints' | 'openRequests'>;

/** Lists whose items can be done with; of the others only a newer item can take the place. */
const resolvable: ReadonlySet<WrittenField> = new Set(['keyPoints', 'actionItems', 'unresolved']);

/**
 * Merges what a model wrote into the content so far. Resolved and superseded items leave (decisions,
 * participants and entities can only be superseded), new ones follow with the origin of the message they cite,
 * an item that says the same as an older one keeps the older wording and origin; new key points stand in
 * front. The narrative is the new one; ids the content so far does not have are ignored.
 *
 * @param ofUser - The lists that code alone writes.
 * @param demoted - What the model took for rules, and no sentence of the user supports.
 */
// oxlint-disable-next-line max-lines-per-function -- one object, most of it a field a line
export function mergeContent({
  previous = emptyContent(''),
  answer,
  positions,
  ofUser,
  demoted,
}: {
  readonly previous: SummaryContent | undefined;
  readonly answer: SummaryAnswer;
  readonly positions: Pick<MessagePositions, 'originAt'>;
  readonly ofUser: Omit<ContentItems, WrittenField>;
  readonly demoted: readonly CitedText[];
}): SummaryContent {
  const { context } = answer;
  const old = itemsOf(previous);
  const cited = (statements: readonly CitedText[]): readonly ContentItem[] =>
    statements.map(({ text, message }) => ({ item: text, origin: positions.originAt(message) }));
  const merge = (
    field: Exclude<WrittenField, 'actionItems'>,
    added: readonly ContentItem[],
    isNewestFirst = false,
  ): readonly ContentItem[] => {
    const { done, kept } = doneAndKept(field, old[field], answer);
    const gone = new Set(done.map(({ item }) => sameness(item)));
    // What was resolved stays resolved, even if the same answer lists it again.
    const lasting = added.filter(({ item }) => !gone.has(sameness(item)));
    if (!isNewestFirst) return eachOnce([...kept, ...lasting]);
    const older = new Map(kept.map((each) => [sameness(each.item), each]));
    return eachOnce([...lasting.map((each) => older.get(sameness(each.item)) ?? each), ...kept]);
  };
  return contentOf(
    { summary: answer.summary },
    {
      ...ofUser,
      keyPoints: merge('keyPoints', cited([...answer.keyPoints, ...demoted]), true),
      participants: merge('participants', named(context.participants)),
      decisions: merge('decisions', cited(context.decisions)),
      actionItems: mergeActionItems(
        doneAndKept('actionItems', old.actionItems, answer),
        context.actionItems.map(({ message, ...item }) => ({
          item,
          origin: positions.originAt(message),
        })),
      ),
      unresolved: merge('unresolved', cited(context.unresolved)),
      domainEntities: merge('domainEntities', named(context.domainEntities)),
    },
  );
}

function named(names: readonly string[]): readonly ContentItem[] {
  return names.map((item) => ({ item, origin: modelOrigin }));
}

/** What of a list of the content so far an answer calls resolved, and what stays. */
interface DoneAndKept<Item> {
  readonly done: readonly ContentItem<Item>[];
  readonly kept: readonly ContentItem<Item>[];
}

function doneAndKept<Item>(
  field: WrittenField,
  old: readonly ContentItem<Item>[],
  answer: SummaryAnswer,
): DoneAndKept<Item> {
  const resolved = new Set(resolvable.has(field) ? answer.resolved : []);
  const gone = new Set([...resolved, ...answer.superseded]);
  return {
    done: old.filter((_, index) => resolved.has(itemId(field, index))),
    kept: old.filter((_, index) => !gone.has(itemId(field, index))),
  };
}

function eachOnce(items: readonly ContentItem[]): readonly ContentItem[] {
  const seen = new Map<string, ContentItem>();
  for (const each of items) if (!seen.has(sameness(each.item))) seen.set(sameness(each.item), each);
  return [...seen.values()];
}

function mergeActionItems(
  { done, kept }: DoneAndKept<ActionItem>,
  newItems: readonly ContentItem<ActionItem>[],
): readonly ContentItem<ActionItem>[] {
  const doneByTask = Map.groupBy(done, taskOf);
  const merged: ContentItem<ActionItem>[] = [];
  const places = new Map<string, number[]>();
  const add = (each: ContentItem<ActionItem>): void => {
    const task = taskOf(each);
    const known = places.get(task) ?? [];
    const at = known.find((place) => hasSameOwner(each, merged[place]));
    const older = at === undefined ? undefined : merged[at];
    if (at === undefined || older === undefined) {
      places.set(task, [...known, merged.length]);
      merged.push(each);
    } else merged[at] = { ...older, item: completed(older.item, each.item) };
  };
  for (const each of kept) add(each);
  for (const each of newItems)
    if (doneByTask.get(taskOf(each))?.some((other) => hasSameOwner(each, other)) !== true)
      add(each);
  return merged;
}

function taskOf({ item }: ContentItem<ActionItem>): string {
  return sameness(item.task);
}

/** The older wording, with the owner and the date it did not have yet. */
function completed(older: ActionItem, newer: ActionItem): ActionItem {
  const owner = older.owner ?? newer.owner;
  const due = older.due ?? newer.due;
  return {
    ...(owner === undefined ? {} : { owner }),
    task: older.task,
    ...(due === undefined ? {} : { due }),
  };
}

/** An owner who is not named may be anybody. */
function hasSameOwner(
  { item: { owner } }: ContentItem<ActionItem>,
  other: ContentItem<ActionItem> | undefined,
): boolean {
  const otherOwner = other?.item.owner;
  return (
    owner === undefined || otherOwner === undefined || sameness(owner) === sameness(otherOwner)
  );
}
