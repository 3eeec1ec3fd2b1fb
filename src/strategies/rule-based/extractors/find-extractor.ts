import type { ToolExtractor, ToolUse } from '../../tool-summary.ts';
import { otherFacts } from './other-facts.ts';
import { fieldOf } from './fields.ts';
import { readFacts } from './read-facts.ts';
import { searchFacts } from './search-facts.ts';
import { shellFacts } from './shell-facts.ts';
import type { ToolFacts } from './tool-facts.ts';
import { createFacts, editFacts } from './write-facts.ts';

/** What a tool does to the world, as far as its name tells. */
export type ToolKind = 'read' | 'shell' | 'search' | 'create' | 'edit' | 'other';

const toolNames: Readonly<Record<Exclude<ToolKind, 'other'>, string>> = {
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
  (['read', 'shell', 'search', 'create', 'edit'] as const).flatMap((kind) =>
    toolNames[kind].split(' ').map((name): [string, ToolKind] => [name, kind]),
  ),
);

const builtInFacts: Readonly<Record<ToolKind, (use: ToolUse) => ToolFacts>> = {
  read: readFacts,
  shell: shellFacts,
  search: searchFacts,
  create: createFacts,
  edit: editFacts,
  other: otherFacts,
};

/**
 * Tells what kind of tool a call is for, by its name without prefix, case, punctuation and version:
 * `mcp__fs__read_file`, `functions.Read`, `text_editor_20250429`. An editor that does several things is
 * judged by the command it is given.
 */
export function toolKindOf(toolName: string, input: unknown): ToolKind {
  const kind = kinds.get(plainToolName(toolName)) ?? kinds.get(withoutPrefix(toolName)) ?? 'other';
  if (kind !== 'edit') return kind;
  const command = fieldOf(input, ['command'])?.toLowerCase();
  if (command === 'view') return 'read';
  return command === 'create' ? 'create' : 'edit';
}

/** Gives the caller's extractor for a tool, else the one for its kind. */
export function findExtractor(
  { toolName, input }: Pick<ToolUse, 'toolName' | 'input'>,
  custom: Readonly<Record<string, ToolExtractor>>,
): (use: ToolUse) => ToolFacts {
  const plain = plainToolName(toolName);
  const own = Object.hasOwn(custom, toolName)
    ? custom[toolName]
    : Object.entries(custom).find(([name]) => plainToolName(name) === plain)?.[1];
  return own ?? builtInFacts[toolKindOf(toolName, input)];
}

function plainToolName(toolName: string): string {
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
  return plainToolName(name.slice(Math.max(0, start)));
}
