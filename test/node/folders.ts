import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { TemplateFolderOptions } from '../../src/entries/node/index.ts';
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

/** Writes a file and the folders above it. */
export function write(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

type Folders = Record<'projectDirectory' | 'homeDirectory' | 'project' | 'home', string>;

/** A project and a home without any template, what templates are read with, and what was warned about. */
export function setUp(): Folders & {
  warnings: string[];
  options: Required<TemplateFolderOptions>;
} {
  const folders = { projectDirectory: temporaryFolder(), homeDirectory: temporaryFolder() };
  const warnings: string[] = [];
  const prompts = join('.ai-sdk-summarization', 'prompts');
  const project = join(folders.projectDirectory, prompts);
  const home = join(folders.homeDirectory, prompts);
  const onWarning = (message: string): void => void warnings.push(message);
  return { ...folders, project, home, warnings, options: { ...folders, onWarning } };
}
