import { between, oneOf } from './random.ts';
import { spelled, type Value, type ValueMaker } from './value.ts';

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
