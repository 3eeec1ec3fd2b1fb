import { contentText, type ContentItem, itemsOf } from '../../foundations/record/content-items.ts';
import {
  doubtMark,
  type ItemOrigin,
  modelOrigin,
} from '../../foundations/record/summary-record.ts';
import { textPieces } from '../../sizes/tokens/text-counter.ts';
import { lazily } from '../../foundations/checks/option-rule.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { messagePositions, transcriptParts } from '../messages/read-messages.ts';
import type { CitedText } from '../models/summary-answer.ts';
import type { SummaryInput } from '../strategies/summary-strategy.ts';
import { sentencesOf } from '../strategies/texts.ts';
import { wordsIn, wordsOf } from '../strategies/words.ts';
import { spelledNumbers } from './number-words.ts';
import { ownWords } from '../messages/own-words.ts';
import { readText, type Value } from './values.ts';

/** A sentence of the user, and the position of its message. */
export interface UserSentence {
  readonly text: string;
  readonly message: number;
  readonly words: ReadonlySet<string>;
}

/** Evidence from the messages and the previous record. */
export interface Evidence {
  /** Adds its origin to a statement, and a mark after each value without evidence. */
  readonly judge: (statement: CitedText) => ContentItem;
  /** Adds a mark to a text after each value without evidence. */
  readonly mark: (text: string) => string;
  /** The user's own sentences without pasted text, oldest first. */
  readonly sentences: readonly UserSentence[];
  /** Whether a message that is not the user's holds half of the words of a text. */
  readonly isOthers: (text: string) => boolean;
  /** Returns the origin of a message position. */
  readonly originAt: (position: number | undefined) => ItemOrigin;
}

/** Share of a text's words that a message must hold to support the text. */
export const leastShare = 0.5;

/** Numbers of one message that are kept for sums: a longer list is no calculation. */
const mostNumbers = 64;

/** Characters of a user's message that are read for sentences: a longer text is no constraint. */
const mostCharacters = 100_000;

/** Scripts in which a space ends a clause. */
const spaceEnds = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Order of roles in which the source of a statement without a cited message is looked for. */
const speakers = ['user', 'assistant', 'tool', 'system'];

/**
 * Reads the messages once for the words and values of what a model wrote, and for the sentences of the user.
 *
 * @param texts - All texts that will be judged or marked.
 */
