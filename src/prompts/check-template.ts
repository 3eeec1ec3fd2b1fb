import { variablesOf, type TemplateVariable } from './fill-template.ts';
import { readTemplate } from './read-template.ts';

/** Whether each required variable stands in a template exactly once; its front matter does not count. */
export function holdsRequired(template: string, required: readonly TemplateVariable[]): boolean {
  const found = variablesOf(readTemplate(template).text);
  return required.every((name) => found.filter((other) => other === name).length === 1);
}

/** The variables of a template that are none of those known, in braces. */
export function unknownVariables(template: string, known: readonly string[]): readonly string[] {
  const unknown = variablesOf(readTemplate(template).text).filter((name) => !known.includes(name));
  return Array.from(new Set(unknown), (name) => `{${name}}`);
}
