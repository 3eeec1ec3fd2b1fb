import {
  carriedItems,
  type ContentItem,
  type ContentItems,
  contentOf,
  contentText,
  emptyContent,
  itemId,
  itemsOf,
} from '../../record/content-items.ts';
import { itemText, ofEachField, type RecordItem } from '../../record/record-fields.ts';
import {
  type ActionItem,
  type ItemField,
  type SummaryContent,
  doubtMark,
  modelOrigin,
} from '../../record/summary-record.ts';
import { textPieces } from '../../tokens/text-counter.ts';
import { pause } from '../../util/async/waiting.ts';
import {
  messagePositions,
  type MessagePositions,
  transcriptParts,
} from '../messages/read-messages.ts';
import {
  type CitedTask,
  type CitedText,
  type SummaryAnswer,
  textsIn,
} from '../models/summary-answer.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { sameness, sentencesOf } from '../texts.ts';
import {
  inCommon,
  placesOf,
  readText,
  shareOf,
  type Value,
  withoutEnd,
  wordsOf,
} from './values.ts';

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
  return [...sentencesOf(summary), ...textsIn(lists), ...lists.actionItems.map(taskText)];
}

function taskText({ task, due }: ActionItem): string {
  return due === undefined ? task : `${task} ${due}`;
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
        (origin.message ?? 0) < message ||
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
  const plain = withoutEnd(clause, ' .!,;。，！').toLowerCase();
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

/** Share of its words from which a text is borne out. */
const leastShare = 0.5;

/** How far from the message that is cited a value may stand. */
const reach = 2;

/** Where what an earlier record says stands. */
const earlier = -Infinity;

/** Numbers of statements that are compared with one place: a flood of the same is compared no more often. */
const mostCompared = 32;

/** A value of a statement, and where it stands. */
interface SoughtValue extends Value {
  /** Keys of all values of the statement. */
  readonly siblings: ReadonlySet<string>;
  /** By position of a message that holds it: how many of the words next to it are the same. */
  readonly own: Map<number, number>;
  /** By position: how many of the words next to another number are the same. */
  readonly others: Map<number, number>;
}

/** What is looked for of a statement. */
interface Claim {
  readonly words: ReadonlySet<string>;
  readonly values: readonly SoughtValue[];
}

/** Words, and positions of the messages that hold them. */
type Holders = Map<string, Set<number>>;

/** What was found of statements in the messages. */
interface Evidence {
  readonly originAt: MessagePositions['originAt'];
  readonly claimOf: (text: string) => Claim;
  readonly holders: Holders;
  /** Those of the user's own words. */
  readonly ofUser: Holders;
}

/** Values of statements by what they are found by. */
type ValueIndex = Map<string, SoughtValue[]>;

/**
 * Reads the messages once for the words and values of what a model wrote.
 *
 * @param texts - All that will be asked for; a narrative by its sentences.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closure shares is what is looked for
async function gatherEvidence(
  texts: readonly string[],
  { messages, previous, redact, ...input }: SummaryInput,
): Promise<Evidence> {
  const { positionOf, originAt } = messagePositions({ ...input, messages, previous });
  const claims = new Map<string, Claim>();
  const holders: Holders = new Map();
  const ofUser: Holders = new Map();
  const byKey: ValueIndex = new Map();
  const byPlace: ValueIndex = new Map();
  for (const text of new Set(texts)) {
    const { words, values: found } = readText(text);
    const siblings = new Set(found.flatMap(({ keys }) => keys));
    const values = found.map((each) => ({ ...each, siblings, own: new Map(), others: new Map() }));
    claims.set(text, { words: new Set(words), values });
    for (const among of [holders, ofUser]) for (const word of words) among.set(word, new Set());
    for (const value of values) {
      fileUnder(byKey, value.keys, value);
      fileUnder(byPlace, placesOf(value), value, mostCompared);
    }
  }
  const read = async (text: string, position: number, isUser: boolean): Promise<void> => {
    for (const piece of textPieces(text)) {
      const { words, values } = readText(piece, true);
      for (const word of words) {
        holders.get(word)?.add(position);
        if (isUser) ofUser.get(word)?.add(position);
      }
      // What was doubted once is no evidence.
      for (const value of values)
        if (position !== earlier || !piece.startsWith(` ${doubtMark}`, value.end))
          compare(value, position, byKey, byPlace);
      await pause();
    }
  };
  const parts = await transcriptParts(messages, redact, true);
  for (const { index, role, kind, name, text } of parts) {
    // A narrative may tell of the tools that were called by their names.
    const said = kind === 'call' ? `${name}\n${text}` : text;
    await read(said, positionOf(index), role === 'user' && kind === 'text');
  }
  if (previous !== undefined) {
    await read(contentText(previous), earlier, false);
    // Words that no message is known of are nobody's: a rule names its message.
    for (const { item, origin } of itemsOf(previous).userWords)
      if (origin.message !== undefined) await read(item, origin.message, true);
  }
  const claimOf = (text: string): Claim => claims.get(text) ?? { words: new Set(), values: [] };
  return { originAt, claimOf, holders, ofUser };
}

function fileUnder(
  index: ValueIndex,
  keys: readonly string[],
  value: SoughtValue,
  most = Infinity,
): void {
  for (const key of keys) {
    const known = index.get(key);
    if (known === undefined) index.set(key, [value]);
    else if (known.length < most) known.push(value);
  }
}

/** Notes of the statements' values where this one is one of them, or stands in the place of one. */
function compare(value: Value, position: number, byKey: ValueIndex, byPlace: ValueIndex): void {
  for (const key of value.keys)
    for (const sought of byKey.get(key) ?? []) raise(sought.own, position, inCommon(sought, value));
  // What an earlier record says may have changed.
  if (position === earlier) return;
  for (const place of placesOf(value))
    for (const sought of byPlace.get(place) ?? [])
      if (!value.keys.some((key) => sought.siblings.has(key)))
        raise(sought.others, position, inCommon(sought, value));
}

function raise(map: Map<number, number>, position: number, least: number): void {
  map.set(position, Math.max(least, map.get(position) ?? 0));
}

/** Positions of the messages that hold half of the words of a text, with the share they hold. */
function bearersOf(
  text: string,
  { claimOf, holders }: Evidence,
  among: Holders = holders,
): ReadonlyMap<number, number> {
  const { words } = claimOf(text);
  const counts = new Map<number, number>();
  for (const word of words)
    for (const position of among.get(word) ?? [])
      counts.set(position, (counts.get(position) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count >= leastShare * words.size));
}

/**
 * Position of the user's message that holds half of the words of a text: of the cited one if it does, else of none; where
 * none is cited, of the one that holds most of them, the last of those.
 */
function saidByUser({ text, message }: CitedText, evidence: Evidence): number | undefined {
  const bearers = bearersOf(text, evidence, evidence.ofUser);
  if (message !== undefined) return bearers.has(message) ? message : undefined;
  const [best] = [...bearers].toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || other - one,
  );
  return best?.[0];
}

