import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { anyFunction, anyText, listOf, type OptionRules } from '../checks/option-rule.ts';
import { holdsRequired } from '../prompts/check-template.ts';
import type { TemplateVariable } from '../prompts/fill-template.ts';
import { readInside } from './read-text-file.ts';

/** Where template files are looked for. */
export interface TemplateFolderOptions {
  /**
   * The project's folder: templates lie in its `.ai-sdk-summarization/prompts`.
   * @default process.cwd()
   */
  readonly projectDirectory?: string | undefined;
  /**
   * The user's folder, looked at after the project's; also what `~` stands for.
   * @default os.homedir()
   */
  readonly homeDirectory?: string | undefined;
  /**
   * Further folders that paths may point into, looked at last.
   * @default []
   */
  readonly directories?: readonly string[] | undefined;
}

/** Told about what is wrong with a file, which is then passed over. */
export type OnWarning = (message: string) => void;

/** Writes a warning to the process, as Node does with its own. */
export function emitWarning(message: string): void {
  process.emitWarning(message, { type: 'SummarizationWarning' });
}

/** Rules of these options, and of who is told of a file that could not be used. */
export const folderRules: OptionRules<TemplateFolderOptions & { onWarning: OnWarning }> = {
  projectDirectory: anyText,
  homeDirectory: anyText,
  directories: listOf('a list of folders', anyText),
  onWarning: anyFunction(),
};

/** The folders with absolute paths. */
export interface TemplateFolders {
  /** Where `'default'` looks, in this order. */
  readonly named: readonly string[];
  /** Where paths may lead, in this order. */
  readonly all: readonly string[];
  readonly home: string;
}

/** Resolves the folders of a project and its user. */
export function templateFolders({
  projectDirectory = process.cwd(),
  homeDirectory = homedir(),
  directories = [],
}: TemplateFolderOptions): TemplateFolders {
  const home = resolve(homeDirectory);
  const named = [resolve(projectDirectory), home].map((folder) =>
    join(folder, '.ai-sdk-summarization', 'prompts'),
  );
  const further = directories.map((folder) => resolve(expandHome(folder, home)));
  return { named, all: [...named, ...further], home };
}

/** Puts the home folder in the place of a leading `~`. Other users' folders (`~name`) are not known. */
function expandHome(path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path;
}

/** A template that is looked for. */
export interface TemplateRequest {
  /** Path of the option, for warnings. */
  readonly option: string;
  readonly required: readonly TemplateVariable[];
  readonly folders: TemplateFolders;
  readonly onWarning: OnWarning;
  /** Why a file is not to be used, though it holds its variables. */
  readonly refuses?: (text: string) => string | undefined;
}

/**
 * The template that a value stands for: itself, the file that it is the path of, or with `'default'`, and with a
 * warning where that file cannot be used, the file of a name; `undefined` where there is none.
 */
export function templateOf(
  value: string,
  fileName: string | undefined,
  request: TemplateRequest,
): string | undefined {
  if (value !== 'default') {
    const given = isPath(value, request.required) ? atPath(value, request) : value;
    if (given !== undefined) return given;
  }
  const { option, folders, onWarning } = request;
  for (const folder of fileName === undefined ? [] : folders.named) {
    const file = readInside(folder, fileName ?? '');
    const fault = file.ok ? faultOf(file.text, request) : file.reason;
    if (file.ok && fault === undefined) return file.text;
    if (file.ok || !file.isMissing)
      onWarning(`The template ${option} passes over ${fileName} in ${folder}: ${fault}.`);
  }
  return undefined;
}

/**
 * A text that holds its variables is meant as a text; of the others, one line that ends like a file,
 * begins like a path, or is a single word is a path.
 */
export function isPath(value: string, required: readonly TemplateVariable[]): boolean {
  if (required.length > 0 && holdsRequired(value, required)) return false;
  if (value === '' || value.length > 1024 || /[\r\n]/.test(value)) return false;
  const isLikeFile = /\.(?:md|markdown|txt|prompt)$/i.test(value);
  return isLikeFile || /^(?:~|\.{1,2}[\\/]|[\\/]|[a-z]:[\\/])/i.test(value) || !/\s/.test(value);
}

/** The file of a path in the folders; `undefined`, with a warning, where it cannot be used. */
function atPath(value: string, request: TemplateRequest): string | undefined {
  const { option, folders, onWarning } = request;
  const path = expandHome(value, folders.home);
  let reason = 'there is no such file';
  for (const folder of folders.all) {
    const file = readInside(folder, path);
    if (!file.ok && file.isMissing) continue;
    const fault = file.ok ? faultOf(file.text, request) : file.reason;
    if (file.ok && fault === undefined) return file.text;
    // The first folder in which something is wrong says more than those where nothing is.
    if (fault !== undefined && reason === 'there is no such file') reason = fault;
    if (file.ok) break;
  }
  onWarning(
    `The template ${option} is the default: ${JSON.stringify(value.slice(0, 120))} was not used, ${reason}. Looked in ${folders.all.join(', ')}.`,
  );
  return undefined;
}

/** Why a text cannot be used. */
function faultOf(text: string, { required, refuses }: TemplateRequest): string | undefined {
  if (holdsRequired(text, required)) return refuses?.(text);
  return `it must hold ${required.map((name) => `{${name}}`).join(' and ')} exactly once`;
}
