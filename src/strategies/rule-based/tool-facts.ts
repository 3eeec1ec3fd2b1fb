import { answeredAtOnce } from '../../util/async/answered-at-once.ts';
import { cutAtWord } from '../texts.ts';
import type { ToolExtractor, ToolExtractors, ToolSummary, ToolUse } from '../tool-summary.ts';

/** How the calls of tools are told. */
export interface ToolTelling {
  readonly extractors: ToolExtractors;
  readonly preserveErrorDetails: boolean;
}

/** What the line of a tool call is written from; without types, an extractor may leave the rest out. */
export type ToolFacts = Pick<ToolSummary, 'toolName' | 'status' | 'keyFacts'> &
  Partial<ToolSummary>;

/** Arguments by which it is plain what a call is about, under the names that tools give them. */
const commandNames = ['command', 'cmd', 'script', 'commands'];
const patternNames = ['pattern', 'query', 'regex', 'search_term', 'glob'];
const pathNames =
  'path file_path filePath filename file_name file target_file targetFile absolute_path uri'.split(
    ' ',
  );
const folderNames = [...pathNames, 'directory', 'dir'];
const writtenNames = ['content', 'contents', 'file_text', 'text'];
const newNames = ['new_str', 'new_string', 'newString', 'newText', 'replace'];
const oldNames = ['old_str', 'old_string', 'oldString', 'oldText', 'search'];
const patchNames = ['patch', 'diff', 'input'];

const shownCommand = 120;
const shownValue = 60;
const mostFacts = 8;
const mostFields = 200;

/** Lines of an output that are looked at, and characters of one: longer ones are data. */
const mostLines = 20_000;
const lineCharacters = 300;

/**
 * Applies the caller's extractor for a tool, else reads what is plain from the call's arguments and its result; so it
 * does too where an extractor throws or gives no summary at once.
 */
export function toolFactsOf(use: ToolUse, extractors: ToolExtractors): ToolFacts {
  try {
    const facts = answeredAtOnce(ownExtractor(use, extractors)?.(use));
    if (isToolFacts(facts)) return facts;
  } catch {}
  return plainFacts(use);
}

function plainFacts(use: ToolUse): ToolFacts {
  const { input } = use;
  const command = fieldOf(input, commandNames);
  const pattern = fieldOf(input, patternNames);
  const path = fieldOf(input, pathNames);
  const written = fieldOf(input, writtenNames);
  const change = changeOf(input);
  if (path !== undefined && change !== undefined) {
    const { added, removed } = change;
    const metadata = { path, linesWritten: added, linesRemoved: removed };
    return told(use, [`File: ${path}`, `Change: +${added} -${removed} lines`], metadata);
  }
  if (path !== undefined && written !== undefined) {
    const lines = countLines(written);
    return told(use, [`File: ${path}`, `Lines written: ${lines}`], { path, linesWritten: lines });
  }
  if (command !== undefined) return commandFacts(use, command);
  if (pattern !== undefined) return searchFacts(use, pattern);
  if (path !== undefined && use.value === undefined) {
    const lines = countLines(use.output);
    const facts = told(use, [`File: ${path}`], { path }, [`Lines: ${lines}`]);
    const metadata = { ...facts.metadata, ...(isError(facts) ? {} : { linesRead: lines }) };
    return { ...facts, metadata };
  }
  return otherFacts(use);
}

/** A command: exit code, lines of output, what went wrong or the first line. */
function commandFacts(use: ToolUse, command: string): ToolFacts {
  const output = fieldOf(use.value, ['stdout', 'output', 'stderr']) ?? use.output;
  const exitCode = exitCodeOf(use);
  const outputLines = countLines(output);
  const asked = [
    `Command: ${cutAtWord(command, shownCommand)}`,
    ...(exitCode === undefined ? [] : [`Exit: ${exitCode}`]),
    `Output lines: ${outputLines}`,
  ];
  const failed = exitCode === undefined ? saysFailed(use) : exitCode !== 0 || use.isError;
  const first = firstLine(output);
  const found = first === '' ? [] : [`First: ${cutAtWord(first, shownValue)}`];
  const metadata = { command, exitCode, outputLines };
  return told({ ...use, output, isError: failed }, asked, metadata, found, failed);
}

