import {
  carriedItems,
  type ContentItem,
  type ContentItems,
  contentOf,
  emptyContent,
  itemsOf,
} from '../../foundations/record/content-items.ts';
import { itemText, mapFields, type RecordItem } from '../../foundations/record/record-fields.ts';
import type { SummaryContent } from '../../foundations/record/summary-record.ts';
import { type CitedTask, type CitedText, type SummaryAnswer } from '../models/summary-answer.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import type { SummaryInput } from '../strategies/summary-strategy.ts';
import { comparisonKey, sentencesOf, textsIn } from '../strategies/texts.ts';
import { endConstraints, findCitedSentence } from './constraints.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';

/**
 * Makes a record of a model's answer: its lists and narrative as they are, with a mark after values without evidence,
 * and the user's own sentences in place of the constraints that cite them, beside those of the previous record.
 *
 * @param input - The messages that the answer is about, and the record so far.
 */
export async function groundAnswer(
  input: SummaryInput,
  answer: SummaryAnswer,
): Promise<SummaryContent> {
  const { summary, ...lists } = answer;
  const narrative = sentencesOf(summary);
  const evidence = await gatherEvidence([...narrative, ...textsIn(lists)], input);
  const carried = carriedItems(itemsOf(input.previous ?? emptyContent('')));
  const ended = answer.ended.map(({ rule }) => rule);
  const clauses = [...answer.constraints.map(({ text }) => text), ...ended];
  const pointed: (ContentItem | undefined)[] = [];
  for (const said of answer.constraints) {
    pointed.push(findCitedSentence(said, clauses, evidence));
    await yieldToEventLoop();
  }
  const { told, ...constraints } = await endConstraints(carried, pointed, answer.ended, evidence);
  const standing = new Set(constraints.constraints.map(keyOf));
  const isNew = (each: ContentItem<RecordItem>): boolean => !standing.has(keyOf(each));
  // A constraint without a sentence of the user is only a statement of the model: it becomes a key point.
  const demoted = answer.constraints.filter((_, index) => pointed[index] === undefined);
  const statements = { ...answer, keyPoints: [...answer.keyPoints, ...demoted, ...told] };
  const written = mapFields<ContentItems>((name, { asked, isCarried }) => {
    if (asked === undefined || isCarried === true) return carried[name];
    const said: readonly (CitedText | CitedTask)[] = Reflect.get(statements, name);
    return eachOnce(said.map((each) => judged(each, evidence)).filter(isNew));
  });
  const marked = { summary: narrative.map((text) => evidence.mark(text)).join('') };
  return contentOf(marked, { ...written, ...constraints });
}

function judged(said: CitedText | CitedTask, { judge, mark }: Evidence): ContentItem<RecordItem> {
  if (!('task' in said)) return judge(said);
  const { message, task, due, ...others } = said;
  const { item, origin } = judge({ text: task, message });
  return { item: { ...others, task: item, ...(due && { due: mark(due) }) }, origin };
}

/** Returns the key that equal items share. */
function keyOf({ item }: ContentItem<RecordItem>): string {
  return comparisonKey(itemText(item));
}

function eachOnce<Item extends RecordItem>(
  items: readonly ContentItem<Item>[],
): readonly ContentItem<Item>[] {
  const seen = new Set<string>();
  return items.filter((each) => !seen.has(keyOf(each)) && seen.add(keyOf(each)));
}
