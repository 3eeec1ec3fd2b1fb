import {
  carriedItems,
  contentOf,
  emptyContent,
  itemId,
  itemsOf,
  type ContentItem,
  type ContentItems,
} from '../../record/content-items.ts';
import { itemText, ofEachField, type RecordItem } from '../../record/record-fields.ts';
import type { ActionItem, ItemField, SummaryContent } from '../../record/summary-record.ts';
import {
  textsIn,
  type CitedTask,
  type CitedText,
  type SummaryAnswer,
} from '../models/summary-answer.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { sameness, sentencesOf } from '../texts.ts';
import { gatherEvidence, judged, saidByUser, told, type Evidence } from './evidence.ts';
import { shareOf, withoutEnd, wordsOf } from './values.ts';

/** Rules that a record holds: of more the longest leave, of equal ones the oldest. */
const mostRules = 64;

/** Share of the words of a clause that a rule must hold to be the one that has ended, and the other way round. */
const sameClause = 0.8;
const sameRule = 0.5;

/** Words that are left of a rule, when a clause of it has ended, for it to be one still. */
const leastWords = 3;

type Rules = readonly ContentItem[];

/** Lists as a model writes them. */
type AnsweredLists = Readonly<
  Partial<Record<ItemField, readonly (string | CitedText | CitedTask)[]>>
>;

/**
 * Merges what a model wrote into the record so far, as far as the messages bear it out. A rule stands when a message of
 * the user holds half of its words, and ends when another one holds half of the words that end it: without that it is a
 * key point. Resolved and superseded items leave, new ones follow with the origin of their message, each once. New key
 * points stand in front. The narrative is the new one.
 *
 * @param input - The messages that the answer is about, and the record so far.
 */
export async function mergeAnswer(
  input: SummaryInput,
  answer: SummaryAnswer,
): Promise<SummaryContent> {
  const evidence = await gatherEvidence(claimsOf(answer), input);
  const old = itemsOf(input.previous ?? emptyContent(''));
  const ruled = rulesOf(answer, evidence);
  const { constraints, replacedConstraints } = endRules(old, ruled, answer, evidence);
  const demoted = answer.constraints.filter(({ text }) => !ruled.some(({ item }) => item === text));
  const standing = new Set(constraints.map(({ item }) => sameness(item)));
  const answered: AnsweredLists = { ...answer, keyPoints: [...answer.keyPoints, ...demoted] };
  const carried = carriedItems(old);
  const lists = ofEachField<ContentItems>((name, { asked, isResolvable, isRanked }) => {
    const before: readonly ContentItem<RecordItem>[] = carried[name];
    if (asked === undefined) return before;
    const done = new Set(isResolvable === true ? answer.resolved : []);
    const gone = new Set([...done, ...answer.superseded]);
    const over = new Set(before.filter((_, index) => done.has(itemId(name, index))).map(keyOf));
    const kept = before.filter((_, index) => !gone.has(itemId(name, index)));
    // What was resolved stays so, even if the same answer lists it.
    const added = (answered[name] ?? [])
      .flatMap((given) => borneOut(given, evidence) ?? [])
      .filter((each) => !standing.has(keyOf(each)) && !over.has(keyOf(each)));
    return eachOnce(
      isRanked === true && asked === 'statement' ? [...added, ...kept] : [...kept, ...added],
    );
  });
  const summary = told(answer.summary, evidence);
  return contentOf({ summary }, { ...lists, constraints, replacedConstraints });
}

function claimsOf({
  summary,
  resolved: _r,
  superseded: _s,
  ...lists
}: SummaryAnswer): readonly string[] {
  const sentences = sentencesOf(summary).map(({ start, end }) => summary.slice(start, end));
  return [...sentences, ...textsIn(lists), ...lists.actionItems.map(taskText)];
}

function taskText({ task, due = '' }: ActionItem): string {
  return `${task} ${due}`.trim();
}

/** What a model wrote, as far as messages bear it out. */
function borneOut(
  given: string | CitedText | CitedTask,
  evidence: Evidence,
): ContentItem<RecordItem> | undefined {
  if (typeof given === 'string') return judged({ text: given }, evidence);
  if (!('task' in given)) return judged(given, evidence);
  const { message, ...action } = given;
  const task = judged({ text: action.task, message }, evidence);
  if (task === undefined) return undefined;
  const text = taskText(action);
  const { due: _due, ...others } = action;
  // A date that nobody said is none.
  const isSaid = judged({ text, message }, evidence)?.item === text;
  return { ...task, item: { ...(isSaid ? action : others), task: task.item } };
}

