import { answeredAtOnce } from '../../../util/async/answered-at-once.ts';
import type { ToolExtractor, ToolExtractors, ToolMatcher, ToolUse } from '../../tool-summary.ts';
import { otherFacts } from './other-facts.ts';
import { fieldOf } from './fields.ts';
import { readFacts } from './read-facts.ts';
import { searchFacts } from './search-facts.ts';
import { shellFacts } from './shell-facts.ts';
import type { ToolFacts } from './tool-facts.ts';
import { planFacts } from './plan-facts.ts';
import { webFacts } from './web-facts.ts';
import { createFacts, editFacts } from './write-facts.ts';

/** What a tool does to the world, as far as its name tells. */
export type ToolKind = 'read' | 'shell' | 'search' | 'create' | 'edit' | 'web' | 'plan' | 'other';

const toolNames: Readonly<Record<Exclude<ToolKind, 'other'>, string>> = {
  read:
    'read readfile readtextfile readfiles readmanyfiles viewfile view cat openfile open getfile ' +
    'getfilecontents getfilecontent loadfile fsread fileread readnotebook',
  shell:
    'bash executebash shell runshell runcommand executecommand runinterminal runterminalcmd ' +
    'runterminalcommand terminal exec execcommand runshellcommand executeshell localshell cmd ' +
    'powershell runbash container.exec shellcommand executecode runpython python ipython runcode ' +
    'bashoutput killshell killbash writestdin readterminal localshellcall codeexecution ' +
    'bashcodeexecution codeinterpreter runtests runtest',
  search:
    'grep search searchfiles searchfile searchcode searchdir ripgrep rg glob find findfile findfiles ' +
    'filesearch codebasesearch grepsearch globsearch searchtext searchfilecontent codesearch ls list ' +
    'listfiles listdir listdirectory listcodedefinitionnames filesearchcall searchfilesbyname ' +
    'listcodeusages searchworkspace',
  create:
    'create createfile write writefile writetofile newfile savefile addfile createnewfile fswrite ' +
    'filewrite writetextfile writenotebook',
  edit:
    'edit editfile multiedit strreplace strreplaceeditor strreplacebasededittool strreplaceinfile ' +
    'applypatch applydiff patch patchfile replaceinfile searchreplace searchandreplace insert ' +
    'insertcode inserteditintofile replace replacelines updatefile modifyfile texteditor edittool ' +
    'notebookedit fileedit editnotebook texteditorcodeexecution applypatchcall',
  web:
    'webfetch fetch fetchurl urlfetch httprequest httpget readurl readwebpage websearch websearchpreview ' +
    'searchweb googlesearch bravewebsearch browseraction geturl openurl',
  plan: 'todowrite todoread updateplan writetodos taskupdate managetodolist updatetodolist',
};

const kinds: ReadonlyMap<string, ToolKind> = new Map(
  (['read', 'shell', 'search', 'create', 'edit', 'web', 'plan'] as const).flatMap((kind) =>
    toolNames[kind].split(' ').map((name): [string, ToolKind] => [name, kind]),
  ),
);

const builtInFacts: Readonly<Record<ToolKind, (use: ToolUse) => ToolFacts>> = {
  read: readFacts,
  shell: shellFacts,
  search: searchFacts,
  create: createFacts,
  edit: editFacts,
  web: webFacts,
  plan: planFacts,
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
  custom: ToolExtractors,
): (use: ToolUse) => ToolFacts {
  return ownExtractor(toolName, input, custom) ?? builtInFacts[toolKindOf(toolName, input)];
}

function ownExtractor(
  toolName: string,
  input: unknown,
  custom: ToolExtractors,
): ToolExtractor | undefined {
  if (isMatcherList(custom))
    return custom.find(({ tool }) => matches(tool, toolName, input))?.extract;
  if (Object.hasOwn(custom, toolName)) return custom[toolName];
  const plain = plainToolName(toolName);
  return Object.entries(custom).find(([name]) => plainToolName(name) === plain)?.[1];
}

function isMatcherList(custom: ToolExtractors): custom is readonly ToolMatcher[] {
  return Array.isArray(custom);
}

function matches(tool: ToolMatcher['tool'], toolName: string, input: unknown): boolean {
  if (typeof tool === 'string') return plainToolName(tool) === plainToolName(toolName);
  if (typeof tool === 'function') return Boolean(answeredAtOnce(tool(toolName, input)));
  // Unlike `test`, whatever its flags are: it forgets where it was.
  return toolName.slice(0, maxNameCharacters).search(tool) >= 0;
}

/** Characters of a name that are looked at. */
const maxNameCharacters = 200;

function plainToolName(toolName: string): string {
  return toolName
    .slice(0, maxNameCharacters)
    .toLowerCase()
    .replace(/_\d{6,8}$/, '')
    .replaceAll(/[^a-z0-9]/g, '');
}

function withoutPrefix(toolName: string): string {
  const name = toolName.slice(0, maxNameCharacters);
  const start = Math.max(
    name.lastIndexOf('__') + 1,
    name.lastIndexOf('.'),
    name.lastIndexOf('/'),
    name.lastIndexOf(':'),
  );
  return plainToolName(name.slice(Math.max(0, start)));
}
