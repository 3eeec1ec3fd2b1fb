import { monthOf } from './month-names.ts';

/** A date or a time in a text. */
export interface FoundDate {
  readonly kind: 'date' | 'time';
  readonly start: number;
  readonly end: number;
  /** Any of these in a source bears it out. */
  readonly readings: readonly string[];
  /** What it bears out itself. */
  readonly means: readonly string[];
}

const yearFirst = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/y;
const yearFirstEast = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})/y;
const monthEast = /(\d{1,2})\s?[月월]\s?(\d{1,2})/y;
const yearLast = /(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d\d)(?!\d)/y;
const dayFirst =
  /(\d{1,2})(?:st|nd|rd|th|er|[.ºª])?\s{1,2}(?:(?:de|of|di)\s)?(\p{L}{3,12})\.?(?:,?\s(?:del?\s)?(\d{4})(?!\d))?/uy;
const monthBefore = /(\p{L}{3,12})\.?\s$/u;
const dayBehind = /(\d{1,2})(?:st|nd|rd|th)?(?:,?\s(\d{4})(?!\d))?(?![\d:.,]\d)/y;

/** Characters in front of a day in which its month stands. */
const reachBefore = 16;

/** Reads the date or time whose first digit stands at a place of a text. */
export function dateAt(text: string, start: number): FoundDate | undefined {
  const at = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = start;
    return pattern.exec(text) ?? undefined;
  };
  const full = at(yearFirst) ?? at(yearFirstEast);
  if (full !== undefined)
    return dateOf(full, start, [[full[1], Number(full.at(-2)), Number(full.at(-1))]]);
  const short = at(monthEast);
  if (short !== undefined)
    return dateOf(short, start, [[undefined, Number(short[1]), Number(short[2])]]);
  const slashed = at(yearLast);
  if (slashed !== undefined) {
    const [one, other] = [Number(slashed[1]), Number(slashed[3])];
    // Which one is the month depends on the country.
    return dateOf(slashed, start, [
      [slashed[4], other, one],
      [slashed[4], one, other],
    ]);
  }
  const dayThenMonth = at(dayFirst);
  const month = monthOf(dayThenMonth?.[2] ?? '');
  if (dayThenMonth !== undefined && month !== undefined)
    return dateOf(dayThenMonth, start, [[dayThenMonth[3], month, Number(dayThenMonth[1])]]);
  return behindMonth(text, start, at) ?? timeOf(at(clock) ?? at(hourAlone), start);
}

/** `March 14, 2027`, which begins in front of its first digit. */
function behindMonth(
  text: string,
  start: number,
  at: (pattern: RegExp) => RegExpExecArray | undefined,
): FoundDate | undefined {
  const before = monthBefore.exec(text.slice(Math.max(0, start - reachBefore), start));
  const month = monthOf(before?.[1] ?? '');
  const found = month === undefined ? undefined : at(dayBehind);
  if (before === null || month === undefined || found === undefined) return undefined;
  const date = dateOf(found, start, [[found[2], month, Number(found[1])]]);
  return date && { ...date, start: start - before[0].length };
}

function dateOf(
  found: RegExpExecArray,
  start: number,
  dates: readonly (readonly [year: string | undefined, month: number, day: number])[],
): FoundDate | undefined {
  const real = dates.filter(([, month, day]) => month > 0 && month < 13 && day > 0 && day < 32);
  if (real.length === 0) return undefined;
  return {
    kind: 'date',
    start,
    end: start + found[0].length,
    readings: real.flatMap(([year, month, day]) =>
      year === undefined
        ? [`month ${month}-${day}`]
        : [`date ${fullYear(year)}-${month}-${day}`, `yearless ${month}-${day}`],
    ),
    means: real.flatMap(([year, month, day]) => [
      `month ${month}-${day}`,
      `number ${day}`,
      ...(year === undefined
        ? [`yearless ${month}-${day}`]
        : [`date ${fullYear(year)}-${month}-${day}`, `number ${fullYear(year)}`]),
    ]),
  };
}

const clock = /(\d{1,2})(?:[:：]|\s?h\s?|\s?[点點时時]\s?)(\d\d)(?!\d)/iy;
const hourAlone = /(\d{1,2})()\s?(?:[ap]\.?m\b|uhr\b|heures?\b|часов|[点點时時])/iy;

/** Of twelve hours: what `2:30` stands for is often said elsewhere. */
function timeOf(found: RegExpExecArray | undefined, start: number): FoundDate | undefined {
  if (found === undefined) return undefined;
  const [hour, minute] = [Number(found[1]), Number(found[2])];
  if (hour > 24 || minute > 59) return undefined;
  const readings = [`time ${hour % 12}:${minute}`];
  const means = [...readings, `number ${hour}`, `number ${minute}`];
  return { kind: 'time', start, end: start + found[0].length, readings, means };
}

function fullYear(year: string): string {
  return year.length === 2 ? `20${year}` : year;
}
