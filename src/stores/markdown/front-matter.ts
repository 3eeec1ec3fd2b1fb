/** A scalar that stands in front matter. */
export type Scalar = string | number | boolean | null;

/** A Markdown file: what its front matter says, and its text. */
export interface MarkdownDocument<Value = unknown> {
  readonly fields: Readonly<Record<string, Value>>;
  readonly content: string;
}

/** Words that YAML takes for a text, without quotes. */
const plainWord = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z]+$/i;

/** Characters of front matter, of which a summary has some 400 and its conversation's id twice. */
const maxCharacters = 65_536;

/** Lists and mappings in each other: no field of a summary is one, and a person's notes are lists at most. */
const maxDepth = 4;

/** Characters that JSON leaves as they are and YAML reads as a line break or not at all. */
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Writes a Markdown file with YAML front matter; a blank line follows it and a line break the text.
 *
 * @throws {RangeError} when the fields are longer than what is read again.
 */
export function writeDocument({ fields, content }: MarkdownDocument<Scalar>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${writeYaml(value)}`);
  const front = ['---', ...lines, '---'].join('\n');
  if (front.length > maxCharacters) throw new RangeError(tooLong);
  return [front, '', content, ''].join('\n');
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
 * Reads a Markdown file as {@link writeDocument} wrote it, or as a person may have changed it. Its front matter is
 * YAML of at most 65,536 characters, its fences included, of plain data and without references: js-yaml reads it in
 * time linear in its length, up to its first fault. A file whose first line ends with CRLF was converted as a whole,
 * and is converted back.
 *
 * @throws {Error} saying what cannot be read, and in which line of the file.
 */
export async function parseDocument(file: string): Promise<MarkdownDocument> {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  const lineFeedOnly = /^---[ \t]*\r\n/.test(text) ? text.replaceAll('\r\n', '\n') : text;
  const { front, rest } = splitFront(lineFeedOnly);
  const content = rest.startsWith('\n') ? rest.slice(1) : rest;
  return {
    fields: await readYaml(front),
    content: content.endsWith('\n') ? content.slice(0, -1) : content,
  };
}

/** Takes the front matter off; what is behind it is not read. */
function splitFront(text: string): { readonly front: string; readonly rest: string } {
  const opening = /^---[ \t]*\n/.exec(text)?.[0];
  if (opening === undefined) throw new SyntaxError('line 1: expected ---');
  const lines = text.slice(opening.length - 1);
  const closing = /\n---[ \t]*(?:\n|$)/.exec(lines);
  if (closing === null) throw new SyntaxError('the front matter has no end: expected a line ---');
  if (opening.length + closing.index + '---'.length > maxCharacters) throw new RangeError(tooLong);
  // With the end of the opening line, so that lines are counted as those of the file.
  return {
    front: lines.slice(0, closing.index + 1),
    rest: lines.slice(closing.index + closing[0].length),
  };
}

/** Characters of a fault: it names the tag or reference that is one. */
const maxReasonCharacters = 200;

const tooLong = `the front matter is longer than ${maxCharacters} characters`;

async function readYaml(front: string): Promise<Readonly<Record<string, unknown>>> {
  // Only who reads summaries needs it.
  const { CORE_SCHEMA, loadAll, YAMLException } = await import('js-yaml');
  try {
    const [fields = {}, ...others] = loadAll(front, {
      schema: CORE_SCHEMA,
      maxAliases: 0,
      maxDepth,
    });
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields) && !others.length)
      return { ...fields };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Its message repeats what stands in the file.
    const reason = error.reason.slice(0, maxReasonCharacters);
    throw new SyntaxError(`line ${(error.mark?.line ?? 0) + 1}: ${reason}`);
  }
  throw new SyntaxError('the front matter is not lines of name: value');
}
