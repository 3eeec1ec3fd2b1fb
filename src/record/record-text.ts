import type { SummaryContent } from './summary-record.ts';
import { actionItemText } from './content-text.ts';

/** A summary as Markdown for people: the narrative, then each list that holds something. */
export function recordText({ summary, keyPoints, context }: SummaryContent): string {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Key points', keyPoints],
    ['Participants', context.participants],
    ['Decisions', context.decisions],
    ['Action items', context.actionItems.map(actionItemText)],
    ['Unresolved', context.unresolved],
    ['Entities', context.domainEntities],
    ['Constraints', context.constraints],
  ];
  const sections = lists
    .filter(([, items]) => items.length > 0)
    .map(([title, items]) => [`## ${title}`, '', ...items.map(listItem)].join('\n'));
  return [summary, ...sections].join('\n\n');
}

function listItem(text: string): string {
  return `- ${text.split('\n').map(trimmed).filter(Boolean).join(' ')}`;
}

function trimmed(line: string): string {
  return line.trim();
}