const exitCodePattern = /exit(?:ed)?(?: with)?(?: code| status)?[:= ]+(-?\d{1,5})\b/i;

function exitCodeOf({ value, output }: ToolUse): number | undefined {
  const field = fieldOf(value, ['exitCode', 'exit_code', 'returncode', 'status']);
  const said =
    exitCodePattern.exec(output.slice(-lineCharacters)) ??
    exitCodePattern.exec(output.slice(0, 200));
  const code = Number(field ?? said?.[1] ?? Number.NaN);
  return Number.isInteger(code) ? code : undefined;
}

/** A search: where, and how many lines or entries it found. */
function searchFacts(use: ToolUse, pattern: string): ToolFacts {
  const where = fieldOf(use.input, folderNames);
  const list = [
    use.value,
    ...['matches', 'results', 'files', 'items'].map((name) => ownProperty(use.value, name)),
  ].find(Array.isArray);
  const isEmpty = /^\s*(?:no (?:matches|results|files)\b.*)?\s*$/i.test(use.output.slice(0, 200));
  const matchCount =
    list?.length ?? (isEmpty ? 0 : linesOf(use.output).filter((line) => line.trim() !== '').length);
  const asked = [`Pattern: ${pattern}`, ...(where === undefined ? [] : [`In: ${where}`])];
  const facts = told(use, asked, { pattern, matchCount }, [`Matches: ${matchCount}`]);
  return matchCount === 0 && !isError(facts) ? { ...facts, status: 'partial' } : facts;
}

/** Any other call: what it was asked, then the fields of a JSON result or the first line of a text. */
function otherFacts(use: ToolUse): ToolFacts {
  const { input, output, value } = use;
  const lines = countLines(output);
  const text = [
    cutAtWord(firstLine(output), 2 * shownValue),
    ...(lines > 1 ? [`Lines: ${lines}`] : []),
  ];
  const found = value === undefined ? text : scalarsOf(value);
  const facts = told(use, scalarsOf(input).slice(0, mostFacts / 2), {}, found);
  return { ...facts, keyFacts: [...new Set(facts.keyFacts)].filter(Boolean).slice(0, mostFacts) };
}

/** The short values of an object under their names, of a list its length and its first entries. */
function scalarsOf(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number')
    return [cutAtWord(String(value), shownValue)];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return [
      `Items: ${entries.length}`,
      ...entries
        .slice(0, 2)
        .filter((entry) => !Array.isArray(entry))
        .flatMap(scalarsOf),
    ];
  }
  return Object.keys(value)
    .slice(0, mostFields)
    .flatMap((key) => {
      const entry = ownProperty(value, key);
      if (Array.isArray(entry)) return [`${key}: ${entry.length} items`];
      const isScalar = ['string', 'number', 'boolean'].includes(typeof entry);
      return isScalar ? [`${key}: ${cutAtWord(String(entry), shownValue)}`] : [];
    });
}

/** Puts what was asked in front of what was found, or of what went wrong. */
function told(
  use: ToolUse,
  asked: readonly string[],
  metadata: Readonly<Record<string, unknown>>,
  found: readonly string[] = [],
  failed = saysFailed(use),
): ToolFacts {
  const { toolName } = use;
  const known = Object.entries({ ...metadata, hasError: failed }).filter(
    ([, value]) => value !== undefined,
  );
  const status = failed ? 'error' : saysPartial(use) && found.length > 0 ? 'partial' : 'success';
  const keyFacts = [...asked, ...(failed ? errorFacts(use) : found)];
  return { toolName, status, keyFacts, metadata: Object.fromEntries(known) };
}

function isError({ status }: ToolFacts): boolean {
  return status === 'error';
}

