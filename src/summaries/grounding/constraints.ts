import {
  constraintId,
  type ContentItem,
  type ContentItems,
} from '../../foundations/record/content-items.ts';
import type { CitedText, EndedText } from '../models/summary-answer.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { comparisonKey, removeEnd } from '../strategies/texts.ts';
import { type Evidence, leastShare, type UserSentence } from './evidence.ts';
import { readText } from './values.ts';
import { overlapShare, wordsOf } from '../strategies/words.ts';

/** Most constraints of a record; the oldest are dropped first. */
const mostConstraints = 64;

/** Largest distance of a constraint from the cited message: models often cite the answer that echoes the constraint. */
const reach = 2;

/** Share of a text's words that a sentence of the cited message must hold, if no message of others holds the text. */
const looseShare = 0.3;

/** Share of a neighboring sentence's words that a text must hold to include that sentence. */
const sharedShare = 0.6;

/** Most characters of a cited message that is quoted whole because the model translated it. */
const shownCharacters = 240;

/**
 * Share of a text's words that a constraint must hold to be meant: alone, or if the text names as much of the
 * constraint.
 */
const heldShare = 0.8;
const namedShare = 0.5;

/** Share of a constraint's words that an ending must name to end the whole constraint. */
const wholeShare = 0.7;

/** Share of a restatement's words that the old constraint and the user's sentences must hold. */
const restatedShare = 0.7;

/** Separator of a constraint and the user's sentence that changed a part of it. */
const changed = ' → now: ';

type Constraints = readonly ContentItem[];

/**
 * Finds the user's own sentence or clause that a model cites as a constraint: in the cited message, in one near it, or,
 * without a citation, in any message. The sentence still has words that the model lost.
 *
 * @param text - May end with a note in parentheses on what the text refers to; the note stays if its words are the
 * user's.
 * @param all - All clauses that the model distinguishes, ended ones too.
 * @returns `undefined` where the user said nothing of the kind.
 */
export function findCitedSentence(
  { text, message }: CitedText,
  all: readonly string[],
  evidence: Evidence,
): ContentItem | undefined {
  const { said, note } = noteOf(text);
  const sentence = sentenceFor({ text: said, message }, evidence);
  if (sentence === undefined) return undefined;
  const clause = clauseOf(
    sentence.text,
    said,
    all.map((each) => noteOf(each).said),
  );
  const isNear = ({ message: at }: UserSentence): boolean =>
    Math.abs(at - sentence.message) <= reach;
  const near = new Set(evidence.sentences.filter(isNear).flatMap(({ words }) => [...words]));
  const noteWords = wordsOf(note ?? '');
  // A note from elsewhere could weaken the constraint in the user's own words.
  const isUsers =
    overlapShare(noteWords, near) === 1 && overlapShare(noteWords, wordsOf(clause)) < 1;
  return {
    item: isUsers ? `${removeEnd(clause, ' .')} (${note})` : clause,
    origin: { role: 'user', message: sentence.message },
  };
}

/** Splits a constraint from the note in parentheses after it, which says what `it` and `that` mean. */
function noteOf(text: string): { readonly said: string; readonly note?: string | undefined } {
  const [, said = text, note] = /^(.*\S)\s*[(（]([^()（）]*)[)）]$/u.exec(text.trim()) ?? [];
  return { said, note };
}

