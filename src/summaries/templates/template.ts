/** Names a template may hold between braces. */
export type TemplateVariable =
  | 'content'
  | 'context'
  | 'max_chars'
  | 'max_words'
  | 'max_items'
  | 'prior_summary'
  | 'chunk_index'
  | 'total_chunks'
  | 'summaries';

/** Pattern read from the left: a doubled brace wins over a variable, so `{{content}}` is a literal. */
const variablePattern = /\{\{|\}\}|\{([a-z_][a-z0-9_]*)\}/gi;

/**
 * Replaces a template's `{name}` variables with values, in one pass: inserted text is never expanded again, `$&` means
 * nothing, and a name without a value stays as it is. `{{` and `}}` become single braces.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Partial<Record<TemplateVariable, string>>>,
): string {
  const known = new Map<string, string>(Object.entries(values));
  return template.replace(variablePattern, (match, name: string | undefined) =>
    name === undefined ? match.charAt(0) : (known.get(name) ?? match),
  );
}

/** Returns the names of a template's variables in order, as often as they occur. */
export function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(variablePattern)].flatMap(([, name]) => name ?? []);
}

/** Whether a template holds each of some variables exactly once: a second one would be paid for twice. */
export function holdsOnce(template: string, required: readonly TemplateVariable[]): boolean {
  const found = variablesOf(template);
  return required.every((name) => found.filter((other) => other === name).length === 1);
}
