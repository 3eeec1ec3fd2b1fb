import {
  contentOf,
  itemsOf,
  type ContentItem,
  type ContentItems,
} from '../../record/content-items.ts';
import { emptyContent } from '../../record/empty-content.ts';
import { itemId } from '../../record/item-ids.ts';
import type {
  ActionItem,
  ReplacedConstraint,
  SummaryContent,
} from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { CitedText, SummaryAnswer } from '../models/summary-answer.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { sameness, sentencesOf } from '../texts.ts';
import { gatherEvidence, judged, named, saidByUser, told, type Evidence } from './evidence.ts';
import { shareOf, withoutEnd, wordsOf } from './values.ts';

/** Rules that a record holds: of more the longest leave, of equal ones the oldest. */
const mostRules = 64;

/** Share of the words of a clause that a rule must hold to be the one that has ended, and the other way round. */
const sameClause = 0.8;
const sameRule = 0.5;

/** Words that are left of a rule, when a clause of it has ended, for it to be one still. */
const leastWords = 3;

type Rules = readonly ContentItem[];
type Tasks = readonly ContentItem<ActionItem>[];
type TextList = 'keyPoints' | 'decisions' | 'unresolved' | 'participants' | 'domainEntities';

/**
 * Merges what a model wrote into the record so far, as far as the messages bear it out. A rule stands when a message of
 * the user holds half of its words, and ends when another one holds half of the words that end it: without that it is a
 * key point. Resolved and superseded items leave, new ones follow with the origin of their message; an item that says
 * the same as an older one keeps the older wording. New key points stand in front. The narrative is the new one.
 *
 * @param input - The messages that the answer is about, and the record so far.
 */
export async function mergeAnswer(
  input: SummaryInput,
  answer: SummaryAnswer,
  slices: TimeSlices,
): Promise<SummaryContent> {
  const { previous } = input;
  const evidence = await gatherEvidence(claimsOf(answer), input, slices);
  const old = itemsOf(previous ?? emptyContent(''));
  const { rules, demoted } = rulesOf(answer, evidence);
  const { constraints, replacedConstraints } = endRules(old, rules, answer, evidence);
  const ruled = new Set(constraints.map(({ item }) => sameness(item)));
  const cited = (list: readonly CitedText[]): readonly ContentItem[] =>
    list
      .flatMap((given) => judged(given, evidence) ?? [])
      .filter(({ item }) => !ruled.has(sameness(item)));
  const names = (list: readonly string[]): readonly ContentItem[] =>
    list.map((name) => named(name, evidence));
  const merge = (field: TextList, added: readonly ContentItem[]): readonly ContentItem[] =>
    mergeTexts(partsOf(field, old[field], answer), added, field === 'keyPoints');
  return contentOf(
    { summary: told(answer.summary, evidence) },
    {
      constraints,
      replacedConstraints,
      userWords: [],
      decisions: merge('decisions', cited(answer.decisions)),
      actionItems: mergeTasks(
        partsOf('actionItems', old.actionItems, answer),
        tasksOf(answer, evidence),
      ),
      unresolved: merge('unresolved', cited(answer.unresolved)),
      keyPoints: merge('keyPoints', cited([...answer.keyPoints, ...demoted])),
      participants: merge('participants', names(answer.participants)),
      domainEntities: merge('domainEntities', names(answer.domainEntities)),
    },
  );
}

function claimsOf({ summary, ended, ...answer }: SummaryAnswer): readonly string[] {
  const { keyPoints, decisions, unresolved, constraints } = answer;
  const cited = [keyPoints, decisions, unresolved, constraints].flat();
  return [
    ...sentencesOf(summary).map(({ start, end }) => summary.slice(start, end)),
    ...cited.map(({ text }) => text),
    ...answer.actionItems.flatMap((action) => [action.task, taskText(action)]),
    ...ended.flatMap(({ rule, by }) => [rule, by]),
    ...answer.participants,
    ...answer.domainEntities,
  ];
}

function taskText({ task, due = '' }: ActionItem): string {
  return `${task} ${due}`.trim();
}

function tasksOf({ actionItems }: SummaryAnswer, evidence: Evidence): Tasks {
  return actionItems.flatMap(({ message, ...action }) => {
    const task = judged({ text: action.task, message }, evidence);
    if (task === undefined) return [];
    const whole = judged({ text: taskText(action), message }, evidence);
    const { due: _due, ...others } = action;
    // A date that nobody said is none.
    const isSaid = whole?.item === taskText({ ...action, task: task.item });
    const { origin } = whole ?? task;
    return [{ item: { ...(isSaid ? action : others), task: task.item }, origin }];
  });
}

