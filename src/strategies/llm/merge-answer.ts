import {
  contentOf,
  itemsOf,
  type ContentItem,
  type ContentItems,
} from '../../record/content-items.ts';
import { emptyContent } from '../../record/content-items.ts';
import { itemId } from '../../record/content-items.ts';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import type { CitedText, SummaryAnswer } from '../models/summary-answer.ts';
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
type ListField = Exclude<keyof ContentItems, 'replacedConstraints' | 'userWords' | 'constraints'>;

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
  const added = rulesOf(answer, evidence);
  const { constraints, replacedConstraints } = endRules(old, added, answer, evidence);
  const ruled = new Set(added.map(({ item }) => item));
  const demoted = answer.constraints.filter(({ text }) => !ruled.has(text));
  const standing = new Set(constraints.map(({ item }) => sameness(item)));
  const borneOut = (list: readonly CitedText[]): readonly ContentItem[] =>
    list
      .flatMap((given) => judged(given, evidence) ?? [])
      .filter(({ item }) => !standing.has(sameness(item)));
  const names = answer.domainEntities.flatMap((text) => judged({ text }, evidence) ?? []);
  const merge = (
    field: Exclude<ListField, 'actionItems'>,
    given: readonly ContentItem[],
  ): readonly ContentItem[] => merged(field, old[field], given, answer);
  return contentOf(
    { summary: told(answer.summary, evidence) },
    {
      constraints,
      replacedConstraints,
      userWords: [],
      decisions: merge('decisions', borneOut(answer.decisions)),
      actionItems: merged('actionItems', old.actionItems, tasksOf(answer, evidence), answer),
      unresolved: merge('unresolved', borneOut(answer.unresolved)),
      keyPoints: merge('keyPoints', borneOut([...answer.keyPoints, ...demoted])),
      participants: old.participants,
      domainEntities: merge('domainEntities', names),
    },
  );
}

function claimsOf({ summary, ended, ...answer }: SummaryAnswer): readonly string[] {
  const { keyPoints, decisions, unresolved, constraints } = answer;
  return [
    ...sentencesOf(summary).map(({ start, end }) => summary.slice(start, end)),
    ...[keyPoints, decisions, unresolved, constraints].flat().map(({ text }) => text),
    ...answer.actionItems.flatMap((action) => [action.task, taskText(action)]),
    ...ended.flatMap(({ rule, by }) => [rule, by]),
    ...answer.domainEntities,
  ];
}

function taskText({ task, due = '' }: ActionItem): string {
  return `${task} ${due}`.trim();
}

function tasksOf(
  { actionItems }: SummaryAnswer,
  evidence: Evidence,
): readonly ContentItem<ActionItem>[] {
  return actionItems.flatMap(({ message, ...action }) => {
    const task = judged({ text: action.task, message }, evidence);
    if (task === undefined) return [];
    const text = taskText(action);
    const { due: _due, ...others } = action;
    // A date that nobody said is none.
    const isSaid = judged({ text, message }, evidence)?.item === text;
    return [{ ...task, item: { ...(isSaid ? action : others), task: task.item } }];
  });
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

/** Lists whose items can be done with; of the others only a newer item can take the place. */
const resolvable: ReadonlySet<string> = new Set(['keyPoints', 'actionItems', 'unresolved']);

/** A list of the record so far with what is new of it; what was resolved stays so, even if the same answer lists it. */
function merged<Item extends string | ActionItem>(
  field: ListField,
  old: readonly ContentItem<Item>[],
  added: readonly ContentItem<Item>[],
  { resolved, superseded }: SummaryAnswer,
): readonly ContentItem<Item>[] {
  const done = new Set(resolvable.has(field) ? resolved : []);
  const gone = new Set([...done, ...superseded]);
  const over = new Set(old.filter((_, index) => done.has(itemId(field, index))).map(keyOf));
  const kept = old.filter((_, index) => !gone.has(itemId(field, index)));
  const lasting = added.filter((each) => !over.has(keyOf(each)));
  return eachOnce(field === 'keyPoints' ? [...lasting, ...kept] : [...kept, ...lasting]);
}

/** What two items have in common that are one. */
function keyOf({ item }: ContentItem<string | ActionItem>): string {
  if (typeof item === 'string') return sameness(item);
  return sameness([item.task, item.owner, item.due].join('\n'));
}

function eachOnce<Item extends string | ActionItem>(
  items: readonly ContentItem<Item>[],
): readonly ContentItem<Item>[] {
  const seen = new Set<string>();
  return items.filter((each) => !seen.has(keyOf(each)) && seen.add(keyOf(each)));
}
