import {
  contentOf,
  itemsOf,
  type ContentItem,
  type ContentItems,
} from '../../record/content-items.ts';
import { emptyContent } from '../../record/empty-content.ts';
import { itemId } from '../../record/item-ids.ts';
import type { ActionItem, SummaryContent, SummaryRecord } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { MessagePositions } from '../message-positions.ts';
import type { CitedText, SummaryAnswer } from '../models/summary-answer.ts';
import type { MessageText } from '../rule-based/message-texts.ts';
import { sameness, sentencesOf } from '../texts.ts';
import { gatherEvidence, type Evidence } from './evidence.ts';
import { shareOf, wordsOf } from './values.ts';

/** Rules that a record holds: of more the longest leave, of equal ones the oldest. */
const mostRules = 64;

/** Share of the words of a clause that a rule must hold to be the one that has ended, and the other way round. */
const sameClause = 0.8;
const sameRule = 0.5;

/** Words that are left of a rule, when a clause of it has ended, for it to be one still. */
const leastWords = 3;

type Rule = ContentItem;
type TextList = 'keyPoints' | 'decisions' | 'unresolved' | 'participants' | 'domainEntities';

/**
 * Merges what a model wrote into the record so far, as far as the messages bear it out. A rule stands when a message of
 * the user holds half of its words, and ends when another one holds half of the words that end it: without that it is a
 * key point. Resolved and superseded items leave, new ones follow with the origin of their message; an item that says
 * the same as an older one keeps the older wording. New key points stand in front. The narrative is the new one.
 */
// oxlint-disable-next-line max-lines-per-function -- one object, most of it a field a line
export async function mergeAnswer({
  previous,
  answer,
  texts,
  positions,
  slices,
}: {
  readonly previous: SummaryRecord | undefined;
  readonly answer: SummaryAnswer;
  /** Of the messages that the answer is about. */
  readonly texts: readonly MessageText[];
  readonly positions: MessagePositions;
  readonly slices: TimeSlices;
}): Promise<SummaryContent> {
  const { context, summary } = answer;
  const evidence = await gatherEvidence(claimsOf(answer), texts, previous, positions, slices);
  const old = itemsOf(previous ?? emptyContent(''));
  const { constraints, replacedConstraints, demoted } = mergeRules(old, answer, evidence);
  const ruled = new Set(constraints.map(({ item }) => sameness(item)));
  const judged = (list: readonly CitedText[]): readonly ContentItem[] =>
    list.flatMap((given) => {
      const { text, origin } = evidence.judged(given) ?? {};
      return text === undefined || origin === undefined || ruled.has(sameness(text))
        ? []
        : [{ item: text, origin }];
    });
  const named = (list: readonly string[]): readonly ContentItem[] =>
    list.map((name) => {
      const { text, origin } = evidence.named(name);
      return { item: text, origin };
    });
  const merge = (
    field: TextList,
    added: readonly ContentItem[],
    isNewestFirst = false,
  ): readonly ContentItem[] => {
    const { kept, done } = partsOf(field, old[field], answer);
    const gone = new Set(done.map(({ item }) => sameness(item)));
    // What was resolved stays resolved, even if the same answer lists it again.
    const lasting = added.filter(({ item }) => !gone.has(sameness(item)));
    if (!isNewestFirst) return eachOnce([...kept, ...lasting]);
    const older = new Map(kept.map((each) => [sameness(each.item), each]));
    return eachOnce([...lasting.map((each) => older.get(sameness(each.item)) ?? each), ...kept]);
  };
  return contentOf(
    { summary: evidence.told(summary) },
    {
      constraints,
      replacedConstraints,
      userWords: [],
      decisions: merge('decisions', judged(context.decisions)),
      actionItems: mergeTasks(
        partsOf('actionItems', old.actionItems, answer),
        judgedTasks(context.actionItems, evidence),
      ),
      unresolved: merge('unresolved', judged(context.unresolved)),
      keyPoints: merge('keyPoints', judged([...answer.keyPoints, ...demoted]), true),
      participants: merge('participants', named(context.participants)),
      domainEntities: merge('domainEntities', named(context.domainEntities)),
    },
  );
}

function claimsOf({ summary, keyPoints, context, ended }: SummaryAnswer): readonly string[] {
  const cited = [keyPoints, context.decisions, context.unresolved, context.constraints].flat();
  return [
    ...sentencesOf(summary).map(({ start, end }) => summary.slice(start, end)),
    ...cited.map(({ text }) => text),
    ...context.actionItems.flatMap((action) => [action.task, taskText(action)]),
    ...ended.flatMap(({ rule, by }) => [rule, by]),
    ...context.participants,
    ...context.domainEntities,
  ];
}

function taskText({ task, due = '' }: ActionItem): string {
  return `${task} ${due}`.trim();
}

function judgedTasks(
  tasks: SummaryAnswer['context']['actionItems'],
  { judged }: Evidence,
): readonly ContentItem<ActionItem>[] {
  return tasks.flatMap(({ message, ...action }) => {
    const { due: _due, ...others } = action;
    const whole = judged({ text: taskText(action), message });
    if (whole === undefined) return [];
    const text = judged({ text: action.task, message })?.text ?? action.task;
    // A date that nobody said is none.
    const isSaid = whole.text === `${text} ${action.due ?? ''}`.trim();
    return [{ item: { ...(isSaid ? action : others), task: text }, origin: whole.origin }];
  });
}

