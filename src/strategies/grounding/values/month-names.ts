/** Languages whose names of months are known; in most others numbers stand for months. */
const languages = 'en de fr es pt it nl pl ru uk cs sv da nb fi tr ro hu el id ar he hi'.split(' ');

/** Languages whose short names mean nothing else: `out` is October in Portuguese. */
const shortened: ReadonlySet<string> = new Set(['en', 'de', 'fr']);

let names: ReadonlyMap<string, number> | undefined;

/** The month, from 1 on, that a word names; whole, or short as `sept`. */
export function monthOf(word: string): number | undefined {
  names ??= allNames();
  // `5 may fail`
  return word === 'may' ? undefined : names.get(word.toLowerCase());
}

/** Asks the platform for them, which knows more languages than a table here would. */
function allNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>([['sept', 9]]);
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      if (month === 'short' && !shortened.has(language)) continue;
      // With a day beside it, a name takes the form that it has in dates.
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
        day: 'numeric',
        month,
        timeZone: 'UTC',
      });
      for (let number = 1; number <= 12; number += 1) {
        const parts = format.formatToParts(Date.UTC(2027, number - 1, 3));
        const name = parts.find(({ type }) => type === 'month')?.value.toLowerCase() ?? '';
        const word = /^\p{L}{3,12}/u.exec(name)?.[0];
        if (word !== undefined) found.set(word, found.get(word) ?? number);
      }
    }
  }
  return found;
}
