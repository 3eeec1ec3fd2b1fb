import type { ToolExtractor, ToolUse } from '../../tool-summary.ts';
import { errorFacts, saysFailed } from './error-text.ts';
import { fact, fieldOf, known, pathFields, propertyOf } from './fields.ts';
import { countLines, eachLine } from './text-lines.ts';

const patchedFile = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?|--- a\/)(\S{1,300})/;

/** A file that was created: path and size. */
export const createFileExtractor: ToolExtractor = (use) => {
  const path = fieldOf(use.input, pathFields);
  const text = fieldOf(use.input, [
    'content',
    'contents',
    'file_text',
    'fileText',
    'text',
    'data',
    'code',
  ]);
  const lines = text === undefined ? undefined : countLines(text);
  return {
    toolName: use.toolName,
    ...outcome(use, [...fact('File', path), ...fact('Lines written', lines)]),
    metadata: known({ path, lines, characters: text?.length }),
  };
};

/** A file that was changed: path and size of the change. */
export const editFileExtractor: ToolExtractor = (use) => {
  const { input } = use;
  const patch =
    fieldOf(input, ['patch', 'diff', 'patchText', 'input']) ??
    (typeof input === 'string' ? input : undefined);
  const files = patchedFiles(patch ?? '');
  const path = fieldOf(input, pathFields) ?? (files.length > 0 ? files.join(', ') : undefined);
  const { added, removed } = patch === undefined ? replacedLines(input) : patchedLines(patch);
  const isKnown = added + removed > 0;
  return {
    toolName: use.toolName,
    ...outcome(use, [
      ...fact('File', path),
      ...(isKnown ? [`Change: +${added} -${removed} lines`] : []),
    ]),
    metadata: known({ path, files: files.length > 0 ? files : undefined, added, removed }),
  };
};

function outcome(
  use: ToolUse,
  facts: readonly string[],
): { readonly status: 'success' | 'error'; readonly keyFacts: readonly string[] } {
  return saysFailed(use)
    ? { status: 'error', keyFacts: [...facts, ...errorFacts(use)] }
    : { status: 'success', keyFacts: facts };
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

function patchedLines(patch: string): { readonly added: number; readonly removed: number } {
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
  const edits = propertyOf(input, 'edits');
  let added = 0;
  let removed = 0;
  const replacements: readonly unknown[] = Array.isArray(edits) ? edits : [input];
  for (const edit of replacements) {
    added += countLines(
      fieldOf(edit, [
        'new_str',
        'new_string',
        'newString',
        'newText',
        'replace',
        'insert_line_text',
        'content',
      ]) ?? '',
    );
    removed += countLines(
      fieldOf(edit, ['old_str', 'old_string', 'oldString', 'oldText', 'search']) ?? '',
    );
  }
  return { added, removed };
}