/** The rules that a message of the user bears out with their values. */
function rulesOf({ constraints }: SummaryAnswer, evidence: Evidence): Rules {
  return constraints.flatMap(({ text, message: cited }) => {
    const message = saidByUser({ text, message: cited }, evidence);
    const isTrue = message !== undefined && judged({ text, message }, evidence)?.item === text;
    return isTrue ? [{ item: text, origin: { role: 'user' as const, message } }] : [];
  });
}

/** The rules that hold, and those that have ended. */
function endRules(
  old: ContentItems,
  added: Rules,
  { ended }: SummaryAnswer,
  evidence: Evidence,
): Pick<ContentItems, 'constraints' | 'replacedConstraints'> {
  let rules: Rules = [...old.constraints, ...added];
  const replaced = [...old.replacedConstraints];
  for (const { rule: clause, by } of ended) {
    const message = saidByUser({ text: by }, evidence);
    if (message === undefined) continue;
    const byId = old.constraints.find((_, index) => itemId('constraints', index) === clause);
    const older = rules.filter(
      ({ item, origin }) =>
        (origin.message ?? -1) < message ||
        (origin.message === message && sameness(item) === sameness(clause)),
    );
    const target = byId ? older.find((rule) => rule === byId) : closestRule(clause, older);
    const isKnown = byId === undefined && saidByUser({ text: clause }, evidence) !== undefined;
    if (target === undefined && !isKnown) continue;
    const left = target === undefined || byId ? '' : withoutClause(target.item, clause);
    const changed = target === undefined || left === '' ? [] : [{ ...target, item: left }];
    rules = rules.flatMap((rule) => (rule === target ? changed : [rule]));
    const rule = left === '' ? (target?.item ?? clause) : clause;
    replaced.push({ item: { rule, by }, origin: { role: 'user', message } });
  }
  const constraints = atMost(eachOnce(rules));
  const standing = new Set(constraints.map(({ item }) => sameness(item)));
  // What was said again holds again.
  const gone = replaced.filter(({ item }) => !standing.has(sameness(item.rule)));
  return { constraints, replacedConstraints: gone.slice(-mostRules) };
}

/** The rule that a clause is, or is a part of. */
function closestRule(clause: string, rules: Rules): ContentItem | undefined {
  const words = wordsOf(clause);
  const [closest] = rules
    .map((rule) => {
      const own = wordsOf(rule.item);
      return { rule, held: shareOf(words, own), named: shareOf(own, words) };
    })
    .filter(({ held, named }) => held >= sameClause || (held >= sameRule && named >= sameRule))
    .toSorted((one, other) => other.held + other.named - one.held - one.named);
  return closest?.rule;
}

/** What is left of a rule without a clause of it; nothing where the clause is the rule, in whatever words. */
function withoutClause(rule: string, clause: string): string {
  const share = shareOf(wordsOf(rule), wordsOf(clause));
  const plain = withoutEnd(clause.trim(), ' .!,;。，！').toLowerCase();
  const start = rule.toLowerCase().indexOf(plain);
  if (start < 0) return share < sameRule ? rule : '';
  const rest = `${rule.slice(0, start).trimEnd()} ${rule.slice(start + plain.length).trimStart()}`;
  return share > sameRule || wordsOf(rest).size < leastWords ? '' : rest.trim();
}

function atMost(rules: Rules): Rules {
  const shortest = rules.toReversed().toSorted((one, other) => one.item.length - other.item.length);
  const kept = new Set(shortest.slice(0, mostRules));
  return rules.filter((rule) => kept.has(rule));
}

/** What two items have in common that are one. */
function keyOf({ item }: ContentItem<RecordItem>): string {
  return sameness(itemText(item));
}

function eachOnce<Item extends RecordItem>(
  items: readonly ContentItem<Item>[],
): readonly ContentItem<Item>[] {
  const seen = new Set<string>();
  return items.filter((each) => !seen.has(keyOf(each)) && seen.add(keyOf(each)));
}
