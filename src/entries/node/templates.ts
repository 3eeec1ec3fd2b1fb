import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkOptions, checkTexts } from '../../foundations/checks/check-object.ts';
import {
  anyFunction,
  anyObject,
  anyText,
  type OptionRules,
} from '../../foundations/checks/option-rule.ts';
import { builtInPrompts } from '../../summaries/templates/resolve-prompts.ts';
import type {
  SummarizationPrompts,
  SummaryPrompts,
} from '../../summaries/templates/summarization-prompts.ts';
import {
  holdsOnce,
  type TemplateVariable,
  variablesOf,
} from '../../summaries/templates/template.ts';
import { levelPrompts, type LevelPrompts } from '../../summaries/levels/summarize-options.ts';
import { codeOf, messageOf } from '../../foundations/util/errors.ts';
import { readInside, writeNewFile } from './files.ts';

/** The built-in templates by file name. */
const builtInTemplates: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...builtInPrompts, ...levelPrompts }).map(([name, text]) => [
    fileOf(name),
    text,
  ]),
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
   * Told about each file or value that could not be used.
   * @default process.emitWarning
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Rules of {@link TemplateFolderOptions}. */
export const folderRules: OptionRules<TemplateFolderOptions> = {
  projectDirectory: anyText,
  homeDirectory: anyText,
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
 * is passed over with a warning, and a variable that none takes the place of is warned of. For a file elsewhere, pass its
 * text, as `readFileSync` reads it.
 *
 * The files are read again before each summary, and the event `prompts-reloaded` names the templates that changed. A file that
 * can no longer be used is warned of once, and its last text stays. A copy of the result (`{ ...prompts }`) does not
 * change: pass texts of your own as `prompts`.
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
  const { summary = 'default', toolResults, userMessages, agentMessages } = prompts;
  const isOne = typeof summary === 'string';
  const own: Partial<SummaryPrompts> = isOne ? {} : summary;
  const reload = (): SummarizationPrompts => {
    const whole = isOne ? find('summary', summary) : 'default';
    const ofRecord = {
      ...own,
      system: find('system', own.system, 'summary.system'),
      first: find('first', own.first, 'summary.first'),
      update: find('update', own.update, 'summary.update'),
      rebase: find('rebase', own.rebase, 'summary.rebase'),
    };
    return {
      ...prompts,
      summary: whole === 'default' ? ofRecord : whole,
      toolResults: find('toolResults', toolResults),
      userMessages: find('userMessages', userMessages),
      agentMessages: find('agentMessages', agentMessages),
    };
  };
  // Not enumerable: the files must not replace other texts of a copy.
  return Object.defineProperty(reload(), 'reload', { value: reload });
}

/**
 * Reads the templates of `summarize` from files, for its option `prompts`, in the folders of
 * `loadPromptTemplates` and by its rules: `brief.md`, `standard.md`, `chunk.md`, `meta.md`, `conversation.md`,
 * `journal.md` and `document.md`.
 *
 * @example
 * ```ts
 * await summarize(report, { model: openai('gpt-5-mini'), prompts: loadLevelTemplates() });
 * ```
 */
export function loadLevelTemplates(options: LoadLevelTemplatesOptions = {}): Partial<LevelPrompts> {
  const find = templateFinder(options);
  const given: Readonly<Partial<Record<string, string>>> = { ...options.prompts };
  const found = Object.keys(levelPrompts).map((name) => [name, find(name, given[name])] as const);
  return { ...given, ...Object.fromEntries(found) };
}

/** Variables that a template must hold, unless it needs only `{content}`. */
const requiredBy: Readonly<Record<string, readonly TemplateVariable[]>> = {
  system: [],
  update: ['content', 'prior_summary'],
  rebase: ['content', 'prior_summary'],
  meta: ['summaries'],
};

const ofMessages: readonly TemplateVariable[] = ['content', 'context', 'max_chars'];
const ofRecords: readonly TemplateVariable[] = [
  ...ofMessages,
  'prior_summary',
  'max_words',
  'max_items',
];
const ofLevels: readonly TemplateVariable[] = [
  ...ofMessages,
  'prior_summary',
  'summaries',
  'chunk_index',
  'total_chunks',
];

