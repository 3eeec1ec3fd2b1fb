import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { fieldOf, patchFields, pathFields } from '../extractors/fields.ts';
import { toolKindOf } from '../extractors/find-extractor.ts';
import { patchedFiles } from '../extractors/write-facts.ts';
import type { PlacedToolUse } from './tool-uses.ts';

/** Characters of a command that are looked at for the files it writes. */
const maxReadCommand = 4000;

/** Longer names are no names of files. */
const maxPathCharacters = 1024;

/** Files that are told of: no summary has room for so many. */
const maxFiles = 500;

/** A file, and the call that touched it last. */
export interface TouchedFile {
  readonly file: string;
  /** Index of the message of the call. */
  readonly index: number;
}

/**
 * The files that calls create or change, the last touched first. At most 500. A call that was denied, or failed, changes
 * none; but a command may have done so before it failed.
 */
export async function touchedFiles(
  uses: readonly PlacedToolUse[],
  slices: TimeSlices,
): Promise<readonly TouchedFile[]> {
  const files = new Map<string, number>();
  let open: string | undefined;
  const add = (file: string | undefined, index: number): void => {
    if (file === undefined || file === '/dev/null' || file.length > maxPathCharacters) return;
    files.delete(file);
    files.set(file, index);
  };
  for (const { use, isDenied, callIndex } of uses) {
    await slices.pause();
    if (isDenied) continue;
    const kind = toolKindOf(use.toolName, use.input);
    if (kind === 'create' || kind === 'edit') {
      if (use.isError) continue;
      const patch = fieldOf(use.input, patchFields) ?? '';
      add(fieldOf(use.input, pathFields), callIndex);
      for (const file of patchedFiles(patch)) add(file, callIndex);
    } else if (kind === 'shell') {
      const command = fieldOf(use.input, ['command', 'cmd', 'script']) ?? '';
      const written = filesWrittenBy(command.slice(0, maxReadCommand), open);
      open = written.open;
      for (const file of written.files) add(file, callIndex);
    }
  }
  return Array.from(files, ([file, index]) => ({ file, index }))
    .slice(-maxFiles)
    .toReversed();
}

/** Commands that open a file for the line editor some agents have in their shell, or change one. */
const opening: ReadonlySet<string> = new Set(['open', 'create']);
const changing: ReadonlySet<string> = new Set(['create', 'touch', 'tee']);

/** Reads redirections, `sed -i` and editor commands; nothing like a whole shell. */
function filesWrittenBy(
  command: string,
  openBefore: string | undefined,
): { readonly files: readonly string[]; readonly open: string | undefined } {
  const files: string[] = [];
  let open = openBefore;
  // What stands in a here-document is text, not commands.
  const hereDocument = command.indexOf('<<');
  const lineEnd = hereDocument < 0 ? -1 : command.indexOf('\n', hereDocument);
  const shown = lineEnd < 0 ? command : command.slice(0, lineEnd);
  for (const part of shown.split(/\n|&&|[;|]/)) {
    const words = part.trim().split(/\s+/).map(withoutQuotes);
    const [verb = ''] = words;
    const file = words.slice(1).findLast((word) => isFile(word));
    if (opening.has(verb)) open = file ?? open;
    if (changing.has(verb) && file !== undefined) files.push(file);
    if (verb === 'edit' && open !== undefined) files.push(open);
    if (verb === 'sed' && words.some((word) => word.startsWith('-i')) && file !== undefined)
      files.push(file);
    for (const [position, word] of words.entries()) {
      if (!word.startsWith('>')) continue;
      const target = word.replace(/^>+/, '') || words[position + 1];
      if (target !== undefined && isFile(target)) files.push(target);
    }
  }
  return { files, open };
}

function withoutQuotes(word: string): string {
  return word.replaceAll(/["']/g, '');
}

function isFile(word: string): boolean {
  return word.length <= 200 && /^[\w~./@+-]*\.\w+$/.test(word);
}
