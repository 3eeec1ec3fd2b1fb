import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { tool, type ToolSet } from 'ai';
import { z } from 'zod';
import { readOnlyCommands, runReadOnlyCommand } from './read-only-command.ts';
import { capOutput, insideWorkspace, isPrivate } from './workspace.ts';

const skippedFolders = new Set(['node_modules', 'dist', 'coverage']);
const maxMatches = 20;
const maxFileBytes = 1_000_000;

/**
 * The agent's tools, all read-only and confined to `root`. A refused or failing call throws, which the
 * SDK hands to the model as an error result.
 *
 * @param files - Files that stand nowhere else, by their paths.
 */
export function workspaceTools(
  root: string,
  files: Readonly<Record<string, string>> = {},
): ToolSet {
  return {
    read_file: tool({
      description: 'Reads a text file of the repository.',
      inputSchema: z.object({ path: z.string().describe('Path from the repository root') }),
      execute: async ({ path }) =>
        capOutput(files[path] ?? (await readText(await insideWorkspace(root, path)))),
    }),
    search_files: tool({
      description: 'Finds the lines that contain a text, case-sensitive, as path:line: text.',
      inputSchema: z.object({
        text: z.string().min(1),
        folder: z.string().describe('Folder to search, `.` for the whole repository'),
      }),
      execute: async ({ text, folder }) => {
        const base = await insideWorkspace(root, '.');
        const matches: string[] = [];
        for await (const file of filesUnder(await insideWorkspace(root, folder))) {
          const lines = (await readText(file).catch(() => '')).split('\n');
          for (const [index, line] of lines.entries()) {
            if (!line.includes(text)) continue;
            if (matches.length === maxMatches) return capOutput([...matches, '[more]'].join('\n'));
            matches.push(`${relative(base, file)}:${index + 1}: ${line.trim()}`);
          }
        }
        return capOutput(matches.join('\n') || 'No match.');
      },
    }),
    execute_bash: tool({
      description: `Runs one read-only command without a shell: ${readOnlyCommands.join(', ')}.`,
      inputSchema: z.object({ command: z.string() }),
      execute: async ({ command }, { abortSignal }) =>
        capOutput(await runReadOnlyCommand(root, command, abortSignal)),
    }),
  };
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > maxFileBytes) throw new Error(`Too large to read: ${size} bytes.`);
  return await readFile(file, 'utf8');
}

/** Walks in name order and never through symbolic links. */
async function* filesUnder(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isPrivate(entry.name) || skippedFolders.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield path;
  }
}
