import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { LoadPromptTemplatesOptions, TemplateFolderOptions } from '../../src/node/index.ts';
import { removedFolder } from '../support/removed-folder.ts';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const { folder } = removedFolder();
  made.push(folder);
  return folder;
}

/** Where a project's or a user's templates lie. */
function promptsFolder(directory: string): string {
  return join(directory, '.ai-sdk-summarization', 'prompts');
}

/** Writes a file and the folders above it. */
export function write(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** A project and a home without any template, and what was warned about. */
export function setUp(): {
  readonly projectDirectory: string;
  readonly homeDirectory: string;
  readonly project: string;
  readonly home: string;
  readonly warnings: string[];
  /** What the functions that read templates are to be given. */
  readonly options: Required<Pick<LoadPromptTemplatesOptions, 'onWarning'>> & TemplateFolderOptions;
} {
  const projectDirectory = temporaryFolder();
  const homeDirectory = temporaryFolder();
  const warnings: string[] = [];
  return {
    projectDirectory,
    homeDirectory,
    project: promptsFolder(projectDirectory),
    home: promptsFolder(homeDirectory),
    warnings,
    options: { projectDirectory, homeDirectory, onWarning: (message) => warnings.push(message) },
  };
}
