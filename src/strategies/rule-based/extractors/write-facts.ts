import type { ToolUse } from '../../tool-summary.ts';
import { fieldOf, ownProperty, patchFields, pathFields } from './fields.ts';
import { countLines, eachLine } from './text-lines.ts';
import { fact, toolFacts, type Findings, type ToolFacts } from './tool-facts.ts';

const patchedFile = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?|--- a\/)(\S{1,300})/;

/** Names under which tools take the text of a new file, that of a change, and what it replaces. */
const textFields = ['content', 'contents', 'file_text', 'fileText', 'text', 'data', 'code'];
const newFields = [
  'new_str',
  'new_string',
  'newString',
  'newText',
  'replace',
  'insert_line_text',
  'content',
];
const oldFields = ['old_str', 'old_string', 'oldString', 'oldText', 'search'];

/** A file that was created: path and size. */
export function createFacts(use: ToolUse): ToolFacts {
  const text = fieldOf(use.input, textFields);
  const lines = text === undefined ? undefined : countLines(text);
  const path = fieldOf(use.input, pathFields);
  const asked = [...fact('File', path), ...fact('Lines written', lines)];
  return writeFacts(use, asked, { path, linesWritten: lines });
}

/** A file that was changed: path and size of the change. */
export function editFacts(use: ToolUse): ToolFacts {
  const input = ownProperty(use.input, 'operation') ?? use.input;
  const patch = fieldOf(input, patchFields) ?? (typeof input === 'string' ? input : undefined);
  const path = fieldOf(input, pathFields) ?? patchedFiles(patch ?? '').join(', ');
  const { added, removed } = patch === undefined ? replacedLines(input) : patchedLines(patch);
  const isKnown = added + removed > 0;
  const change = isKnown ? [`Change: +${added} -${removed} lines`] : [];
  const written = isKnown ? { linesWritten: added, linesRemoved: removed } : {};
  return writeFacts(use, [...fact('File', path), ...change], { path, ...written });
}

/** What a tool prints of a file may be cut; what it wrote is whole. */
function writeFacts(
  use: ToolUse,
  asked: readonly string[],
  metadata: NonNullable<Findings['metadata']>,
): ToolFacts {
  const facts = toolFacts(use, { asked, metadata });
  return facts.status === 'partial' ? { ...facts, status: 'success' } : facts;
}

/** The files that a patch names. */
export function patchedFiles(patch: string): readonly string[] {
  const files = new Set<string>();
  eachLine(patch, (line) => {
    const file = patchedFile.exec(line)?.[1];
    if (file !== undefined && file !== '/dev/null') files.add(file);
    return true;
  });
  return [...files];
}

/** Lines that a patch adds and removes. */
export function patchedLines(patch: string): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  eachLine(patch, (line) => {
    if (line.startsWith('+') && !line.startsWith('+++')) added += 1;
    if (line.startsWith('-') && !line.startsWith('---')) removed += 1;
    return true;
  });
  return { added, removed };
}

function replacedLines(input: unknown): { readonly added: number; readonly removed: number } {
  const edits = ownProperty(input, 'edits');
  const replacements: readonly unknown[] = Array.isArray(edits) ? edits : [input];
  const linesIn = (names: readonly string[]): number =>
    replacements.reduce<number>((sum, edit) => sum + countLines(fieldOf(edit, names) ?? ''), 0);
  return { added: linesIn(newFields), removed: linesIn(oldFields) };
}
