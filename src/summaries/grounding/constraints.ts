import {
  constraintId,
  type ContentItem,
  type ContentItems,
} from '../../foundations/record/content-items.ts';
import type { CitedText, EndedText } from '../models/summary-answer.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { comparisonKey, removeEnd } from '../strategies/texts.ts';
import { overlapShare, wordsOf } from '../strategies/words.ts';
import { type Evidence, leastShare, type UserSentence } from './evidence.ts';
import { readText } from './values.ts';

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
  const within = (distance: number): readonly UserSentence[] =>
    message === undefined
      ? sentences.toReversed()
      : sentences.filter((each) => Math.abs(each.message - message) <= distance);
  const cited = within(0);
  const said = close(leastShare, cited) ?? close(leastShare, within(reach));
  if (said !== undefined) return withNeighbors(said, words, sentences);
  if (message === undefined || isOthers(text)) return undefined;
  const near = close(looseShare, cited);
  if (near !== undefined) return withNeighbors(near, words, sentences);
  const { values } = readText(text);
  const holding = within(reach).find(({ text: own }) => {
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

/** The marks that end a clause. */
const clauseMarks = /[,;:!?–—()…،؛、，；：。]|\.(?=\s|$)/gu;

/** Least words of a piece between two marks that is a clause of its own: `Never, ever` is none. */
const clauseWords = 4;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the clause of a sentence that a text repeats, from mark to mark; of a paraphrase, what no other clause says. A
 * short piece before or after the clause is included, so that no `never` is lost. Returns the whole sentence if no clause
 * fits.
 */
function clauseOf(sentence: string, text: string, all: readonly string[]): string {
  const told = all.flatMap((other) => placeOf(other, sentence) ?? []);
  const copied = placeOf(text, sentence);
  const borders = copied === undefined ? told : [];
  const ends = [...sentence.matchAll(clauseMarks)].map(({ index, 0: mark }) => index + mark.length);
  const cuts = new Set([0, ...ends, ...borders.flatMap(Object.values), sentence.length]);
  const places = [...cuts].toSorted((one, other) => one - other);
  const pieces = places.slice(1).map((end, index) => ({ start: places[index] ?? 0, end }));
  const isTold = ({ start, end }: Span): boolean =>
    told.some((span) => span.start < end && span.end > start);
  const own =
    copied ??
    beginningWith(
      wordsOf(text),
      sentence,
      pieces.filter((piece) => !isTold(piece)),
    );
  if (own === undefined) return sentence;
  const isShort = (piece: Span | undefined): boolean =>
    piece !== undefined &&
    !isTold(piece) &&
    (sentence.slice(piece.start, piece.end).match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0) < clauseWords;
  let first = pieces.findLastIndex(({ start }) => start <= own.start);
  let last = pieces.findIndex(({ end }) => end >= own.end);
  while (isShort(pieces[first - 1])) first -= 1;
  while (isShort(pieces[last + 1])) last += 1;
  const clause = sentence.slice(pieces[first]?.start, pieces[last]?.end);
  return removeEnd(clause.replace(/^[\s,;:.)]+/, ''), ' \n\t,;:(–—');
}

/** Finds where a sentence has a text, in any case. */
function placeOf(text: string, sentence: string): Span | undefined {
  const [lower, plain] = [sentence.toLowerCase(), removeEnd(text.trim().toLowerCase(), ' .!?;,。')];
  const start = plain.length > 3 ? lower.indexOf(plain) : -1;
  // Indexes differ if lower case changes the length.
  if (start < 0 || lower.length !== sentence.length) return undefined;
  return { start, end: start + plain.length };
}

/**
 * Finds the beginning of some pieces of a sentence up to the last one that adds a word of a text, where the pieces hold
 * most of the text: a paraphrase leaves out the user's reasons. The words before them stay: they may be the `never`.
 */
function beginningWith(
  words: ReadonlySet<string>,
  sentence: string,
  pieces: readonly Span[],
): Span | undefined {
  const wordsIn = ({ start, end }: Span): ReadonlySet<string> =>
    wordsOf(sentence.slice(start, end));
  const missing = new Set(
    pieces.flatMap((piece) => [...wordsIn(piece)]).filter((word) => words.has(word)),
  );
  if (missing.size < wholeShare * words.size) return undefined;
  const last = pieces.find((piece) => {
    for (const word of wordsIn(piece)) missing.delete(word);
    return missing.size === 0;
  });
  return pieces[0] && last && { start: pieces[0].start, end: last.end };
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
  const { sentences } = evidence;
  const isRestating = ended.some(({ now }) => now !== undefined);
  const values = valuesIn(isRestating ? sentences.map(({ text }) => text).join('\n') : '');
  for (const { rule, by, now } of ended) {
    await yieldToEventLoop();
    const ending = findCitedSentence({ text: by }, [], evidence);
    const message = ending?.origin.message;
    if (ending === undefined || message === undefined) continue;
    const byId = old.constraints.find((_, index) => constraintId(index) === rule);
    const older = constraints.filter(
      ({ item, origin }) =>
        (origin.message ?? 0) < message ||
        (origin.message === message && comparisonKey(item) === comparisonKey(rule)),
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
      const isUsers =
        now !== undefined && isRestated(now, target.item, ending, { sentences, values });
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
      !constraints.some(
        (other, at) => at !== index && says(other, each) && (at < index || !says(each, other)),
      ) &&
      (restated.has(each) || !changes.some((other) => says(other, each) || says(each, other))),
  );
  const keys = new Set(standing.map(({ item }) => comparisonKey(item)));
  return {
    constraints: standing.slice(-mostConstraints),
    // A constraint that the user repeated holds again.
    endedConstraints: replaced
      .filter(({ item }) => !keys.has(comparisonKey(item.rule)))
      .slice(-mostConstraints),
    told,
  };
}

/** Whether a constraint is another one too, or contains another one of the same message. */
function says(one: ContentItem, other: ContentItem): boolean {
  const [own, others] = [comparisonKey(one.item), comparisonKey(other.item)];
  return own === others || (one.origin.message === other.origin.message && own.includes(others));
}

/**
 * Whether a model's restatement of a constraint is the user's: its words and values come from the constraint and from
 * sentences near the one that changed it, and it says more than that sentence.
 */
function isRestated(
  now: string,
  before: string,
  { item: by, origin }: ContentItem,
  { sentences, values }: Pick<Evidence, 'sentences'> & { readonly values: ReadonlySet<string> },
): boolean {
  const isNear = ({ message }: UserSentence): boolean =>
    Math.abs(message - (origin.message ?? 0)) <= reach;
  const said = [before, by, ...sentences.filter(isNear).map(({ text }) => text)].join(' ');
  const words = wordsOf(now);
  const held = new Set([...values, ...valuesIn(before)]);
  return (
    readText(now).values.every(({ keys }) => keys.some((key) => held.has(key))) &&
    overlapShare(words, wordsOf(said)) >= restatedShare &&
    overlapShare(words, wordsOf(by)) < 1
  );
}

function valuesIn(text: string): ReadonlySet<string> {
  return new Set(readText(text, true).values.flatMap(({ keys }) => keys));
}

/** Finds the constraint that a text repeats as a whole or in part: what one lacks of the other's words, the other has. */
function closest(text: string, among: Constraints): ContentItem | undefined {
  const words = wordsOf(text);
  const [found] = among
    .map((constraint) => {
      const own = wordsOf(constraint.item);
      return { constraint, shares: overlapShare(words, own) + overlapShare(own, words) };
    })
    .filter(({ shares }) => shares >= 1)
    .toSorted((one, other) => other.shares - one.shares);
  return found?.constraint;
}
