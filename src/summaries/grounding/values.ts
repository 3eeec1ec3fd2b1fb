import { findIdentifiers } from '../rule-based/identifiers.ts';
import { removeEnd } from '../strategies/texts.ts';
import { asciiOf, plainDigits, wordsIn } from '../strategies/words.ts';

/** A value that can be looked up literally, however it is written: a number, a time, a path, an identifier. */
export interface Value {
  readonly start: number;
  readonly end: number;
  /** Keys of which a single one in a message is evidence. */
  readonly keys: readonly string[];
  readonly isNumber: boolean;
}

/** Numbers with a unit, an ending or a version's letter, which are spelled like identifiers. */
const numberLike = /^v?\d+(?:[-/.,:h]\d+)*[a-z]{0,3}$/i;

/** A date of three numbers, a number with spaces between its thousands, a time, any other number. */
const written =
  /\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?!\1?\d)|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,2}(?:(?::| ?h ?)\d{2})+(?!\d)|\d+(?:[.,'’]\d+)*/g;

/**
 * Finds the words and values of a statement, or all that a text is evidence for: an identifier and the numbers in it, a
 * date and its parts. The number of a list item in a statement is no value.
 */
export function readText(
  given: string,
  isBearing = false,
): { readonly words: readonly string[]; readonly values: readonly Value[] } {
  const text = isBearing ? asciiOf(given) : withoutMarks(asciiOf(given));
  const values: Value[] = [];
  findIdentifiers(text, (kind, start, end) => {
    const spelled = text.slice(start, end);
    if (kind === 'number' || kind === 'amount' || numberLike.test(spelled)) return;
    const isWithin = values.some((other) => start >= other.start && end <= other.end);
    if (!isBearing && (isWithin || isPlainWord(kind, spelled, text.charAt(start - 1)))) return;
    const keys = spellingsOf(spelled.toLowerCase(), isBearing);
    values.push({ start, end, keys, isNumber: false });
  });
  const taken = isBearing ? [] : [...values];
  for (const { 0: number, index: start } of text.matchAll(written)) {
    const end = start + number.length;
    if (taken.some((other) => start >= other.start && start < other.end)) continue;
    const keys = [...readingsOf(number), ...(isBearing ? partsOf(number) : [])];
    values.push({ start, end, keys, isNumber: true });
  }
  return { words: wordsIn(text), values };
}

/**
 * Whether a spelling is an ordinary way to write words: `24-hour`, `690/year`, `mid-2024`, `TypeScript`,
 * `alarms/month`, the `s/912` of `47 s/912 MB`,
 * the `/night` of `3 €/night`.
 */
function isPlainWord(kind: string, spelled: string, before: string): boolean {
  const isOfWords = kind === 'code' && /^[\p{L}/]+$/u.test(spelled);
  const isUnit = /^\/\p{L}+$/u.test(spelled) && /[\p{Sc}%°)]/u.test(before);
  return isOfWords || isUnit || /^(?:\d+[-/]\p{L}+|\p{Ll}+-\d+|\p{Ll}{1,3}\/\d+)$/u.test(spelled);
}

/** Replaces the numbers of list items by as many spaces. */
function withoutMarks(text: string): string {
  return text.replaceAll(/^[ \t]{0,16}\d{1,4}[.)](?=\s)/gm, (mark) => ' '.repeat(mark.length));
}

/** Lists the spellings of an identifier: as it is written; in evidence, a path also from each of its folders on. */
function spellingsOf(spelled: string, isBearing: boolean): readonly string[] {
  const bare = spelled.replace(/^\.\//, '');
  const folders = isBearing ? [...bare.matchAll(/\/(?=.)/g)] : [];
  return [bare, ...folders.map(({ index }) => bare.slice(index + 1))];
}

/** Lists the forms of a number, regardless of thousands separators, leading zeros, full hours and date order. */
function readingsOf(number: string): readonly string[] {
  const groups = number.split(/\D+/);
  const [last = '', ...others] = groups.toReversed();
  if (others.length === 0) return [plainDigits(last)];
  const [lastMark, ...marks] = (number.match(/\D+/g) ?? []).toReversed();
  const isDecimal =
    others.length === 1 || (areThousands(others) && !marks.includes(lastMark ?? ''));
  const decimals = removeEnd(last, '0');
  const head = plainDigits(others.toReversed().join(''));
  const isThousands = areThousands(groups.toReversed()) && lastMark !== ':';
  return [
    ...(isThousands ? [plainDigits(groups.join(''))] : []),
    // `5,000` is five thousand, not five.
    ...(isDecimal && !(isThousands && decimals === '')
      ? [decimals === '' ? head : `${head}.${decimals}`]
      : []),
    // A time may omit the half of the day: 14:30 for 2:30.
    ...(lastMark === ':' && others.length === 1 && head.length <= 2
      ? [readingsOf(`${(Number(head) + 12) % 24}.${last}`).at(-1) ?? '']
      : []),
    ...(groups.length === 3 ? [groups.map(plainDigits).toSorted().join('.')] : []),
    ...(groups.length > 3 ? [groups.map(plainDigits).join('.')] : []),
  ];
}

/** Whether all groups except the first have three digits; the groups are in reverse order. */
function areThousands(groups: readonly string[]): boolean {
  return groups.slice(0, -1).every(({ length }) => length === 3);
}

/** Lists the numbers within a number: the parts of a date, the hour and minute of a time, thousands. */
function partsOf(number: string): readonly string[] {
  if (/[.,]/.test(number)) return [];
  const groups = number.split(/\D+/);
  return [...groups.map(plainDigits), ...readingsOf(groups.slice(0, 2).join(':'))];
}
