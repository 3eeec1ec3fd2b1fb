import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkTexts } from '../checks/check-texts.ts';
import { builtInTemplates } from './built-in-templates.ts';
import { writeNewFile } from './write-new-file.ts';

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
  mkdirSync(directory, { recursive: true });
  return Object.entries(builtInTemplates)
    .filter(([name, text]) => writeNewFile(join(directory, name), text))
    .map(([name]) => name);
}
