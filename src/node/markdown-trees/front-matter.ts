/** A scalar that stands in front matter. */
export type Scalar = string | number | boolean | null;

/** A Markdown file: what its front matter says, and its text. */
export interface MarkdownDocument {
  readonly fields: Readonly<Record<string, Scalar>>;
  readonly content: string;
}

/** Words that YAML takes for a text, without quotes. */
const plainWord = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z]+$/i;

/** Characters that JSON leaves as they are and YAML reads as a line break or not at all. */
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Writes a Markdown file with YAML front matter; a blank line follows it and a line break the text. */
export function writeDocument({ fields, content }: MarkdownDocument): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${writeScalar(value)}`);
  return ['---', ...lines, '---', '', content, ''].join('\n');
}

function writeScalar(value: Scalar): string {
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
  const lines = lineFeedOnly.split('\n');
  if (!isFence(lines[0])) throw new SyntaxError('line 1: expected ---');
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (end === -1) throw new SyntaxError('the front matter has no end: expected a line ---');
  const entries = lines.slice(1, end).flatMap((line, index) => parseLine(line, index + 2));
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new SyntaxError(`${twice} is given twice`);
  const rest = lines.slice(end + 1);
  if (rest[0] === '') rest.shift();
  if (rest.at(-1) === '') rest.pop();
  return { fields: Object.fromEntries(entries), content: rest.join('\n') };
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*$/.test(line);
}

function parseLine(line: string, number: number): readonly [string, Scalar][] {
  if (/^[ \t]*(?:#.*)?$/.test(line)) return [];
  const { name, value } =
    /^(?<name>[A-Za-z]\w*)[ \t]*:(?:[ \t]+(?<value>.*))?$/.exec(line)?.groups ?? {};
  const scalar = name === undefined ? undefined : parseScalar((value ?? '').trim());
  if (name === undefined || scalar === undefined) {
    throw new SyntaxError(
      `line ${number}: expected name: value, with a text, a number, true, false or null`,
    );
  }
  return [[name, scalar]];
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
