import { sameness } from '../rule-based/texts/sentences.ts';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { itemId, type ItemField } from '../../record/item-ids.ts';
import { mentionScores } from './mention-score.ts';
import type { SummaryAnswer } from '../models/summary-answer.ts';

/** Key points a record may hold; see `SummaryContent`. */
const maxKeyPoints = 30;

/** Lists whose items can be done with; of the others only a newer item can take the place. */
const resolvable: ReadonlySet<ItemField> = new Set(['keyPoints', 'actionItems', 'unresolved']);

/**
 * Merges what a model wrote into the content so far. Resolved and superseded items leave (constraints
 * and decisions can only be superseded), new ones follow, an item that says the same as an older one
 * keeps the older wording. At most 30 key points stay: the new ones, then those the new messages
 * mention most. The narrative is the new one; ids the content so far does not have are ignored.
 *
 * @param newTexts - Texts of the messages the model has read.
 */
export async function mergeContent({
  previous,
  answer,
  newTexts,
  slices,
}: {
  readonly previous: SummaryContent | undefined;
  readonly answer: SummaryAnswer;
  readonly newTexts: Iterable<string>;
  readonly slices: TimeSlices;
}): Promise<SummaryContent> {
  const keptAndAdded = (field: Exclude<ItemField, 'actionItems'>): KeptAndAdded => {
    const { done, kept } = doneAndKept(field, listOf(previous, field), answer);
    const gone = new Set(done.map(sameness));
    // What was resolved stays resolved, even if the same answer lists it again.
    return { kept, added: listOf(answer, field).filter((text) => !gone.has(sameness(text))) };
  };
  const merge = (field: Exclude<ItemField, 'actionItems' | 'keyPoints'>): readonly string[] => {
    const { kept, added } = keptAndAdded(field);
    return uniqueTexts([...kept, ...added]);
  };
  return {
    summary: answer.summary,
    keyPoints: await rankKeyPoints(keptAndAdded('keyPoints'), newTexts, slices),
    context: {
      participants: merge('participants'),
      decisions: merge('decisions'),
      actionItems: mergeActionItems(
        doneAndKept('actionItems', previous?.context.actionItems ?? [], answer),
        answer.context.actionItems,
      ),
      unresolved: merge('unresolved'),
      domainEntities: merge('domainEntities'),
      constraints: merge('constraints'),
    },
  };
}

/** What of a list of the content so far an answer calls resolved, and what stays. */
interface DoneAndKept<Item> {
  readonly done: readonly Item[];
  readonly kept: readonly Item[];
}

function doneAndKept<Item>(
  field: ItemField,
  old: readonly Item[],
  answer: SummaryAnswer,
): DoneAndKept<Item> {
  const resolved = new Set(resolvable.has(field) ? answer.resolved : []);
  const gone = new Set([...resolved, ...answer.superseded]);
  return {
    done: old.filter((_, index) => resolved.has(itemId(field, index))),
    kept: old.filter((_, index) => !gone.has(itemId(field, index))),
  };
}

function listOf(
  content: SummaryContent | undefined,
  field: Exclude<ItemField, 'actionItems'>,
): readonly string[] {
  if (content === undefined) return [];
  return field === 'keyPoints' ? content.keyPoints : content.context[field];
}

function uniqueTexts(texts: readonly string[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const text of texts) if (!seen.has(sameness(text))) seen.set(sameness(text), text);
  return [...seen.values()];
}

/** What of a list stays of the content so far, and what an answer adds. */
interface KeptAndAdded {
  readonly kept: readonly string[];
  readonly added: readonly string[];
}

/** New points first, in the model's order; then the old ones the new messages mention most. */
async function rankKeyPoints(
  { kept, added }: KeptAndAdded,
  newTexts: Iterable<string>,
  slices: TimeSlices,
): Promise<readonly string[]> {
  const olderWording = new Map(kept.map((text) => [sameness(text), text]));
  const renewed = added.map((text) => olderWording.get(sameness(text)) ?? text);
  const scores = kept.length === 0 ? [] : await mentionScores(kept, newTexts, slices);
  const byMention = kept
    .map((text, index) => ({ text, score: scores[index] ?? 0 }))
    .toSorted((left, right) => right.score - left.score);
  return uniqueTexts([...renewed, ...byMention.map(({ text }) => text)]).slice(0, maxKeyPoints);
}

function mergeActionItems(
  { done, kept }: DoneAndKept<ActionItem>,
  newItems: readonly ActionItem[],
): readonly ActionItem[] {
  const doneByTask = Map.groupBy(done, taskOf);
  const merged: ActionItem[] = [];
  const positions = new Map<string, number[]>();
  const add = (item: ActionItem): void => {
    const task = taskOf(item);
    const known = positions.get(task) ?? [];
    const at = known.find((position) => hasSameOwner(item, merged[position]));
    const older = at === undefined ? undefined : merged[at];
    if (at === undefined || older === undefined) {
      positions.set(task, [...known, merged.length]);
      merged.push(item);
    } else merged[at] = completed(older, item);
  };
  for (const item of kept) add(item);
  for (const item of newItems) {
    const isSame = (other: ActionItem): boolean => hasSameOwner(item, other);
    if (doneByTask.get(taskOf(item))?.some(isSame) !== true) add(item);
  }
  return merged;
}

function taskOf({ task }: ActionItem): string {
  return sameness(task);
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
function hasSameOwner(left: ActionItem, right: ActionItem | undefined): boolean {
  return (
    left.owner === undefined ||
    right?.owner === undefined ||
    sameness(left.owner) === sameness(right.owner)
  );
}
