import { SummarizationOptionError } from './summarization-option-error.ts';
import type { OptionRule } from '../options/option-rules.ts';

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
    if (rule === undefined)
      throw new SummarizationOptionError({
        option: `${path}${name}`,
        value,
        allowed: `one of these names: ${Object.keys(rules).join(', ')}`,
      });
    if (!rule.accepts(value))
      throw new SummarizationOptionError({
        option: `${path}${name}`,
        value,
        allowed: rule.allowed,
      });
  }
}
