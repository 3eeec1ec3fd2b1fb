import { checkThat } from '../checks/check-object.ts';
import { variablesOf, type TemplateVariable } from './fill-template.ts';
import { readTemplate } from './read-template.ts';

/** Where a template stands and what it may hold. */
export interface TemplateRule {
  /** Path of the option, such as `prompts.toolResults`. */
  readonly option: string;
  /** Variables that stand in it exactly once. */
  readonly required: readonly TemplateVariable[];
  /** Variables that may stand in it beside those. */
  readonly optional: readonly TemplateVariable[];
  /** Told about variables that are neither, which stay as they are. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Refuses a template in which a required variable does not stand exactly once: twice, the same text
 * would be paid for twice. Variables nobody knows are left to stand, with one warning for the template.
 *
 * @throws SummarizationOptionError naming the option.
 */
export function checkTemplate(template: string, rule: TemplateRule): void {
  const { option, required, optional, onWarning } = rule;
  const names = required.map(braced).join(' and ');
  const allowed = `'default' or a string with ${names} exactly once`;
  checkThat(holdsRequired(template, required), option, template, allowed);
  const known: readonly string[] = [...required, ...optional];
  const { text } = readTemplate(template);
  const unknown = new Set(variablesOf(text).filter((name) => !known.includes(name)));
  if (unknown.size === 0) return;
  onWarning?.(
    `The template ${option} holds variables that mean nothing there and stay as they are: ${Array.from(unknown, braced).join(', ')}. Known are ${known.map(braced).join(', ')}; write {{ and }} for braces.`,
  );
}

/** Whether each required variable stands in a template exactly once; its front matter does not count. */
export function holdsRequired(template: string, required: readonly TemplateVariable[]): boolean {
  const found = variablesOf(readTemplate(template).text);
  return required.every((name) => found.filter((other) => other === name).length === 1);
}

function braced(name: string): string {
  return `{${name}}`;
}
