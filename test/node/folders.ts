import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
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

/** A project and a home without any template, what templates are read with, and what was warned about. */
export function setUp() {
  const folders = { projectDirectory: temporaryFolder(), homeDirectory: temporaryFolder() };
  const warnings: string[] = [];
  const promptsOf = (folder: string): string => join(folder, '.ai-sdk-summarization', 'prompts');
  const onWarning = (message: string): void => void warnings.push(message);
  return {
    ...folders,
    project: promptsOf(folders.projectDirectory),
    home: promptsOf(folders.homeDirectory),
    warnings,
    options: { ...folders, onWarning },
  };
}
