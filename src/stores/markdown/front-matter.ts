/** A scalar that stands in front matter. */
export type Scalar = string | number | boolean | null;

/** A Markdown file: what its front matter says, and its text. */
export interface MarkdownDocument {
  readonly fields: Readonly<Record<string, Scalar>>;
  readonly content: string;
}

/** Words that YAML takes for a text, without quotes. */
const plainWord = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z]+$/i;

/** Lines of front matter, of which a summary has thirteen and a person's notes a few. */
const maxFrontMatterLines = 1000;

/** Characters that JSON leaves as they are and YAML reads as a line break or not at all. */
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Writes a Markdown file with YAML front matter; a blank line follows it and a line break the text. */
export function writeDocument({ fields, content }: MarkdownDocument): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${writeYaml(value)}`);
  return ['---', ...lines, '---', '', content, ''].join('\n');
}

function writeYaml(value: Scalar): string {
  if (typeof value === 'string' && plainWord.test(value)) return value;
  // JSON is YAML, apart from these.
  return JSON.stringify(value).replace(
    notInYaml,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Reads a Markdown file as {@link writeDocument} wrote it, or as a person may have changed it: flat
 * front matter of `name: value` lines with quoted or plain scalars, comments and any order. A file whose
 * first line ends with CRLF was converted as a whole, and is converted back.
 *
 * @throws {SyntaxError} naming the line that cannot be read.
 */
export function parseDocument(file: string): MarkdownDocument {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  const lineFeedOnly = /^---[ \t]*\r\n/.test(text) ? text.replaceAll('\r\n', '\n') : text;
  const { lines, rest } = splitFront(lineFeedOnly);
  const fields = new Map<string, Scalar>();
  for (const [index, line] of lines.entries()) {
    const entry = parseLine(line, index + 2);
    if (entry === undefined) continue;
    const [name, scalar] = entry;
    if (fields.has(name)) throw new SyntaxError(`${name} is given twice`);
    fields.set(name, scalar);
  }
  const content = rest.startsWith('\n') ? rest.slice(1) : rest;
  return {
    fields: Object.fromEntries(fields),
    content: content.endsWith('\n') ? content.slice(0, -1) : content,
  };
}

/** Takes the front matter off; what is behind it is not read. */
function splitFront(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const lines: string[] = [];
  for (let start = 0, number = 1; start <= text.length; number += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end);
    if (number === 1 && !isFence(line)) throw new SyntaxError('line 1: expected ---');
    if (number > 1 && isFence(line)) return { lines, rest: text.slice(end + 1) };
    if (number > maxFrontMatterLines)
      throw new SyntaxError(`the front matter has more than ${maxFrontMatterLines} lines`);
    if (number > 1) lines.push(line);
    start = end + 1;
  }
  throw new SyntaxError('the front matter has no end: expected a line ---');
}

function isFence(line: string): boolean {
  return /^---[ \t]*$/.test(line);
}

function parseLine(line: string, number: number): readonly [string, Scalar] | undefined {
  if (/^[ \t]*(?:#|$)/.test(line)) return undefined;
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trimEnd();
  const value = line.slice(colon + 1);
  const scalar = /^(?:[ \t]|$)/.test(value) ? parseScalar(value.trim()) : undefined;
  if (!/^[A-Za-z]\w*$/.test(name) || scalar === undefined) {
    throw new SyntaxError(
      `line ${number}: expected name: value, with a text, a number, true, false or null`,
    );
  }
  return [name, scalar];
}

function parseScalar(text: string): Scalar | undefined {
  const quote = text.startsWith('"') || text.startsWith("'");
  if (quote) return parseQuoted(text);
  const plain = (text.startsWith('#') ? '' : (text.split(/[ \t]#/, 1)[0] ?? '')).trimEnd();
  if (/^(?:~|null)?$/i.test(plain)) return null;
  if (/^(?:true|false)$/i.test(plain)) return plain.toLowerCase() === 'true';
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return Number(plain);
  // Lists, mappings, references, blocks: nothing that a summary's fields hold.
  return /^[[\]{}&*!|>%@`,]|^[-?] |: /.test(plain) ? undefined : plain;
}

function parseQuoted(text: string): string | undefined {
  const { double, single } =
    /^(?:(?<double>"(?:[^"\\]|\\.)*")|'(?<single>(?:[^']|'')*)')[ \t]*(?:[ \t]#.*)?$/.exec(text)
      ?.groups ?? {};
  if (single !== undefined) return single.replaceAll("''", "'");
  if (double === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(double);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
