/** Names a template may hold between braces. */
export type TemplateVariable =
  | 'content'
  | 'context'
  | 'max_chars'
  | 'prior_summary'
  | 'chunk_index'
  | 'total_chunks'
  | 'summaries';

/** Read from the left: a doubled brace wins over a variable, so `{{content}}` is a literal. */
const variablePattern = /\{\{|\}\}|\{([a-z_][a-z0-9_]*)\}/gi;

/**
 * Puts values in the place of a template's `{name}` variables, in one pass: inserted text is never
 * expanded again, `$&` means nothing, and a name without a value stays as it is. `{{` and `}}` become
 * single braces.
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

/** The names of a template's variables in their order, as often as they stand in it; its front matter does not count. */
export function variablesOf(template: string): readonly string[] {
  const { text } = readTemplate(template);
  return [...text.matchAll(variablePattern)].flatMap(([, name]) => name ?? []);
}

/** Whether each of some variables stands in a template exactly once: twice, the same would be paid for twice. */
export function holdsOnce(template: string, required: readonly TemplateVariable[]): boolean {
  const found = variablesOf(template);
  return required.every((name) => found.filter((other) => other === name).length === 1);
}

/** A template without its front matter, and what that says. */
export interface TemplateParts {
  readonly text: string;
  readonly version?: string | undefined;
}

const opening = /^---[ \t]*\r?\n/;
const closing = /\n---[ \t]*\r?(?:\n|$)/;
const field = /^([a-z_]{1,40}):(.*)$/;

/** Characters of a version that are kept. */
const maxVersionCharacters = 40;

/**
 * Takes the front matter off a template: lines of `key: value` between two of `---`, of which `version` means
 * something. A text that begins with `---` but has neither that nor `description` or `content_types` there is a text.
 */
export function readTemplate(source: string): TemplateParts {
  const end = opening.test(source) ? closing.exec(source) : null;
  if (end === null) return { text: source };
  const lines = source.slice(0, end.index).split('\n').slice(1);
  const fields = new Map<string, string>();
  for (const line of lines.map((each) => each.trimEnd())) {
    const [, key, value = ''] = field.exec(line) ?? [];
    if (key !== undefined) fields.set(key, value.trim().replace(/^(["'])(.*)\1$/, '$2'));
    else if (line !== '' && !line.startsWith('#')) return { text: source };
  }
  if (!['version', 'description', 'content_types'].some((name) => fields.has(name)))
    return { text: source };
  return {
    text: source.slice(end.index + end[0].length).replace(/^(?:[ \t]*\r?\n)+/, ''),
    version: fields.get('version')?.slice(0, maxVersionCharacters) || undefined,
  };
}
