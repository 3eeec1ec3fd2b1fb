/** Digits with what separates them within a number, in any of the usual ways of writing. */
export const writtenNumber: RegExp = /\d+(?:[.,'’٫٬\u00a0\u202f\u2009]\d+)*/g;

const separators = /[.,'’٫٬\u00a0\u202f\u2009]/g;
const firstGroup = /^\d{1,3}$/;

/**
 * What a number may mean, in one spelling for all ways of writing it: `1,234` is 1234, as in English, and
 * 1.234, as in German; `1.234,50` is 1234.5 alone; `1.2.3` stays as it is.
 */
export function numberReadings(written: string): readonly string[] {
  const parts = written.split(separators);
  const marks = written.match(separators) ?? [];
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const [mark] = marks;
  if (mark === undefined) return [whole(first)];
  // Of three digits; in India of two, but for the last.
  const isGrouped =
    firstGroup.test(first) &&
    last.length === 3 &&
    parts.slice(1).every((part) => part.length === 3 || part.length === 2);
  if (marks.every((other) => other === mark)) {
    const grouped = isGrouped ? [whole(parts.join(''))] : [];
    if (marks.length > 1) return isGrouped ? grouped : [parts.join('.')];
    return isDecimalMark(mark) ? [...grouped, decimal(first, last)] : [...grouped, first, last];
  }
  return [decimal(parts.slice(0, -1).join(''), last)];
}

/** Words behind a number that multiply it, by their beginnings. */
const multipliers: readonly (readonly [pattern: RegExp, zeros: number])[] = [
  [/^\s?(?:k\b|thousand|tausend|mille?\b|mil\b|тыс)/iu, 3],
  [/^\s?(?:m\b|mio|milli?on|millón|miljoen|milhõ|milhão|mln|млн|миллион)/iu, 6],
  [/^\s?(?:bn\b|billion|mrd|milliard|miliard|bilh|млрд|миллиард)/iu, 9],
  [/^\s?[万萬만]/u, 4],
  [/^\s?[亿億억]/u, 8],
];

/** Readings of a number times what the text behind it says. */
export function multiplied(readings: readonly string[], behind: string): readonly string[] {
  const zeros = multipliers.find(([pattern]) => pattern.test(behind))?.[1];
  if (zeros === undefined) return [];
  return readings.map((reading) => {
    const [units = '', fraction = ''] = reading.split('.');
    const padded = fraction.padEnd(zeros, '0');
    return decimal(units + padded.slice(0, zeros), padded.slice(zeros));
  });
}

function isDecimalMark(mark: string): boolean {
  return mark === '.' || mark === ',' || mark === '٫';
}

function whole(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charAt(start) === '0') start += 1;
  return digits.slice(start);
}

function decimal(units: string, fraction: string): string {
  let end = fraction.length;
  while (end > 0 && fraction.charAt(end - 1) === '0') end -= 1;
  return end === 0 ? whole(units) : `${whole(units)}.${fraction.slice(0, end)}`;
}