/** Whether a result says of itself that it failed, whatever its type says. */
function saysFailed({ isError: isReported, value, output }: ToolUse): boolean {
  if (isReported) return true;
  const error = ownProperty(value, 'error');
  if (error !== undefined && error !== null && error !== false && error !== '') return true;
  if (ownProperty(value, 'isError') === true || ownProperty(value, 'success') === false)
    return true;
  return /^\s*(?:error\b|traceback \()/i.test(output.slice(0, 200));
}

/** Whether a result says that it is not complete. */
function saysPartial({ output, value }: ToolUse): boolean {
  return (
    ownProperty(value, 'truncated') === true ||
    /truncated|omitted|timed out/i.test(output.slice(-400))
  );
}

/** What went wrong: the whole text, or its first line. */
function errorFacts({ value, output, preserveErrorDetails }: ToolUse): readonly string[] {
  const names = ['error', 'message', 'stderr', 'reason', 'detail'];
  const text = (
    fieldOf(value, names) ??
    fieldOf(ownProperty(value, 'error'), names) ??
    output
  ).trim();
  const said = preserveErrorDetails ? text : cutAtWord(firstLine(text), shownCommand);
  return said === '' ? [] : [`Error: ${said}`];
}

/** Lines that a call adds and removes: by what it replaces, or by a patch. */
function changeOf(
  input: unknown,
): { readonly added: number; readonly removed: number } | undefined {
  const edits = ownProperty(input, 'edits');
  const all: readonly unknown[] = Array.isArray(edits) ? edits : [input];
  const texts = (names: readonly string[]): readonly string[] =>
    all.flatMap((edit) => fieldOf(edit, names) ?? []);
  const [added, removed] = [texts(newNames), texts(oldNames)];
  if (added.length + removed.length > 0)
    return { added: linesIn(added), removed: linesIn(removed) };
  const patch = linesOf(fieldOf(input, patchNames) ?? '');
  const marked = (mark: string): number =>
    patch.filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3))).length;
  return marked('+') + marked('-') === 0 ? undefined : { added: marked('+'), removed: marked('-') };
}

/** The caller's extractor for a tool: by name, whatever its case, punctuation and version, or by a matcher. */
function ownExtractor(
  { toolName, input }: ToolUse,
  custom: ToolExtractors,
): ToolExtractor | undefined {
  const plain = plainName(toolName);
  if (!isMatchers(custom)) {
    if (Object.hasOwn(custom, toolName)) return custom[toolName];
    return Object.entries(custom).find(([name]) => plainName(name) === plain)?.[1];
  }
  return custom.find(({ tool }) => {
    if (typeof tool === 'string') return plainName(tool) === plain;
    if (typeof tool === 'function') return Boolean(answeredAtOnce(tool(toolName, input)));
    // Unlike `test`, whatever its flags are: it forgets where it was.
    return toolName.slice(0, nameCharacters).search(tool) >= 0;
  })?.extract;
}

function isMatchers(custom: ToolExtractors): custom is Extract<ToolExtractors, readonly unknown[]> {
  return Array.isArray(custom);
}

/** Characters of a name that are looked at. */
const nameCharacters = 200;

function plainName(toolName: string): string {
  return toolName
    .slice(0, nameCharacters)
    .toLowerCase()
    .replace(/_\d{6,8}$/, '')
    .replaceAll(/[^a-z0-9]/g, '');
}

function isToolFacts(value: unknown): value is ToolFacts {
  if (typeof value !== 'object' || value === null) return false;
  const { toolName, status, keyFacts }: Partial<Record<keyof ToolFacts, unknown>> = value;
  return (
    typeof toolName === 'string' &&
    ['success', 'error', 'partial'].includes(String(status)) &&
    Array.isArray(keyFacts) &&
    keyFacts.every((fact) => typeof fact === 'string')
  );
}

/** The first text or number among some fields of a value, as text. */
function fieldOf(value: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const field = ownProperty(value, name);
    if (typeof field === 'string' && field !== '') return field;
    if (typeof field === 'number') return String(field);
    if (Array.isArray(field) && field.length > 0 && field.every((item) => typeof item === 'string'))
      return field.join(' ');
  }
  return undefined;
}

function ownProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** The first lines of a text, each cut. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && lines.length < mostLines;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    lines.push(text.slice(start, Math.min(end, start + lineCharacters)));
    start = end + 1;
  }
  return lines;
}

function linesIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countLines(text), 0);
}

/** Lines of a text, counted without splitting it; a last empty line does not count. */
function countLines(text: string): number {
  let lines = text === '' ? 0 : 1;
  for (let position = 0; position < text.length - 1; position += 1)
    if (text.charCodeAt(position) === 10) lines += 1;
  return lines;
}

function firstLine(text: string): string {
  return (
    /\S.*/
      .exec(text.slice(0, 10 * lineCharacters))?.[0]
      .slice(0, lineCharacters)
      .trim() ?? ''
  );
}
