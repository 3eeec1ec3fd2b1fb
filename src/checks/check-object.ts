import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { anyObject, type OptionRule } from './option-rule.ts';

/** @throws {SummarizationOptionError} unless a condition holds. */
export function checkThat(
  holds: boolean,
  option: string,
  value: unknown,
  allowed: string,
): asserts holds {
  if (!holds) throw new SummarizationOptionError({ option, value, allowed });
}

/** @throws {SummarizationOptionError} unless a rule accepts a value. */
export function checkRule(rule: OptionRule, option: string, value: unknown): void {
  if (rule.accepts(value)) return;
  const hint = rule.hint?.(value);
  checkThat(false, option, value, hint === undefined ? rule.allowed : `${rule.allowed}; ${hint}`);
}

/** @throws {SummarizationOptionError} unless something is an object of named values. */
export function checkIsObject(value: unknown, option: string, allowed = 'an object'): void {
  checkThat(anyObject.accepts(value), option, value, allowed);
}

/** @throws {SummarizationOptionError} unless a function was given its one object, which is to hold `content`. */
export function checkInput(input: unknown, content: string): void {
  checkIsObject(input, 'input', `an object with ${content}`);
}

/**
 * Checks each option of an object by its rule; one without a rule is wrong.
 *
 * @param path - Put in front of the option's name.
 * @throws {SummarizationOptionError} naming the option, its value and what is allowed.
 */
export function checkObject(
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
  path: string,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const names = `one of these names: ${Object.keys(rules).join(', ')}`;
    checkRule(rule ?? { allowed: names, accepts: () => false }, `${path}${name}`, value);
  }
}

/**
 * Checks that arguments are strings.
 *
 * @param texts - The arguments by their names.
 * @param allowed - What they may be.
 * @throws {SummarizationOptionError} naming the first that is none, or that is empty where it must not be.
 */
export function checkTexts(
  texts: Readonly<Record<string, unknown>>,
  allowed: 'a string' | 'a string that is not empty' = 'a string',
): void {
  for (const [option, value] of Object.entries(texts)) {
    const isText = typeof value === 'string' && (value !== '' || allowed === 'a string');
    checkThat(isText, option, value, allowed);
  }
}
