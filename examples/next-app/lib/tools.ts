import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tool } from 'ai';
import { z } from 'zod';

const maxParagraphs = 4;
const maxParagraphCharacters = 600;

/** What the assistant can do besides talking. */
export const tools = {
  search_readme: tool({
    description: 'Finds the paragraphs of the README of ai-sdk-summarization that contain a text.',
    inputSchema: z.object({ text: z.string().min(2) }),
    execute: async ({ text }) => {
      const readme = await readFile(
        join(process.cwd(), 'node_modules/ai-sdk-summarization/README.md'),
        'utf8',
      );
      const found = readme
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

export type ChatTools = typeof tools;

/** The part of a paragraph around its first mention of a text. */
function excerpt(paragraph: string, text: string): string {
  if (paragraph.length <= maxParagraphCharacters) return paragraph;
  const mention = paragraph.toLowerCase().indexOf(text.toLowerCase());
  const start = Math.max(0, mention - maxParagraphCharacters / 2);
  const cut = paragraph.slice(start, start + maxParagraphCharacters);
  return `${start > 0 ? '…' : ''}${cut.trim()}…`;
}
