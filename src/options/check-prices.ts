import { checkObject, checkThat } from '../checks/check-object.ts';
import { numberThat } from '../checks/option-rule.ts';
import type { TokenPrices } from '../planning/trigger-options.ts';
import { isObject } from '../util/is-object.ts';

const price = numberThat('a number of at least 0', (value) => value >= 0 && value < Infinity);

const priceRules = {
  input: price,
  cacheRead: price,
  cacheWrite: price,
  output: price,
  cacheMinutes: price,
};

const allowed = `given with ${Object.keys(priceRules).join(', ')}, each a number, with cacheRead at most input, and input above 0 and at most cacheWrite and output`;

/** @throws {SummarizationOptionError} naming the price that is missing, negative or in no plausible order. */
export function checkPrices(prices: Readonly<Record<string, TokenPrices>>): void {
  for (const [name, given] of Object.entries(prices)) {
    const path = `prices.${name}`;
    checkThat(isObject(given), path, given, allowed);
    checkObject(given, priceRules, `${path}.`);
    const { input, cacheRead, cacheWrite, output, cacheMinutes } = given;
    const holds = {
      input: input > 0,
      cacheRead: cacheRead <= input,
      cacheWrite: cacheWrite >= input,
      output: output >= input,
      cacheMinutes: cacheMinutes >= 0,
    };
    for (const [field, isPlausible] of Object.entries(holds))
      checkThat(isPlausible, `${path}.${field}`, Reflect.get(given, field), allowed);
  }
}