export async function gatherEvidence(
  texts: readonly string[],
  { messages, previous, redact }: SummaryInput,
): Promise<Evidence> {
  const { positionOf, originAt } = messagePositions({ messages, previous });
  const holders = new Map<string, Set<number>>();
  for (const text of texts) for (const word of wordsOf(text)) holders.set(word, new Set());
  const found = new Set<string>();
  const numbers = new Map<number, readonly number[]>();
  const dates: DatedWords[] = [];
  const sentences: UserSentence[] = [];
  const others = new Set<number>();

  const read = async (text: string, position?: number): Promise<void> => {
    for (const piece of textPieces(text)) {
      const { words, values } = readText(piece, true);
      if (position !== undefined) for (const word of words) holders.get(word)?.add(position);
      for (const value of values) {
        // A value that was marked before is no evidence.
        if (piece.startsWith(` ${doubtMark}`, value.end)) continue;
        for (const key of value.keys) found.add(key);
        if (value.isNumber) dates.push(...datesAt(piece, value));
      }
      for (const number of spelledNumbers(piece)) found.add(String(number));
      if (position !== undefined) {
        const known = numbers.get(position) ?? [];
        numbers.set(position, [...known, ...numbersIn(values)].slice(0, mostNumbers));
      }
      await yieldToEventLoop();
    }
  };
  const readUser = async (text: string, message: number): Promise<void> => {
    for (const line of sentencesOf(ownWords(text.slice(0, mostCharacters)))) {
      for (const sentence of spaceEnds.test(line) ? line.split(/\s+/) : [line.trim()])
        if (/[\p{L}\p{N}]/u.test(sentence))
          sentences.push({ text: sentence, message, words: wordsOf(sentence) });
      await yieldToEventLoop();
    }
  };
  if (previous !== undefined) {
    await read(contentText(previous));
    // Quotes without a known message are not read: a constraint names its message.
    for (const { item, origin } of itemsOf(previous).userQuotes)
      if (origin.message !== undefined) await readUser(item, origin.message);
  }
  for (const { index, role, kind, name, text } of await transcriptParts(messages, redact, true)) {
    const position = positionOf(index);
    const isUser = role === 'user' && kind === 'text';
    if (!isUser) others.add(position);
    // A narrative may name the tools that were called.
    await read(kind === 'call' ? `${name}\n${text}` : text, position);
    if (isUser) await readUser(text, position);
  }

  const bearersOf = (text: string): readonly number[] => {
    const words = wordsOf(text);
    const counts = new Map<number, number>();
    for (const word of words)
      for (const position of holders.get(word) ?? [])
        counts.set(position, (counts.get(position) ?? 0) + 1);
    return [...counts]
      .filter(([, count]) => count >= leastShare * words.size)
      .map(([position]) => position)
      .toSorted((one, other) => one - other);
  };
  const sourceOf = ({ text, message }: CitedText): number | undefined => {
    const bearers = bearersOf(text);
    const near = [0, -1, 1, -2, 2].map((step) => (message ?? Number.NaN) + step);
    const first = speakers.flatMap((role) => bearers.filter((at) => originAt(at).role === role));
    return near.find((at) => bearers.includes(at)) ?? first[0];
  };
  // A value has evidence as it is, in words, as a date that can be calculated from a dated message, or as the result of
  // other figures. Counts of up to ten things need none.
  const isKnown = (
    value: Value,
    text: string,
    said: readonly number[],
    near: readonly number[],
  ): boolean => {
    const { keys, isNumber, start, end } = value;
    if (keys.some((key) => found.has(key))) return true;
    if (!isNumber) return false;
    const number = Number(keys[0]);
    const groups = text.slice(start, end).split(/\D+/).map(Number);
    const told = datesAt(text, value);
    if (told.length > 0) {
      const year = groups.length === 3 ? groups.find((group) => group >= 1900) : undefined;
      return (year === undefined || found.has(String(year))) && isReckonedDate(told, dates);
    }
    const isPart = /\d[ .-]$/.test(text.slice(0, start)) || /^[ .-]\d/.test(text.slice(end));
    if (Number.isInteger(number) && number <= 10 && groups.length === 1) return !isPart;
    return isReckoned(number, said) || (number >= leastReckoned && isReckoned(number, near));
  };
  const mark = (text: string, message?: number): string => {
    const { values } = readText(text);
    const said = numbersIn(values);
    const near = message === undefined ? [] : (numbers.get(message) ?? []);
    const doubted = values.filter((value) => !isKnown(value, text, said, near));
    // From the last to the first, so that the other ends stay where they are.
    const ends = new Set(doubted.map(({ end }) => end).toSorted((one, other) => other - one));
    return [...ends].reduce(
      (written, end) =>
        written.startsWith(` ${doubtMark}`, end)
          ? written
          : `${written.slice(0, end)} ${doubtMark}${written.slice(end)}`,
      text,
    );
  };
  return {
    originAt,
    sentences,
    mark,
    isOthers: (text) => bearersOf(text).some((position) => others.has(position)),
    judge: (statement) => {
      const source = sourceOf(statement);
      const item = mark(statement.text, source ?? statement.message);
      return { item, origin: source === undefined ? modelOrigin : originAt(source) };
    },
  };
}

function numbersIn(values: readonly Value[]): readonly number[] {
  return values.filter(({ isNumber }) => isNumber).map(({ keys }) => Number(keys[0]));
}

/** Most days between a date and another that is calculated from it; words before a date that are compared. */
const reckonedDays = 14;
const leadWords = 3;

/** Least sum or product of two numbers of one message that is no coincidence. */
const leastReckoned = 100;

/** Most numbers of which three are tried together. */
const mostOfThree = 8;

