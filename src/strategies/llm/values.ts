import { findIdentifiers } from '../rule-based/find-identifiers.ts';

/** What can be looked up literally, however it is written: a number, a time, a path, an identifier. */
export interface Value {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Any of these in a message bears it out; where it stands in a message, it bears out what has one of them. */
  readonly keys: readonly string[];
}

/** Numbers with a unit, an ending or a version's letter, which are spelled like identifiers. */
const numberLike = /^v?\d+(?:[.,:]\d+)*[a-z]{0,3}$/i;

const written = /\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,:'’]\d+)*/g;

/** Finds the values of a short text. The number of an item, of a list or of a cited message is none. */
export function findValues(given: string): readonly Value[] {
  const text = asciiOf(given);
  const values: Value[] = [];
  const taken: { readonly start: number; readonly end: number }[] = [];
  findIdentifiers(text, (kind, start, end) => {
    const spelled = text.slice(start, end);
    if (kind === 'number' || kind === 'amount' || numberLike.test(spelled)) return;
    values.push({ text: given.slice(start, end), start, end, keys: [spelled.toLowerCase()] });
    taken.push({ start, end });
  });
  for (const { 0: number, index: start } of text.matchAll(written)) {
    const end = start + number.length;
    const isTaken = taken.some((other) => start >= other.start && start < other.end);
    if (isTaken || isMark(text, start, end)) continue;
    values.push({ text: given.slice(start, end), start, end, keys: readingsOf(number) });
  }
  return values;
}

/** All keys that a text bears out: of an identifier its own, and of the numbers in it theirs. */
export function keysIn(given: string): readonly string[] {
  const text = asciiOf(given);
  const keys: string[] = [];
  findIdentifiers(text, (_, start, end) => keys.push(text.slice(start, end).toLowerCase()));
  for (const [number] of text.matchAll(written))
    keys.push(
      ...readingsOf(number),
      ...(/[ \u00a0\u202f]/.test(number) ? number.split(/\s/) : []).map(plain),
    );
  return keys;
}

function isMark(text: string, start: number, end: number): boolean {
  const isCited = text.charAt(start - 1) === '[' && text.charAt(end) === ']';
  return (
    isCited ||
    (/(?:^|\n)\s*$/.test(text.slice(Math.max(0, start - 4), start)) &&
      /^[.)]\s/.test(text.slice(end, end + 2)))
  );
}

/** The forms of one number: thousands separators, leading zeros, zeros behind the point and full hours aside. */
function readingsOf(number: string): readonly string[] {
  const groups = number.split(/\D/).map(plain);
  if (groups.length === 1) return groups;
  const whole = number.split(/\D/);
  const last = whole.at(-1) ?? '';
  const isThousands = !number.includes(':') && whole.slice(1).every((group) => group.length === 3);
  const decimals = last.replace(/0+$/, '');
  const head = plain(whole.slice(0, -1).join(''));
  const decimal = decimals === '' ? head : `${head}.${decimals}`;
  return [
    ...(isThousands ? [plain(whole.join(''))] : []),
    ...(whole.length === 2 ? [decimal] : []),
    ...(whole.length > 2 || isThousands ? [groups.join('.')] : []),
  ];
}

function plain(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Digits of other scripts and wide forms as ASCII, place by place. */
function asciiOf(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e]|(?![0-9])\p{Nd}/gu, (character) => {
    const code = character.charCodeAt(0);
    if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
    if (character.length > 1) return character;
    // Digits stand in runs of ten.
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}
