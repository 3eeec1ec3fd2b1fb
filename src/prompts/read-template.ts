/** A template without its front matter, and what that says. */
export interface TemplateParts {
  readonly text: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  /** The types of content it is for; `undefined` for all. */
  readonly contentTypes?: readonly string[] | undefined;
}

const fence = /^---[ \t]*\r?\n/;
const field = /^([a-z_]+):[ \t]*(.*)$/;

/**
 * Takes the front matter off a template: lines of `key: value` between two of `---`, of which `version`,
 * `description` and `content_types`, a list in brackets, mean something. A text that begins with `---` but has
 * none of them there is a text.
 */
export function readTemplate(source: string): TemplateParts {
  const opening = fence.exec(source.slice(0, 200))?.[0];
  if (opening === undefined) return { text: source };
  const fields = new Map<string, string>();
  let start = opening.length;
  while (start < source.length) {
    const found = source.indexOf('\n', start);
    const end = found < 0 ? source.length : found;
    const line = source.slice(start, end).trimEnd();
    start = end + 1;
    if (line === '---') return partsOf(fields, source, start);
    const [, key, value] = field.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields.set(key, unquoted(value));
    else if (line !== '' && !line.startsWith('#')) break;
  }
  return { text: source };
}

function partsOf(
  fields: ReadonlyMap<string, string>,
  source: string,
  start: number,
): TemplateParts {
  const version = fields.get('version');
  const description = fields.get('description');
  const types = fields.get('content_types');
  if (version === undefined && description === undefined && types === undefined)
    return { text: source };
  return {
    text: source.slice(start).replace(/^(?:[ \t]*\r?\n)+/, ''),
    version: version === '' ? undefined : version?.slice(0, maxVersionCharacters),
    description,
    contentTypes: types
      ?.replaceAll(/[[\]]/g, '')
      .split(',')
      .map((type) => unquoted(type.trim()))
      .filter((type) => type !== ''),
  };
}

/** Characters of a version that are kept. */
const maxVersionCharacters = 40;

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, '$2');
}
