import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { checked, checkOptions, checkTexts } from '../checks/check-object.ts';
import {
  anyFunction,
  anyObject,
  anyString,
  anyText,
  listOf,
  optionsOf,
  type OptionRules,
} from '../checks/option-rule.ts';
import { builtIn } from '../prompts/resolve-prompts.ts';
import type { SummarizationPrompts } from '../prompts/summarization-prompts.ts';
import { holdsOnce, type TemplateVariable } from '../prompts/template.ts';
import { levelPrompts } from '../strategies/levels/level-prompts.ts';
import type { LevelPrompts } from '../strategies/levels/summarize-options.ts';
import { codeOf, messageOf } from '../util/errors.ts';
import { readInside, writeNewFile } from './files.ts';

/** The built-in templates by file name. */
export const builtInTemplates: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...builtIn, ...levelPrompts }).map(([name, text]) => [fileOf(name), text]),
);

/** The file of the template of a name, such as `tool_results.md`. */
function fileOf(name: string): string {
  const isOfRecord = ['system', 'first', 'update', 'rebase'].includes(name);
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${isOfRecord ? 'summarize-' : ''}${snake}.md`;
}

/**
 * Writes the built-in templates into a folder, for editing. A file that is there already is never
 * changed. Folders that do not exist are made.
 *
 * @param directory - Such as `.ai-sdk-summarization/prompts`, where `loadPromptTemplates` looks.
 * @returns The names of the files that were written, such as `tool_results.md`.
 * @throws {SummarizationOptionError} when the folder is no string or is empty; what the file system throws,
 * other than for files that exist.
 */
export function ensurePromptTemplates(directory: string): string[] {
  checkTexts({ directory }, 'a string that is not empty');
  return Object.entries(builtInTemplates)
    .filter(([name, text]) => writeNewFile(join(directory, name), text))
    .map(([name]) => name);
}

/** Where template files are looked for, and who is told of those that cannot be used. */
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
  /**
   * Told about each file or value that could not be used.
   * @default process.emitWarning
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What {@link TemplateFolderOptions} accept. */
export const folderRules: OptionRules<TemplateFolderOptions> = {
  projectDirectory: anyText,
  homeDirectory: anyText,
  directories: listOf('a list of folders', anyText),
  onWarning: anyFunction(),
};

/** Writes a warning to the process, as Node does with its own. */
export function emitWarning(message: string): void {
  process.emitWarning(message, { type: 'SummarizationWarning' });
}

/** Options of {@link loadPromptTemplates}. */
export interface LoadPromptTemplatesOptions extends TemplateFolderOptions {
  /**
   * As the middleware takes them, except that a text may also be the path of a file.
   * @default {}
   */
  readonly prompts?: SummarizationPrompts | undefined;
}

/** Options of {@link loadLevelTemplates}. */
export interface LoadLevelTemplatesOptions extends TemplateFolderOptions {
  /**
   * As `summarize` takes them, except that a text may also be the path of a file.
   * @default {}
   */
  readonly prompts?: Partial<LevelPrompts> | undefined;
}

/**
 * Reads prompt templates from files, for the option `prompts` of `summarizationMiddleware`. `'default'`
 * is the file of that name in the project's `.ai-sdk-summarization/prompts`, else in the one of the
 * user's home, else the built-in text: `tool_results.md`, `user_messages.md`, `agent_messages.md`, and
 * for the summary `summarize-system.md`, `summarize-first.md`, `summarize-update.md` and
 * `summarize-rebase.md`. A path is looked for in the same folders and cannot leave them; anything else
 * is the template itself. A file that is missing, larger than 256 KB, not UTF-8 or without its variables
 * is passed over with a warning. Files are read each time: keep what it returns.
 *
 * @example
 * ```ts
 * summarizationMiddleware({
 *   prompts: loadPromptTemplates({ prompts: { summary: 'summary-for-support.md' } }),
 * });
 * ```
 */
export function loadPromptTemplates(
  options: LoadPromptTemplatesOptions = {},
): SummarizationPrompts {
  const find = templateFinder(options);
  const { prompts = {} } = options;
  const { summary = 'default' } = prompts;
  const isOne = typeof summary === 'string';
  const whole = isOne ? find(summary, 'summary', ['content']) : undefined;
  const given: Partial<Record<string, string>> = isOne ? {} : { ...summary };
  for (const name of ['system', 'first', 'update', 'rebase']) {
    const needed = { system: [], first: ['content'] as const }[name];
    const required = needed ?? (['content', 'prior_summary'] as const);
    const text = whole ?? find(given[name], `summary.${name}`, required, fileOf(name));
    if (text !== undefined) given[name] = text;
  }
  const message = (name: 'toolResults' | 'userMessages' | 'agentMessages'): string =>
    find(prompts[name], name, ['content'], fileOf(name)) ?? 'default';
  return {
    ...prompts,
    summary: whole ?? given,
    toolResults: message('toolResults'),
    userMessages: message('userMessages'),
    agentMessages: message('agentMessages'),
  };
}

/**
 * Reads the templates of `summarize` from files, for its option `prompts`, in the folders of
 * `loadPromptTemplates` and by its rules: `brief.md`, `standard.md`, `chunk.md`, `meta.md`, `conversation.md`,
 * `journal.md` and `document.md`.
 *
 * @throws {SummarizationOptionError} for a name nobody knows.
 *
 * @example
 * ```ts
 * await summarize(report, { model: openai('gpt-5-mini'), prompts: loadLevelTemplates() });
 * ```
 */
export function loadLevelTemplates(options: LoadLevelTemplatesOptions = {}): Partial<LevelPrompts> {
  const find = templateFinder(options);
  const { prompts = {} } = options;
  const names = Object.keys(levelPrompts);
  const rules = Object.fromEntries(names.map((name) => [name, anyString]));
  checked(optionsOf(rules), prompts, 'prompts', 'prompts.');
  const given = new Map(Object.entries(prompts));
  const found = names.map((name) => {
    const required = [name === 'meta' ? 'summaries' : 'content'] as const;
    return [name, find(given.get(name), name, required, fileOf(name))] as const;
  });
  return Object.fromEntries(found.filter(([, text]) => text !== undefined));
}

/**
 * Makes what finds the template that a value stands for: itself, the file that it is the path of, or with `'default'`, and
 * with a warning where that file cannot be used, the file of a name, if any; `undefined` where there is none.
 */
function templateFinder(options: TemplateFolderOptions) {
  checkOptions(options, 'prompts, or nothing', { prompts: anyObject(), ...folderRules });
  const { projectDirectory = process.cwd(), homeDirectory = homedir() } = options;
  const { directories = [], onWarning = emitWarning } = options;
  const home = resolve(homeDirectory);
  /** Puts the home folder in the place of a leading `~`. Other users' folders (`~name`) are not known. */
  const expanded = (path: string): string => path.replace(/^~(?=$|[\\/])/, () => home);
  const named = [resolve(projectDirectory), home].map((folder) =>
    join(folder, '.ai-sdk-summarization', 'prompts'),
  );
  const all = [...named, ...directories.map((folder) => resolve(expanded(folder)))];

  return (
    value: string | undefined,
    option: string,
    required: readonly TemplateVariable[],
    file?: string,
  ): string | undefined => {
    // What is no text is the middleware's to refuse.
    if (value !== undefined && typeof value !== 'string') return value;
    const warn = (text: string): void => onWarning(`The template prompts.${option} ${text}.`);
    if (value !== undefined && value !== 'default') {
      if (!isPath(value, required)) return value;
      const { text, faults } = lookIn(all, expanded(value), ...required);
      if (text !== undefined) return text;
      const [reason = `there is no such file in ${all.join(', ')}`] = faults;
      warn(`is the default: ${JSON.stringify(value.slice(0, 120))} was not used, ${reason}`);
    }
    if (file === undefined) return undefined;
    const { text, faults } = lookIn(named, file, ...required);
    for (const fault of faults) warn(`passes over ${file} ${fault}`);
    return text;
  };
}

/** The first usable file of a path in some folders, and why those before it are passed over. */
function lookIn(folders: readonly string[], path: string, ...required: TemplateVariable[]) {
  const faults: string[] = [];
  for (const folder of folders)
    try {
      const text = readInside(folder, path);
      if (holdsOnce(text, required)) return { text, faults };
      const variables = required.map((name) => `{${name}}`).join(' and ');
      faults.push(`in ${folder}: it must hold ${variables} exactly once`);
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error)))
        faults.push(`in ${folder}: ${messageOf(error)}`);
    }
  return { faults };
}

/**
 * A text that holds its variables is meant as a text; of the others, one line that ends like a file,
 * begins like a path, or is a single word is a path.
 */
function isPath(value: string, required: readonly TemplateVariable[]): boolean {
  if (required.length > 0 && holdsOnce(value, required)) return false;
  if (value === '' || value.length > 1024 || /[\r\n]/.test(value)) return false;
  const isLikeFile = /\.(?:md|markdown|txt|prompt)$/i.test(value);
  return isLikeFile || /^(?:~|\.{1,2}[\\/]|[\\/]|[a-z]:[\\/])/i.test(value) || !/\s/.test(value);
}