/** The rules that hold, those that have ended, and what the model took for rules without evidence. */
// oxlint-disable-next-line max-lines-per-function -- one pass over the rules
function mergeRules(
  old: ContentItems,
  { context, ended }: SummaryAnswer,
  { saidByUser, judged }: Evidence,
): Pick<ContentItems, 'constraints' | 'replacedConstraints'> & {
  readonly demoted: readonly CitedText[];
} {
  const demoted: CitedText[] = [];
  let rules: Rule[] = [...old.constraints];
  for (const given of context.constraints) {
    const message = saidByUser(given);
    // Values of a rule have to stand where it does.
    const isTrue = message !== undefined && judged({ ...given, message })?.text === given.text;
    if (isTrue) rules.push({ item: given.text, origin: { role: 'user', message } });
    else demoted.push(given);
  }
  const replaced = [...old.replacedConstraints];
  for (const { rule: clause, by } of ended) {
    const end = saidByUser({ text: by }, true);
    if (end === undefined) continue;
    const named = old.constraints.find((_, index) => itemId('constraints', index) === clause);
    const isMeant = ({ item, origin: { message = -1 } }: Rule): boolean =>
      message < end || (message === end && sameness(item) === sameness(clause));
    const before = rules.filter(isMeant);
    const target =
      named === undefined ? closestRule(clause, before) : before.find((rule) => rule === named);
    // An id says nothing, and what nobody said cannot end.
    if (target === undefined && (named !== undefined || saidByUser({ text: clause }) === undefined))
      continue;
    const left = target === undefined || target === named ? '' : withoutClause(target.item, clause);
    rules = rules.flatMap((rule) =>
      rule === target ? (left === '' ? [] : [{ ...rule, item: left }]) : [rule],
    );
    replaced.push({
      item: { rule: left === '' ? (target?.item ?? clause) : clause, by },
      origin: { role: 'user', message: end },
    });
  }
  const constraints = atMost(eachOnce(rules));
  const standing = new Set(constraints.map(({ item }) => sameness(item)));
  return {
    constraints,
    // What was said again holds again.
    replacedConstraints: replaced
      .filter(({ item }) => !standing.has(sameness(item.rule)))
      .slice(-mostRules),
    demoted,
  };
}

/** The rule that a clause is, or is a part of. */
function closestRule(clause: string, rules: readonly Rule[]): Rule | undefined {
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
  const words = wordsOf(rule);
  const named = shareOf(words, wordsOf(clause));
  const plain = clause
    .trim()
    .replace(/[\s.!,;。，！]+$/u, '')
    .toLowerCase();
  const start = rule.toLowerCase().indexOf(plain);
  if (start < 0) return named < sameRule ? rule : '';
  const rest =
    `${rule.slice(0, start).trimEnd()} ${rule.slice(start + plain.length).trimStart()}`.trim();
  return named > sameRule || wordsOf(rest).size < leastWords ? '' : rest;
}

function atMost(rules: readonly Rule[]): readonly Rule[] {
  if (rules.length <= mostRules) return rules;
  const kept = new Set(
    rules
      .toReversed()
      .toSorted((one, other) => one.item.length - other.item.length)
      .slice(0, mostRules),
  );
  return rules.filter((rule) => kept.has(rule));
}

/** Lists whose items can be done with; of the others only a newer item can take the place. */
const resolvable: ReadonlySet<string> = new Set(['keyPoints', 'actionItems', 'unresolved']);

/** What of a list of the record so far an answer calls resolved, and what stays. */
function partsOf<Item>(
  field: TextList | 'actionItems',
  old: readonly ContentItem<Item>[],
  { resolved, superseded }: SummaryAnswer,
): { readonly kept: readonly ContentItem<Item>[]; readonly done: readonly ContentItem<Item>[] } {
  const done = new Set(resolvable.has(field) ? resolved : []);
  const gone = new Set([...done, ...superseded]);
  return {
    done: old.filter((_, index) => done.has(itemId(field, index))),
    kept: old.filter((_, index) => !gone.has(itemId(field, index))),
  };
}

function eachOnce(items: readonly ContentItem[]): readonly ContentItem[] {
  const seen = new Set<string>();
  return items.filter(({ item }) => !seen.has(sameness(item)) && seen.add(sameness(item)));
}

function hasSameOwner(
  { item }: ContentItem<ActionItem>,
  other: ContentItem<ActionItem> | undefined,
): boolean {
  return (
    item.owner === undefined ||
    other?.item.owner === undefined ||
    sameness(item.owner) === sameness(other.item.owner)
  );
}

/** Tasks once each: of one that is known the older wording stays, with the owner and the date it did not have yet. */
function mergeTasks(
  { kept, done }: ReturnType<typeof partsOf<ActionItem>>,
  added: readonly ContentItem<ActionItem>[],
): readonly ContentItem<ActionItem>[] {
  const merged: ContentItem<ActionItem>[] = [];
  const places = new Map<string, number[]>();
  const finished = Map.groupBy(done, ({ item }) => sameness(item.task));
  for (const [index, each] of [...kept, ...added].entries()) {
    const task = sameness(each.item.task);
    if (index >= kept.length && finished.get(task)?.some((other) => hasSameOwner(each, other)))
      continue;
    const known = places.get(task) ?? [];
    const at = known.find((place) => hasSameOwner(each, merged[place]));
    const older = at === undefined ? undefined : merged[at];
    if (at === undefined || older === undefined) {
      places.set(task, [...known, merged.length]);
      merged.push(each);
    } else merged[at] = { ...older, item: { ...each.item, ...older.item } };
  }
  return merged;
}