/** Whether a number is a result of two or three others. */
function isReckoned(number: number, given: readonly number[]): boolean {
  // A number plus 1 is a neighbor, not a sum.
  const numbers = [
    ...new Set(given.slice(0, mostNumbers).filter((each) => each !== number && each > 1)),
  ];
  const isOf = (one: number, other: number): boolean => {
    // A large number and a handful make no sum: a slip is as likely.
    const isSlip = Math.min(one, other) < 10 && Math.max(one, other) > 100;
    const sums = isSlip ? [] : [one + other, one - other];
    const results = [...sums, one * other, one / other, (one * other) / 100];
    return results.some((result) => Math.abs(result - number) < 0.005);
  };
  const pairs = numbers.flatMap((one) => numbers.map((other) => [one, other] as const));
  if (pairs.some(([one, other]) => isOf(one, other))) return true;
  if (numbers.length > mostOfThree) return false;
  const firsts = pairs.flatMap(([one, other]) => [one + other, one * other]);
  return firsts.some((one) => numbers.some((other) => isOf(one, other)));
}

/** Languages whose names of months are known. */
const locales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'tr', 'sv', 'ja'];

const monthNames = lazily(() =>
  locales.flatMap((locale) => {
    const format = new Intl.DateTimeFormat(locale, {
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    });
    return Array.from({ length: 12 }, (_, month) => {
      const parts = format.formatToParts(Date.UTC(2024, month, 5));
      const name = parts.find(({ type }) => type === 'month')?.value.toLowerCase() ?? '';
      return [name, month] as const;
    });
  }),
);

/** A day of the year, in months of 31 days, and the words before its date. */
interface DatedWords {
  readonly day: number;
  readonly lead: string;
}

function isDay(day: number): boolean {
  return Number.isInteger(day) && day >= 1 && day <= 31;
}

/**
 * Lists the dates that a number may be: beside a month's name or its beginning, or with a year: `Oct 3`, `2027-03-14`.
 */
function datesAt(text: string, { start, end }: Value): readonly DatedWords[] {
  const groups = text.slice(start, end).split(/\D+/).map(Number);
  const [one = 0, other = one] = groups.filter((group) => group < 1900);
  const head = text.slice(Math.max(0, start - 80), start);
  const dateFor = (day: number, month: number, lead: string): readonly DatedWords[] =>
    isDay(day) && month >= 0 && month < 12
      ? [{ day: month * 31 + day, lead: wordsIn(lead).slice(-leadWords).join(' ') }]
      : [];
  if (groups.length === 3 && groups.some((group) => group >= 1900 && group <= 2100))
    return [...dateFor(one, other - 1, head), ...dateFor(other, one - 1, head)];
  if (groups.length > 1 || !isDay(one)) return [];
  const named = head.trimEnd().replace(/[.,]$/, '');
  const before = named.split(/[^\p{L}\p{M}]/u).at(-1) ?? '';
  const [, after = ''] =
    /^(?:st|nd|rd|th|\.)?\s*(?:of |de )?([\p{L}\p{M}]+)/u.exec(text.slice(end, end + 24)) ?? [];
  return [
    [before, named.slice(0, named.length - before.length)] as const,
    [after, head] as const,
  ].flatMap(([word, lead]) =>
    word.length < 3
      ? []
      : monthNames().flatMap(([name, month]) =>
          name.startsWith(word.toLowerCase()) ? dateFor(one, month, lead) : [],
        ),
  );
}

/**
 * Whether a date may be calculated from a dated message, as for `two days ago` or `next week`. A date is a slip if a
 * message has another day after the same words; after other words, a wrong day nearby passes for a calculated one.
 */
function isReckonedDate(told: readonly DatedWords[], dates: readonly DatedWords[]): boolean {
  return told.some(({ day, lead }) => {
    // The year is a circle.
    const near = dates.filter((date) => {
      const days = Math.abs(date.day - day);
      return Math.min(days, 12 * 31 - days) <= reckonedDays;
    });
    const isSlip = near.some(
      (date) => lead.includes(' ') && date.lead === lead && date.day !== day,
    );
    return near.length > 0 && (!isSlip || near.some((date) => date.day === day));
  });
}
