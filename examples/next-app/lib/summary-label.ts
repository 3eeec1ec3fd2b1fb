import type { SummaryNote } from './chat-message.ts';
import { formatCount } from './format-count.ts';

/** Says in one line how a summarisation goes or went. */
export function summaryLabel(note: SummaryNote): string {
  switch (note.state) {
    case 'running':
      return `Summarising ${plural(note.messages, 'message')}${chunksOf(note)} …`;
    case 'failed':
      return `No summary could be made (${note.reason}); the conversation goes on without`;
    case 'done': {
      const { coveredMessages, record, tokensBefore, tokensAfter } = note;
      return `${plural(coveredMessages, 'message')} summarised, depth ${record.depth}, ${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`;
    }
  }
}

function chunksOf({ chunks }: Extract<SummaryNote, { state: 'running' }>): string {
  return chunks === undefined ? '' : `, chunk ${chunks.completed} of ${chunks.total}`;
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