function sentenceFor(
  { text, message }: CitedText,
  { sentences, isOthers }: Evidence,
): Pick<UserSentence, 'text' | 'message'> | undefined {
  const words = wordsOf(text);
  const close = (least: number, among: readonly UserSentence[]): UserSentence | undefined =>
    among
      .map((sentence) => ({ sentence, share: overlapShare(words, sentence.words) }))
      .filter(({ share }) => share >= least)
      .toSorted((one, other) => other.share - one.share)
      .at(0)?.sentence;
  if (message === undefined) {
    const found = close(leastShare, sentences.toReversed());
    return found && withNeighbors(found, words, sentences);
  }
  const cited = sentences.filter((each) => each.message === message);
  const beside = sentences.filter((each) => Math.abs(each.message - message) <= reach);
  const said = close(leastShare, cited) ?? close(leastShare, beside);
  if (said !== undefined) return withNeighbors(said, words, sentences);
  if (isOthers(text)) return undefined;
  const near = close(looseShare, cited);
  if (near !== undefined) return withNeighbors(near, words, sentences);
  const { values } = readText(text);
  const holding = [...cited, ...beside].find(({ text: own }) => {
    const keys = valuesIn(own);
    return values.some((value) => value.keys.some((key) => keys.has(key)));
  });
  if (holding !== undefined) return holding;
  // A translated text shares no word with the user's: the cited message is quoted, if it is short.
  const isForeign = close(Number.MIN_VALUE, sentences) === undefined;
  const whole = cited.map((each) => each.text).join(' ');
  return isForeign && whole !== '' && whole.length <= shownCharacters
    ? { text: whole, message }
    : undefined;
}

/** Joins a sentence with the neighbors in its message that a text includes: `incl. VAT` ends no sentence. */
function withNeighbors(
  sentence: UserSentence,
  words: ReadonlySet<string>,
  sentences: readonly UserSentence[],
): Pick<UserSentence, 'text' | 'message'> {
  let [first, last] = [sentences.indexOf(sentence), sentences.indexOf(sentence)];
  const missing = new Set([...words].filter((word) => !sentence.words.has(word)));
  const isOf = (index: number): boolean => {
    const other = sentences[index];
    if (other?.message !== sentence.message) return false;
    const holds = missing.size > 0 && overlapShare(missing, other.words) >= leastShare;
    return holds || overlapShare(other.words, words) >= sharedShare;
  };
  while (isOf(first - 1)) first -= 1;
  while (isOf(last + 1)) last += 1;
  const text = sentences.slice(first, last + 1).map((each) => each.text);
  return { text: text.join(' '), message: sentence.message };
}

/** The marks that end a clause; the single word that joins two clauses which a model distinguishes. */
const clauseMarks = /[,;:!?–—()…،؛、，；：。]|\.(?=\s|$)/gu;
const joint = /^\s+[^\s,;:.!?–—]+\s+$/u;

/** Least words of a piece between two marks that is a clause of its own: `Never, ever` is none. */
const clauseWords = 4;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the clause of a sentence that a text repeats: up to the next mark, or up to a word that joins another clause
 * which the model distinguishes. A short piece before or after the clause is included, so that no `never` is lost.
 * Returns the whole sentence if no clause fits.
 */