/**
 * A statement or a name with its origin, and a mark on values that nothing bears out; `undefined` where the message that
 * it cites says others.
 */
function judged({ text, message }: CitedText, evidence: Evidence): ContentItem | undefined {
  const { originAt } = evidence;
  const bearers = bearersOf(text, evidence);
  const cited = message ?? sourceOf(bearers, evidence);
  const position = cited !== undefined && originAt(cited) !== modelOrigin ? cited : undefined;
  const near = message === undefined ? undefined : position;
  const missing = missingIn({ text, message: near }, evidence);
  const item = marked(text, missing);
  if (position === undefined) return { item, origin: modelOrigin };
  const isDenied = bearers.has(position) && missing.some(({ others }) => others.has(position));
  if (isDenied) return message === undefined ? { item, origin: modelOrigin } : undefined;
  const by = [0, -1, 1, -2, 2].map((step) => position + step).find((at) => bearers.has(at));
  // Values alone, such as a date in another language, bear out that it comes from there.
  const isOfValues = missing.length === 0 && evidence.claimOf(text).values.length > 0;
  const origin = by !== undefined || isOfValues ? originAt(by ?? position) : modelOrigin;
  // Of a message of the user, what the application says is not the user's is nobody's word.
  const isOthers =
    by !== undefined &&
    origin.role === 'user' &&
    !bearersOf(text, evidence, evidence.ofUser).has(by);
  return { item, origin: isOthers ? modelOrigin : origin };
}

/** A narrative with a mark on each value that stands nowhere, earlier records included. */
function told(narrative: string, evidence: Evidence): string {
  return sentencesOf(narrative)
    .map((text) => marked(text, missingIn({ text }, evidence)))
    .join('');
}

const speakers = ['user', 'assistant', 'tool', 'system'];

/** The message that a text without a number comes from: the user's before the assistant's, the earliest first. */
function sourceOf(
  bearers: ReadonlyMap<number, number>,
  { originAt }: Evidence,
): number | undefined {
  const held = [...bearers.keys()].toSorted((one, other) => one - other);
  return speakers.flatMap((role) => held.filter((at) => originAt(at).role === role)).at(0);
}

/**
 * The values that nothing bears out: they do not stand near the message that a text cites, or anywhere where it cites
 * none, or another number stands more surely in their place.
 */
function missingIn(
  { text, message: position }: CitedText,
  { claimOf }: Evidence,
): readonly SoughtValue[] {
  return claimOf(text).values.filter(({ own, others }) => {
    const most = (found: ReadonlyMap<number, number>): number => {
      const near = [...found].filter(
        ([at]) =>
          position === undefined || Math.abs(at - position) <= (own.has(position) ? 0 : reach),
      );
      return near.reduce((sum, [, same]) => Math.max(sum, same), -1);
    };
    return most(own) < 0 || most(others) > most(own);
  });
}

/** Puts the mark behind each of some values. */
function marked(text: string, values: readonly Value[]): string {
  let written = text;
  for (const end of new Set(values.map((value) => value.end).toSorted((one, other) => other - one)))
    if (!written.startsWith(` ${doubtMark}`, end))
      written = `${written.slice(0, end)} ${doubtMark}${written.slice(end)}`;
  return written;
}
