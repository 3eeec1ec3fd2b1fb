import { scanTerms } from '../../rule-based/terms/scan-terms.ts';
import type { TermKind } from '../../rule-based/terms/term.ts';
import { asciiDigits } from './ascii-digits.ts';
import { dateAt } from './date-readings.ts';
import { multiplied, numberReadings, writtenNumber } from './number-readings.ts';
import { numberOfWord } from './number-words.ts';
import { plainText } from './plain-text.ts';

/** What can be looked up literally, however it is written: a number, a date, an identifier. */
export interface FoundValue {
  readonly kind: 'number' | 'date' | 'time' | 'name';
  readonly start: number;
  readonly end: number;
  /** Any of these in a source bears the value out. */
  readonly readings: readonly string[];
  /** What the value bears out where it stands in a source. */
  readonly means: readonly string[];
  /** A small number: whoever tells of something counts, and writes what no message says. */
  readonly isCount: boolean;
}

const nameKinds: ReadonlySet<TermKind> = new Set(['path', 'url', 'email', 'file', 'id', 'code']);

/** Numbers with a unit, an ending or a version's letter, which scanning takes for identifiers. */
const numberLike = /^v?\d+(?:[.,:]\d+)*(?:-[a-z]{1,12}|[a-z]{0,3})$/i;

/** Larger numbers are not what somebody has counted in passing. */
const mostCounted = 10;

/** Characters behind a number in which groups of thousands or a multiplier stand. */
const reachBehind = 20;

/** Parts of a path that it may be spoken of by. */
const mostEnds = 8;

/** Finds the values of a short text: identifiers, then numbers, dates and times, then numbers in words. */
export function findValues(given: string): readonly FoundValue[] {
  const text = asciiDigits(given);
  const names = namesIn(text);
  return [...names, ...numbersIn(text, names), ...wordsIn(text)];
}

function numbersIn(text: string, names: readonly FoundValue[]): readonly FoundValue[] {
  const values: FoundValue[] = [];
  let next = 0;
  let end = 0;
  for (const { 0: written, index: start } of text.matchAll(writtenNumber)) {
    // The rest of a date.
    if (start < end) continue;
    while (next < names.length && (names[next]?.end ?? 0) <= start) next += 1;
    const isNamed = (names[next]?.start ?? text.length) <= start;
    const value = datedAt(text, start) ?? numberAt(text, start, written);
    // Within an identifier a number is no value of its own, but somebody may speak of it by that alone.
    values.push(isNamed ? { ...value, readings: [] } : value);
    if (!isNamed) ({ end } = value);
  }
  return values;
}

function wordsIn(text: string): readonly FoundValue[] {
  const lowered = text.toLowerCase();
  // To match once is much cheaper than to look where each word stands, and most texts have none.
  const isNone = (lowered.match(/\p{L}{3,7}/gu) ?? []).every(
    (word) => numberOfWord(word) === undefined,
  );
  return isNone
    ? []
    : Array.from(lowered.matchAll(/\p{L}+/gu), ({ 0: word, index }) =>
        wordValue(word, index),
      ).filter((value) => value !== undefined);
}

function namesIn(text: string): readonly FoundValue[] {
  const names: FoundValue[] = [];
  scanTerms(text, true, (kind, start, end) => {
    const term = text.slice(start, end);
    const last = names.at(-1);
    if (!nameKinds.has(kind) || numberLike.test(term)) return;
    // The file at the end of a path, the pieces of a dotted name.
    if (last !== undefined && start < last.end) {
      names[names.length - 1] = { ...last, means: [...last.means, `name ${plainText(term)}`] };
      return;
    }
    const ends = endsOf(term).map((part) => `name ${plainText(part)}`);
    const [whole = ''] = ends;
    if (whole.length < 'name '.length + 3) return;
    const stem = term.replace(/\.\w{1,4}$/, '');
    const means = [
      ...ends,
      `name ${plainText(stem)}`,
      `name ${plainText(endsOf(stem).at(-1) ?? '')}`,
    ];
    names.push({ kind: 'name', start, end, readings: [whole], means, isCount: false });
  });
  return names;
}

/** A path from each of its parts on, whole first. */
function endsOf(term: string): readonly string[] {
  const ends = [term];
  for (let slash = term.indexOf('/'); slash >= 0; slash = term.indexOf('/', slash + 1))
    if (slash > 0 && slash < term.length - 1 && ends.length < mostEnds)
      ends.push(term.slice(slash + 1));
  return ends;
}

function datedAt(text: string, start: number): FoundValue | undefined {
  const found = dateAt(text, start);
  if (found === undefined) return undefined;
  const { readings, means, ...place } = found;
  const written = text.slice(start, found.end);
  // `1.2.30` may be a version all the same.
  const plain = /^[\d.]+$/.test(written) ? numberReadings(written).map(numberKey) : [];
  return {
    ...place,
    readings: [...readings, ...plain],
    means: [...means, ...plain],
    isCount: false,
  };
}

function numberAt(text: string, start: number, written: string): FoundValue {
  const end = start + written.length;
  const read = numberReadings(written);
  const behind = text.slice(end, end + reachBehind);
  // `12 450`: groups of thousands behind a usual space, or two numbers.
  const groups = (/^\d{1,3}$/.test(written) && /^(?: \d{3}){1,4}(?!\d)/.exec(behind)?.[0]) || '';
  const joined = groups === '' ? [] : numberReadings(written + groups.replaceAll(' ', ''));
  const readings = [...read, ...multiplied(read, behind), ...joined].map(numberKey);
  const means = [...readings, ...(groups.match(/\d+/g) ?? []).map(numberKey)];
  const isCount = read.every((reading) => Number(reading) <= mostCounted && !reading.includes('.'));
  return { kind: 'number', start, end: end + groups.length, readings, means, isCount };
}

function wordValue(word: string, start: number): FoundValue | undefined {
  const number = numberOfWord(word);
  if (number === undefined) return undefined;
  const keys = [numberKey(String(number))];
  const end = start + word.length;
  return { kind: 'number', start, end, readings: keys, means: keys, isCount: true };
}

function numberKey(reading: string): string {
  return `number ${reading}`;
}