/** Variables of a template; `undefined` for one that is sent unchanged. */
function allowedIn(name: string): readonly string[] | undefined {
  if (name === 'system') return undefined;
  if (name in levelPrompts) return ofLevels;
  return name.endsWith('Results') || name.endsWith('Messages') ? ofMessages : ofRecords;
}

/** Some variables as they stand in a template. */
function listed(names: readonly string[] = []): string {
  return names
    .slice(0, 8)
    .map((each) => `{${each.slice(0, 40)}}`)
    .join(', ');
}

/** Why a file is not used, after the lead of the warning that there is when no text was found before. */
type Fault = readonly [lead: string, reason: string];

/**
 * Makes what finds the template that a value stands for: itself, the file that it is the path of, or with `'default'`, and
 * with a warning where that file cannot be used, the file of its name; `'default'` where there is none. Asked again, it
 * returns the last text instead, and repeats no warning.
 */
function templateFinder(options: TemplateFolderOptions) {
  checkOptions(options, 'prompts, or nothing', { prompts: anyObject(), ...folderRules });
  const { projectDirectory = process.cwd(), homeDirectory = homedir() } = options;
  const { onWarning = emitWarning } = options;
  const folders = [projectDirectory, homeDirectory].map((folder) =>
    join(resolve(folder), '.ai-sdk-summarization', 'prompts'),
  );

  const find = (name: string, value: string, faultsOfFiles: Fault[]): string => {
    const required = requiredBy[name] ?? ['content'];
    if (value !== 'default') {
      if (!isPath(value, required)) return value;
      // Other users' folders (`~name`) are not known.
      const path = value.replace(/^~(?=$|[\\/])/, () => resolve(homeDirectory));
      const { text, faults } = lookIn(folders, path, required);
      if (text !== undefined) return text;
      const [reason = `there is no such file in ${folders.join(', ')}`] = faults;
      const short = JSON.stringify(value.slice(0, 120));
      faultsOfFiles.push(['is the default: ', `${short} was not used, ${reason}`]);
    }
    const file = fileOf(name);
    if (!Object.hasOwn(builtInTemplates, file)) return 'default';
    const { text = 'default', faults } = lookIn(folders, file, required);
    for (const fault of faults) faultsOfFiles.push(['passes over ', `${file} ${fault}`]);
    return text;
  };
  const before = new Map<string, { readonly text: string; readonly reasons: string }>();

  return (name: string, value = 'default', option = name): string => {
    // The middleware refuses a value that is not a text.
    if (typeof value !== 'string') return value;
    const last = before.get(option);
    const faults: Fault[] = [];
    const now = find(name, value, faults);
    const text = faults.length > 0 ? (last?.text ?? now) : now;
    const allowed = allowedIn(name);
    const unknown = new Set(variablesOf(text).filter((each) => allowed?.includes(each) === false));
    const warnings = faults.map(([lead, reason]) => (last ? 'keeps its text: ' : lead) + reason);
    if (unknown.size > 0)
      warnings.push(
        `holds ${listed([...unknown])}, which nothing takes the place of: allowed are ${listed(allowed)}, and {{ for a brace`,
      );
    const reasons = JSON.stringify([faults.map(([, reason]) => reason), [...unknown]]);
    before.set(option, { text, reasons });
    if (reasons !== last?.reasons)
      for (const each of warnings) onWarning(`The template prompts.${option} ${each}.`);
    return text;
  };
}

/** The first usable file of a path in some folders, and why those before it are passed over. */
function lookIn(
  folders: readonly string[],
  path: string,
  required: readonly TemplateVariable[],
): { readonly text?: string; readonly faults: readonly string[] } {
  const faults: string[] = [];
  for (const folder of folders)
    try {
      const text = readInside(folder, path);
      if (text.trim() !== '' && holdsOnce(text, required)) return { text, faults };
      const variables = required.map((name) => `{${name}}`).join(' and ');
      faults.push(
        `in ${folder}: ${text.trim() === '' ? 'it is empty' : `it must hold ${variables} exactly once`}`,
      );
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