function clauseOf(sentence: string, text: string, all: readonly string[]): string {
  const lower = sentence.toLowerCase();
  const placed = (said: string): Span | undefined => {
    const plain = removeEnd(said.trim().toLowerCase(), ' .!?;,。');
    const start = plain.length > 3 ? lower.indexOf(plain) : -1;
    // Indexes differ if lower case changes the length.
    if (start < 0 || lower.length !== sentence.length) return undefined;
    return { start, end: start + plain.length };
  };
  const told = all.flatMap((other) => placed(other) ?? []);
  const pieces: Span[] = [];
  let from = 0;
  for (const { index, 0: mark } of [
    ...sentence.matchAll(clauseMarks),
    { index: lower.length, 0: '' },
  ]) {
    pieces.push({ start: from, end: index });
    from = index + mark.length;
  }
  const isTold = ({ start, end }: Span): boolean =>
    told.some((span) => span.start < end && span.end > start);
  const copied = placed(text);
  if (copied === undefined && told.length > 0) {
    // A paraphrase is taken for the rest that no other clause says, without the word that joins them.
    const ends = told.flatMap(({ start, end }) => [start, end]);
    const parts = pieces.flatMap(({ start, end }) => {
      const inside = ends.filter((at) => at > start && at < end);
      const cuts = [start, ...inside.toSorted((one, other) => one - other), end];
      return cuts.slice(1).map((to, index) => ({ start: cuts[index] ?? start, end: to }));
    });
    const others = parts.filter(
      (part) => !isTold(part) && /[\p{L}\p{N}]/u.test(sentence.slice(part.start, part.end)),
    );
    const [{ start = 0 } = {}, { end = 0 } = {}] = [others.at(0), others.at(-1)];
    const isApart =
      parts.filter((part) => part.start >= start && part.end <= end).length === others.length;
    const words = sentence.slice(start, end).trim().split(/\s+/);
    const isJoint = (word = ''): boolean => words.length > 1 && !/[,;:.!?–—]/.test(word);
    if (ends.includes(start) && isJoint(words.at(0))) words.shift();
    if (ends.includes(end) && isJoint(words.at(-1))) words.pop();
    const rest = words.join(' ');
    if (isApart && overlapShare(wordsOf(text), wordsOf(rest)) >= looseShare) return rest;
  }
  const own = copied ?? beginningWith(wordsOf(text), sentence, pieces);
  if (own === undefined) return sentence;
  const isWhole = (piece: Span): boolean =>
    isTold(piece) ||
    sentence.slice(piece.start, piece.end).trim().split(/\s+/).length >= clauseWords;
  const isJoined = (left: number, right: number): boolean =>
    joint.test(sentence.slice(left, right));
  let first = pieces.findLastIndex(({ start }) => start <= own.start);
  let last = pieces.findIndex(({ end }) => end >= own.end);
  let [{ start = 0 } = {}, { end = lower.length } = {}] = [pieces[first], pieces[last]];
  if (told.some((span) => span.end < own.start && isJoined(span.end, own.start))) start = own.start;
  else
    for (; first > 0 && !isWhole(pieces[first - 1] ?? own); first -= 1)
      start = pieces[first - 1]?.start ?? 0;
  if (told.some((span) => span.start > own.end && isJoined(own.end, span.start))) end = own.end;
  else
    for (; last < pieces.length - 1 && !isWhole(pieces[last + 1] ?? own); last += 1)
      end = pieces[last + 1]?.end ?? lower.length;
  return sentence
    .slice(start, end)
    .replace(/^[\s,;:.)]+/, '')
    .trim();
}

/**
 * Finds the beginning of a sentence up to the last piece that adds a word of a text, where the sentence holds most of the
 * text: a paraphrase leaves out the user's reasons. The words before them stay: they may be the `never`.
 */
function beginningWith(
  words: ReadonlySet<string>,
  sentence: string,
  pieces: readonly Span[],
): Span | undefined {
  const missing = new Set([...wordsOf(sentence)].filter((word) => words.has(word)));
  if (missing.size < wholeShare * words.size) return undefined;
  const last = pieces.findIndex(({ start, end }) => {
    for (const word of wordsOf(sentence.slice(start, end))) missing.delete(word);
    return missing.size === 0;
  });
  return { start: 0, end: pieces[last]?.end ?? sentence.length };
}

/**
 * Separates the constraints that hold from those that have ended, by the user's own sentences. A constraint that ended
 * as a whole is removed. A constraint that changed in part is replaced by its restatement, if that is made of the
 * user's words; else it stays as it was, followed by the sentence that changed it.
 *
 * @param pointed - The constraints that the model points at.
 * @returns Also `told`: restatements of constraints in words that are not the user's.
 */
export async function endConstraints(
  old: Pick<ContentItems, 'constraints' | 'endedConstraints'>,
  pointed: readonly (ContentItem | undefined)[],
  ended: readonly EndedText[],
  evidence: Evidence,
): Promise<
  Pick<ContentItems, 'constraints' | 'endedConstraints'> & {
    readonly told: readonly CitedText[];
  }
