import { SummarizationOptionError } from '../errors/summarization-option-error.ts';

/** Names a template may hold between braces. */
export type TemplateVariable = 'content' | 'prior_summary' | 'max_chars';

const placeholder = /\{([a-z_]+)\}/g;
const variables: readonly string[] = ['content', 'prior_summary', 'max_chars'];

/**
 * Puts values in the place of a template's `{name}` placeholders, in one pass: inserted text is never
 * expanded again, `$&` means nothing, and a name without a value stays as it is.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholder, (match, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? match) : match,
  );
}

/**
 * Refuses a template in which a required placeholder does not stand exactly once, or an unknown one
 * stands at all.
 *
 * @throws SummarizationOptionError naming the option.
 */
export function checkTemplate(
  option: string,
  template: string,
  required: readonly TemplateVariable[],
): void {
  const found = Array.from(template.matchAll(placeholder), (match) => match[1] ?? '');
  const fits =
    found.every((name) => variables.includes(name)) &&
    required.every((name) => found.filter((other) => other === name).length === 1);
  if (fits) return;
  const names = required.map((name) => `{${name}}`).join(' and ');
  throw new SummarizationOptionError({
    option,
    value: template,
    allowed: `a text with ${names} exactly once and no placeholder but ${variables.map((name) => `{${name}}`).join(', ')}`,
  });
}
