import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tool } from 'ai';
import { recallTool } from 'ai-sdk-summarization/recall';
import { z } from 'zod';
import type { SummaryState } from './summary-state.ts';

const maxParagraphs = 5;
const maxParagraphCharacters = 1_200;

/** Tools of the assistant in every conversation. */
export const commonTools = {
  search_readme: tool({
    description:
      'Finds the paragraphs of the README of ai-sdk-summarization, and of its documents, that contain a text.',
    inputSchema: z.object({ text: z.string().min(2) }),
    execute: async ({ text }) => {
      const documents = await Promise.all(
        (await documentPaths()).map(async (path) => readFile(path, 'utf8')),
      );
      const found = documents
        .join('\n\n')
        .split('\n\n')
        .filter((paragraph) => paragraph.toLowerCase().includes(text.toLowerCase()))
        .slice(0, maxParagraphs)
        .map((paragraph) => excerpt(paragraph, text));
      return found.length > 0
        ? `The README says of \`${text}\`:\n\n${found.join('\n\n')}`
        : `The README does not mention \`${text}\`.`;
    },
  }),
  current_time: tool({
    description: 'Tells the date and time in a city that names a time zone, such as Tokyo.',
    inputSchema: z.object({ place: z.string().min(2) }),
    execute: ({ place }) => {
      const name = place.trim().replaceAll(' ', '_').toLowerCase();
      const timeZone = Intl.supportedValuesOf('timeZone').find((zone) =>
        zone.toLowerCase().endsWith(`/${name}`),
      );
      if (timeZone === undefined) return `No time zone is named after ${place}.`;
      const time = new Intl.DateTimeFormat('en-GB', {
        timeZone,
        dateStyle: 'full',
        timeStyle: 'short',
      });
      return `It is ${time.format(new Date())} in ${place}.`;
    },
  }),
};

/** The tools of one conversation: `recall` reads what was summarized in it. */
export function toolsOf(state: SummaryState, conversationId: string) {
  return { ...commonTools, recall: recallTool({ ...state, conversationId }) };
}

export type ChatTools = ReturnType<typeof toolsOf>;

/** The README of the package and the documents that it leads to. */
async function documentPaths(): Promise<readonly string[]> {
  const folder = join(process.cwd(), 'node_modules/ai-sdk-summarization');
  const documents = await readdir(join(folder, 'docs'));
  return ['README.md', ...documents.toSorted().map((name) => join('docs', name))].map((path) =>
    join(folder, path),
  );
}

/** The lines of a paragraph around its first mention of a text. */
function excerpt(paragraph: string, text: string): string {
  const lines = paragraph.split('\n');
  let first = lines.findIndex((line) => line.toLowerCase().includes(text.toLowerCase()));
  let end = first + 1;
  const size = (): number => lines.slice(first, end).join('\n').length;
  while (size() < maxParagraphCharacters && (first > 0 || end < lines.length)) {
    first = Math.max(0, first - 1);
    end = Math.min(lines.length, end + 1);
  }
  return lines.slice(first, end).join('\n');
}
