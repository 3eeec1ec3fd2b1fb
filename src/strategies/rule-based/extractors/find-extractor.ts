import type { ToolExtractor, ToolUse } from '../../tool-summary.ts';
import { defaultExtractor } from './default-extractor.ts';
import { fieldOf } from './fields.ts';
import { readFileExtractor } from './read-file.ts';
import { searchExtractor } from './search.ts';
import { shellExtractor } from './shell.ts';
import { createFileExtractor, editFileExtractor } from './write-file.ts';

/** What a tool does to the world, as far as its name tells. */
export type ToolKind = 'read' | 'shell' | 'search' | 'create' | 'edit' | 'other';

const names: Readonly<Record<Exclude<ToolKind, 'other'>, string>> = {
  read:
    'read readfile readtextfile readfiles readmanyfiles viewfile view cat openfile open getfile ' +
    'getfilecontents getfilecontent loadfile fsread fileread readnotebook',
  shell:
    'bash executebash shell runshell runcommand executecommand runinterminal runterminalcmd ' +
    'runterminalcommand terminal exec execcommand runshellcommand executeshell localshell cmd ' +
    'powershell runbash container.exec shellcommand executecode runpython python ipython runcode',
  search:
    'grep search searchfiles searchfile searchcode searchdir ripgrep rg glob find findfile findfiles ' +
    'filesearch codebasesearch grepsearch globsearch searchtext searchfilecontent codesearch ls list ' +
    'listfiles listdir listdirectory',
  create:
    'create createfile write writefile writetofile newfile savefile addfile createnewfile fswrite ' +
    'filewrite writetextfile writenotebook',
  edit:
    'edit editfile multiedit strreplace strreplaceeditor strreplacebasededittool strreplaceinfile ' +
    'applypatch applydiff patch patchfile replaceinfile searchreplace searchandreplace insert ' +
    'insertcode inserteditintofile replace replacelines updatefile modifyfile texteditor edittool ' +
    'notebookedit fileedit editnotebook',
};

const kinds: ReadonlyMap<string, ToolKind> = new Map(
  toolKinds().flatMap((kind) =>
    names[kind].split(' ').map((name): [string, ToolKind] => [name, kind]),
  ),
);

const extractors: Readonly<Record<ToolKind, ToolExtractor>> = {
  read: readFileExtractor,
  shell: shellExtractor,
  search: searchExtractor,
  create: createFileExtractor,
  edit: editFileExtractor,
  other: defaultExtractor,
};

function toolKinds(): readonly Exclude<ToolKind, 'other'>[] {
  return ['read', 'shell', 'search', 'create', 'edit'];
}

/**
 * Tells what kind of tool a call is for, by its name without prefix, case, punctuation and version:
 * `mcp__fs__read_file`, `functions.Read`, `text_editor_20250429`. An editor that does several things is
 * judged by the command it is given.
 */
export function toolKindOf(toolName: string, input: unknown): ToolKind {
  const kind = kinds.get(plainName(toolName)) ?? kinds.get(withoutPrefix(toolName)) ?? 'other';
  if (kind !== 'edit') return kind;
  const command = fieldOf(input, ['command'])?.toLowerCase();
  if (command === 'view') return 'read';
  return command === 'create' ? 'create' : 'edit';
}

/** Gives the caller's extractor for a tool, else the one for its kind. */
export function findExtractor(
  { toolName, input }: Pick<ToolUse, 'toolName' | 'input'>,
  custom: Readonly<Record<string, ToolExtractor>>,
): ToolExtractor {
  if (Object.hasOwn(custom, toolName)) return custom[toolName] ?? defaultExtractor;
  const own = Object.entries(custom).find(([name]) => plainName(name) === plainName(toolName));
  return own?.[1] ?? extractors[toolKindOf(toolName, input)];
}

function plainName(toolName: string): string {
  return toolName
    .slice(0, 200)
    .toLowerCase()
    .replace(/_\d{6,8}$/, '')
    .replaceAll(/[^a-z0-9]/g, '');
}

function withoutPrefix(toolName: string): string {
  const name = toolName.slice(0, 200);
  const start = Math.max(
    name.lastIndexOf('__') + 1,
    name.lastIndexOf('.'),
    name.lastIndexOf('/'),
    name.lastIndexOf(':'),
  );
  return plainName(name.slice(Math.max(0, start)));
}