/** The rules that a message of the user bears out with their values, and what the model took for rules beside them. */
function rulesOf(
  { constraints }: SummaryAnswer,
  evidence: Evidence,
): { readonly rules: Rules; readonly demoted: readonly CitedText[] } {
  const rules: ContentItem[] = [];
  const demoted: CitedText[] = [];
  for (const given of constraints) {
    const message = saidByUser(given, evidence);
    const isTrue =
      message !== undefined && judged({ ...given, message }, evidence)?.item === given.text;
    if (isTrue) rules.push({ item: given.text, origin: { role: 'user', message } });
    else demoted.push(given);
  }
  return { rules, demoted };
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
  for (const each of ended) {
    const message = saidByUser({ text: each.by }, evidence, true);
    if (message === undefined) continue;
    const byId = old.constraints.find((_, index) => itemId('constraints', index) === each.rule);
    const target = endedRule(each, message, rules, byId);
    const isKnown = byId === undefined && saidByUser({ text: each.rule }, evidence) !== undefined;
    if (target === undefined && !isKnown) continue;
    const left = target === undefined || byId ? '' : withoutClause(target.item, each.rule);
    rules = rules.flatMap((rule) => {
      if (rule !== target) return [rule];
      return left === '' ? [] : [{ ...rule, item: left }];
    });
    const rule = left === '' ? (target?.item ?? each.rule) : each.rule;
    replaced.push({ item: { rule, by: each.by }, origin: { role: 'user', message } });
  }
  const constraints = atMost(eachOnce(rules));
  const standing = new Set(constraints.map(({ item }) => sameness(item)));
  // What was said again holds again.
  const gone = replaced.filter(({ item }) => !standing.has(sameness(item.rule)));
  return { constraints, replacedConstraints: gone.slice(-mostRules) };
}

/** The rule that is meant: the one with that id, or the one that a clause is, or is a part of. It is older than its end. */
function endedRule(
  { rule: clause }: ReplacedConstraint,
  end: number,
  rules: Rules,
  byId: ContentItem | undefined,
): ContentItem | undefined {
  const words = wordsOf(clause);
  const [closest] = rules
    .filter(({ item, origin: { message = -1 } }) =>
      message === end ? sameness(item) === sameness(clause) : message < end,
    )
    .map((rule) => {
      const own = wordsOf(rule.item);
      return { rule, held: shareOf(words, own), named: shareOf(own, words) };
    })
    .filter(({ rule, held, named: share }) =>
      byId === undefined
        ? held >= sameClause || (held >= sameRule && share >= sameRule)
        : rule === byId,
    )
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
  if (rules.length <= mostRules) return rules;
  const shortest = rules.toReversed().toSorted((one, other) => one.item.length - other.item.length);
  const kept = new Set(shortest.slice(0, mostRules));
  return rules.filter((rule) => kept.has(rule));
}

/** Lists whose items can be done with; of the others only a newer item can take the place. */
const resolvable: ReadonlySet<string> = new Set(['keyPoints', 'actionItems', 'unresolved']);

/** What of a list of the record so far stays, and what an answer calls resolved of it. */
interface ListParts<Item = string> {
  readonly kept: readonly ContentItem<Item>[];
  readonly done: readonly ContentItem<Item>[];
}

function partsOf<Item>(
  field: TextList | 'actionItems',
  old: readonly ContentItem<Item>[],
  { resolved, superseded }: SummaryAnswer,
): ListParts<Item> {
  const done = new Set(resolvable.has(field) ? resolved : []);
  const gone = new Set([...done, ...superseded]);
  return {
    done: old.filter((_, index) => done.has(itemId(field, index))),
    kept: old.filter((_, index) => !gone.has(itemId(field, index))),
  };
}

function mergeTexts(
  { kept, done }: ListParts,
  added: readonly ContentItem[],
  isNewestFirst: boolean,
): readonly ContentItem[] {
  const gone = new Set(done.map(({ item }) => sameness(item)));
  // What was resolved stays resolved, even if the same answer lists it again.
  const lasting = added.filter(({ item }) => !gone.has(sameness(item)));
  if (!isNewestFirst) return eachOnce([...kept, ...lasting]);
  const older = new Map(kept.map((each) => [sameness(each.item), each]));
  return eachOnce([...lasting.map((each) => older.get(sameness(each.item)) ?? each), ...kept]);
}

function eachOnce(items: readonly ContentItem[]): readonly ContentItem[] {
  const seen = new Set<string>();
  return items.filter(({ item }) => !seen.has(sameness(item)) && seen.add(sameness(item)));
}

/** Tasks once each: of one that is known the older wording stays, with the owner and the date it did not have yet. */
function mergeTasks({ kept, done }: ListParts<ActionItem>, added: Tasks): Tasks {
  const merged = [...kept];
  for (const each of added) {
    const same = sameness(each.item.task);
    const isSame = ({ item: { task, owner } }: ContentItem<ActionItem>): boolean =>
      sameness(task) === same &&
      (owner === undefined ||
        each.item.owner === undefined ||
        sameness(owner) === sameness(each.item.owner));
    if (done.some(isSame)) continue;
    const at = merged.findIndex(isSame);
    const older = merged[at];
    if (older === undefined) merged.push(each);
    else merged[at] = { ...older, item: { ...each.item, ...older.item } };
  }
  return merged;
}
