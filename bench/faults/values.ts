/** A language that conversations and records are written in. */
export type Language = 'en' | 'de' | 'es' | 'fr' | 'ru' | 'zh';

/** A number, a date, a name: what a record has to repeat rightly, in whatever form. */
export interface Value {
  /** In the usual form of a language. */
  readonly write: (language: Language) => string;
  /** In another form that means the same. */
  readonly reformat: (language: Language) => string;
  /** What a careless reader makes of it. */
  readonly miscopied: () => Value;
}

/** Makes a value by chance. */
export type ValueMaker = (random: () => number) => Value;

/** A whole number from `least` on, below `most`. */
export function between(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least));
}

/** One of some items. */
export function oneOf<Item>(random: () => number, items: readonly [Item, ...Item[]]): Item {
  return items[between(random, 0, items.length)] ?? items[0];
}

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

/** What is spelled alike in all languages. */
export function spelled(text: string, reformatted: string, miscopied: () => Value): Value {
  return { write: () => text, reformat: () => reformatted, miscopied };
}

/** An identifier such as `OPS-4711`. */
export const ticket: ValueMaker = (random) => {
  const number = between(random, 1000, 9000);
  const prefix = oneOf(random, ['OPS', 'INV', 'CRM', 'PX']);
  const make = (digits: number): Value =>
    spelled(`${prefix}-${digits}`, `\`${prefix.toLowerCase()}-${digits}\``, () =>
      make(digits + 27),
    );
  return make(number);
};

const verbs = ['load', 'merge', 'price', 'split', 'parse', 'render', 'retry', 'close'] as const;
const nouns = [
  'Basket',
  'Invoice',
  'Ledger',
  'Session',
  'Quota',
  'Parcel',
  'Voucher',
  'Tenant',
] as const;

/** The name of a function. */
export const code: ValueMaker = (random) => {
  const number = between(random, 2, 60);
  const make = (verb: string, noun: string): Value =>
    spelled(`${verb}${noun}V${number}()`, `\`${verb}${noun}V${number}\``, () =>
      make(verb, noun === 'Basket' ? 'Parcel' : 'Basket'),
    );
  return make(oneOf(random, verbs), oneOf(random, nouns));
};

/** The path of a file. */
export const path: ValueMaker = (random) => {
  const folder = oneOf(random, ['billing', 'orders', 'auth', 'search', 'mail']);
  const number = between(random, 10, 999);
  const make = (noun: string): Value => {
    const file = `src/${folder}/${noun}-${number}.ts`;
    return spelled(file, `./${file}`, () => make(noun === 'basket' ? 'parcel' : 'basket'));
  };
  return make(oneOf(random, nouns).toLowerCase());
};

const firstNames = [
  'Priya',
  'Tomasz',
  'Ingrid',
  'Mateo',
  'Aylin',
  'Declan',
  'Noor',
  'Wanjiru',
] as const;
const lastNames = [
  'Raman',
  'Kowalczyk',
  'Solberg',
  'Herrera',
  'Demir',
  'Byrne',
  'Haddad',
  'Otieno',
] as const;
const products = [
  'Kestrel',
  'Marlin',
  'Ostrich',
  'Lynx',
  'Tapir',
  'Gecko',
  'Heron',
  'Bison',
] as const;

function nameFrom(
  names: readonly [string, ...string[]],
  suffix: string,
  random: () => number,
): Value {
  const make = (position: number): Value => {
    const text = `${names[position % names.length] ?? ''}${suffix}`;
    return spelled(text, text, () => make(position + 1));
  };
  return make(between(random, 0, names.length));
}

/** The name of a person. */
export const person: ValueMaker = (random) =>
  nameFrom(firstNames, ` ${oneOf(random, lastNames)}`, random);

/** The name of a product. */
export const product: ValueMaker = (random) =>
  nameFrom(products, oneOf(random, ['DB', 'MQ', 'Cloud', 'Pay']), random);
