import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import agentMessages from '../../prompts/agent_messages.md' with { type: 'text' };
import brief from '../../prompts/brief.md' with { type: 'text' };
import chunk from '../../prompts/chunk.md' with { type: 'text' };
import conversation from '../../prompts/conversation.md' with { type: 'text' };
import document from '../../prompts/document.md' with { type: 'text' };
import journal from '../../prompts/journal.md' with { type: 'text' };
import meta from '../../prompts/meta.md' with { type: 'text' };
import standard from '../../prompts/standard.md' with { type: 'text' };
import summarizeFirst from '../../prompts/summarize-first.md' with { type: 'text' };
import summarizeRebase from '../../prompts/summarize-rebase.md' with { type: 'text' };
import summarizeSystem from '../../prompts/summarize-system.md' with { type: 'text' };
import summarizeUpdate from '../../prompts/summarize-update.md' with { type: 'text' };
import toolResults from '../../prompts/tool_results.md' with { type: 'text' };
import userMessages from '../../prompts/user_messages.md' with { type: 'text' };
import { checkTexts } from '../checks/check-object.ts';
import { settingSections, type Setting } from '../options/settings.ts';
import { codeOf } from '../util/errors.ts';
import { refusalOf } from './settings-file.ts';

/** The built-in templates by file name. */
export const builtInTemplates: Readonly<Record<string, string>> = {
  'agent_messages.md': agentMessages,
  'brief.md': brief,
  'chunk.md': chunk,
  'conversation.md': conversation,
  'document.md': document,
  'journal.md': journal,
  'meta.md': meta,
  'standard.md': standard,
  'summarize-first.md': summarizeFirst,
  'summarize-rebase.md': summarizeRebase,
  'summarize-system.md': summarizeSystem,
  'summarize-update.md': summarizeUpdate,
  'tool_results.md': toolResults,
  'user_messages.md': userMessages,
};

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

const comment =
  'Settings of ai-sdk-summarization. Keys that begin with _ are notes and have no effect; a value that is missing or wrong counts as its default, with a warning. Changes are read when the program starts.';

/**
 * Writes a `settings.json` that holds every default and explains it, unless there is a file already.
 * Folders that do not exist are made. Its `$schema` is the one of the package in the working directory's
 * `node_modules`, so that editors complete and check it.
 *
 * @returns Whether the file was written.
 * @throws {SummarizationOptionError} when the path is no string or is empty; what the file system throws,
 * other than for a file that exists.
 */
export function ensureSettings(path: string): boolean {
  checkTexts({ path }, 'a string that is not empty');
  const schema = resolve('node_modules/ai-sdk-summarization/settings.schema.json');
  const content: Record<string, unknown> = {
    $schema: relative(dirname(resolve(path)), schema).replaceAll(sep, '/'),
    _comment: comment,
  };
  for (const [section, { meaning, settings, isByName }] of Object.entries(settingSections())) {
    const named = Object.entries(settings);
    const help = Object.fromEntries(named.map(([name, each]) => [name, helpOf(each)]));
    const values = Object.fromEntries(named.map(([name, { fallback }]) => [name, fallback]));
    content[section] = { _comment: meaning, _help: help, ...(isByName === true ? {} : values) };
  }
  return writeNewFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

function helpOf({ meaning, rule, fallback }: Setting): string {
  const whenMissing = fallback === undefined ? 'as for all' : JSON.stringify(fallback);
  return `${meaning} Allowed: ${refusalOf(rule, undefined)}. Default: ${whenMissing}.`;
}

/** Writes a file and its folder unless there is anything of that name; returns whether it was written. */
function writeNewFile(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
