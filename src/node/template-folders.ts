import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { anyFunction, anyText, listOf, type OptionRule } from '../checks/option-rule.ts';

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

/** Rules of these options, and of who is told of a file that could not be used. */
export const templateRules: Readonly<
  Record<keyof TemplateFolderOptions | 'onWarning', OptionRule>
> = {
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
}: TemplateFolderOptions = {}): TemplateFolders {
  const home = resolve(homeDirectory);
  const named = [resolve(projectDirectory), home].map((folder) =>
    join(folder, '.ai-sdk-summarization', 'prompts'),
  );
  const further = directories.map((folder) => resolve(expandHome(folder, home)));
  return { named, all: [...named, ...further], home };
}

/** Puts the home folder in the place of a leading `~`. Other users' folders (`~name`) are not known. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path;
}