> {
  let constraints: Constraints = [...old.constraints, ...pointed.flatMap((each) => each ?? [])];
  const replaced = [...old.endedConstraints];
  const changes: ContentItem[] = [];
  const restated = new Set<ContentItem>();
  const told: CitedText[] = [];
  const isRestated = restatements(evidence);
  for (const { rule, by, now } of ended) {
    await yieldToEventLoop();
    const ending = findCitedSentence({ text: by }, [], evidence);
    const message = ending?.origin.message;
    if (ending === undefined || message === undefined) continue;
    const byId = old.constraints.find((_, index) => constraintId(index) === rule);
    const older = constraints.filter(
      ({ item, origin }) =>
        (origin.message ?? 0) < message ||
        (origin.message === message && keyOf(item) === keyOf(rule)),
    );
    const target = byId ? older.find((each) => each === byId) : closest(rule, older);
    const said = byId === undefined ? findCitedSentence({ text: rule }, [], evidence) : undefined;
    if (target === undefined && (said?.origin.message ?? Infinity) > message) continue;
    const isPart =
      target !== undefined &&
      (now !== undefined ||
        (byId === undefined && overlapShare(wordsOf(target.item), wordsOf(rule)) < wholeShare));
    if (isPart) {
      changes.push(ending);
      const isUsers = now !== undefined && isRestated(now, target.item, ending);
      const isSaid = now !== undefined && overlapShare(wordsOf(now), wordsOf(ending.item)) === 1;
      if (now !== undefined && !isUsers && !isSaid) told.push({ text: now, message });
      const item = isUsers ? now : `${removeEnd(target.item, ' .')}${changed}${ending.item}`;
      const one = { item, origin: ending.origin };
      restated.add(one);
      constraints = constraints.map((each) => (each === target ? one : each));
      continue;
    }
    constraints = constraints.filter((each) => each !== target);
    const item = { rule: target?.item ?? rule, by: ending.item };
    replaced.push({ item, origin: ending.origin });
  }
  const standing = constraints.filter(
    (each, index) =>
      !constraints.some((other, at) => at < index && keyOf(other.item) === keyOf(each.item)) &&
      !constraints.some((other) => isWithin(each, other)) &&
      (restated.has(each) ||
        !changes.some(
          (other) =>
            keyOf(other.item) === keyOf(each.item) ||
            isWithin(other, each) ||
            isWithin(each, other),
        )),
  );
  const keys = new Set(standing.map(({ item }) => keyOf(item)));
  return {
    constraints: standing.slice(-mostConstraints),
    // A constraint that the user repeated holds again.
    endedConstraints: replaced
      .filter(({ item }) => !keys.has(keyOf(item.rule)))
      .slice(-mostConstraints),
    told,
  };
}

/** Whether another constraint of the same message contains this one. */
function isWithin(one: ContentItem, other: ContentItem): boolean {
  const [own, others] = [keyOf(one.item), keyOf(other.item)];
  return one.origin.message === other.origin.message && own !== others && others.includes(own);
}

/**
 * Makes the test whether a model's restatement of a constraint is the user's: its words come from the constraint and
 * from sentences near the one that changed it, its values are the user's, and it says more than that sentence.
 */
function restatements({
  sentences,
}: Evidence): (now: string, before: string, ending: ContentItem) => boolean {
  let values: ReadonlySet<string> | undefined;
  return (now, before, { item: by, origin }) => {
    values ??= valuesIn(sentences.map(({ text }) => text).join('\n'));
    const held = valuesIn(before);
    const isUsers = (key: string): boolean => values?.has(key) === true || held.has(key);
    const isNear = ({ message }: UserSentence): boolean =>
      Math.abs(message - (origin.message ?? 0)) <= reach;
    const said = [before, by, ...sentences.filter(isNear).map(({ text }) => text)].join(' ');
    const words = wordsOf(now);
    return (
      readText(now).values.every(({ keys }) => keys.some(isUsers)) &&
      overlapShare(words, wordsOf(said)) >= restatedShare &&
      overlapShare(words, wordsOf(by)) < 1
    );
  };
}

function valuesIn(text: string): ReadonlySet<string> {
  return new Set(readText(text, true).values.flatMap(({ keys }) => keys));
}

/** Finds the constraint that a text repeats as a whole or in part. */
function closest(text: string, among: Constraints): ContentItem | undefined {
  const words = wordsOf(text);
  const [found] = among
    .map((constraint) => {
      const own = wordsOf(constraint.item);
      return { constraint, held: overlapShare(words, own), named: overlapShare(own, words) };
    })
    .filter(({ held, named }) => held >= heldShare || (held >= namedShare && named >= namedShare))
    .toSorted((one, other) => other.held + other.named - one.held - one.named);
  return found?.constraint;
}

function keyOf(text: string): string {
  return removeEnd(comparisonKey(text), ' .。');
}
