import { between, oneOf } from './random.ts';
import type { Language, Value, ValueMaker } from './value.ts';

function written(
  value: number,
  language: Language,
  options: Intl.NumberFormatOptions = {},
): string {
  return new Intl.NumberFormat(language, options).format(value);
}

/** The same number with another digit in front: what it is a number of stays plausible. */
function otherNumber(value: number): number {
  const scale = 10 ** Math.floor(Math.log10(value));
  const first = Math.floor(value / scale);
  return value + (first < 9 ? 1 : -1) * scale;
}

function numeric(
  value: number,
  write: (value: number, language: Language) => string,
  reformat: (value: number, language: Language) => string,
): Value {
  return {
    write: (language) => write(value, language),
    reformat: (language) => reformat(value, language),
    miscopied: () => numeric(otherNumber(value), write, reformat),
  };
}

const countWords: Readonly<Record<Language, readonly string[]>> = {
  en: ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  de: ['zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'],
  es: ['dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'],
  fr: ['deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf'],
  ru: ['два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять'],
  zh: ['两', '三', '四', '五', '六', '七', '八', '九'],
};

export const count: ValueMaker = (random) =>
  numeric(
    between(random, 2, 9),
    String,
    (value, language) => countWords[language][value - 2] ?? String(value),
  );

export const amount: ValueMaker = (random) =>
  numeric(
    between(random, 1100, 980_000),
    (value, language) => written(value, language),
    (value) => String(value),
  );

/** An amount of dollars. */
export function dollars(sum: number): Value {
  return numeric(
    sum,
    (value, language) => written(value, language, { style: 'currency', currency: 'USD' }),
    (value) => `${value.toFixed(2)} USD`,
  );
}

export const money: ValueMaker = (random) => dollars(between(random, 120, 9000) + 0.5);

const percentWords: Readonly<Record<Language, string>> = {
  en: ' percent',
  de: ' Prozent',
  es: ' por ciento',
  fr: ' pour cent',
  ru: ' процента',
  zh: '个百分点',
};

export const percent: ValueMaker = (random) =>
  numeric(
    between(random, 110, 890) / 10,
    (value, language) => `${written(value, language)}%`,
    (value, language) => `${written(value, language)}${percentWords[language]}`,
  );

const secondWords: Readonly<Record<Language, string>> = {
  en: 'seconds',
  de: 'Sekunden',
  es: 'segundos',
  fr: 'secondes',
  ru: 'секунд',
  zh: '秒',
};

export const seconds: ValueMaker = (random) =>
  numeric(
    between(random, 13, 880),
    (value, language) => `${value} ${secondWords[language]}`,
    (value) => `${value}s`,
  );

export const gigabytes: ValueMaker = (random) =>
  numeric(
    between(random, 11, 99) + 0.5,
    (value, language) => `${written(value, language)} ${language === 'fr' ? 'Go' : 'GB'}`,
    (value) => `${value}GB`,
  );

/** A date, and the number of the form that it is reformatted to. */
export function dateOf(date: Date, form: number): Value {
  const iso = date.toISOString().slice(0, 10);
  const [year = '', month = '', day = ''] = iso.split('-');
  const forms = [
    iso,
    `${day}.${month}.${year}`,
    `${month}/${day}/${year}`,
    `${day}/${month}/${year}`,
  ];
  return {
    write: (language) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date),
    reformat: () => forms[form] ?? iso,
    miscopied: () => dateOf(new Date(date.getTime() + 3 * 86_400_000), form),
  };
}

export const day: ValueMaker = (random) =>
  dateOf(
    new Date(Date.UTC(2027, between(random, 0, 12), between(random, 1, 28))),
    between(random, 0, 4),
  );

function timeOf(hour: number, minute: string): Value {
  const plain = `${hour}:${minute}`;
  const half = `${hour - 12}:${minute} PM`;
  return {
    write: (language) => (language === 'en' ? half : plain),
    reformat: (language) => (language === 'en' ? plain : half),
    miscopied: () => timeOf(hour === 20 ? 14 : hour + 1, minute),
  };
}

export const time: ValueMaker = (random) =>
  timeOf(between(random, 13, 20), oneOf(random, ['05', '15', '30', '40']));
