import { checkTexts } from '../checks/check-object.ts';
import { join } from 'node:path';
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
import { writeNewFile } from './write-new-file.ts';

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
