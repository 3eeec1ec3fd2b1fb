import type { ReactNode } from 'react';
import type { ChatMessage, SummaryNote } from '../lib/chat-message.ts';
import { formatCount } from '../lib/format-count.ts';
import { summaryLabel } from '../lib/summary-label.ts';
import { CoveredMessages } from './covered-messages.tsx';
import { RecordView } from './record-view.tsx';

interface SummaryDividerProps {
  readonly note: SummaryNote;
  readonly history: readonly ChatMessage[];
  /** Whether the answer it belongs to is still being written. */
  readonly live: boolean;
}

/** Where a summary was made: opens to the record and to the messages it covers. */
export function SummaryDivider({ note, history, live }: SummaryDividerProps): ReactNode {
  if (note.state !== 'done') {
    const interrupted = note.state === 'running' && !live;
    return (
      <div className={`divider ${note.state} ${interrupted ? 'interrupted' : ''}`}>
        <span className="divider-label">
          {interrupted ? 'A summary was interrupted; the next call makes it' : summaryLabel(note)}
        </span>
      </div>
    );
  }
  const { record, coveredMessages, durationMs, summarizerTokens, fallbackReason } = note;
  return (
    <details className={record.degraded ? 'divider degraded' : 'divider'}>
      <summary>
        <span className="divider-label">
          {record.degraded && '⚠ Degraded: '}
          {summaryLabel(note)}
        </span>
      </summary>
      <div className="divider-body">
        {record.degraded && (
          <p className="note">
            The strategy failed ({fallbackReason}), so code wrote this summary by rules. It quotes
            what is likely to matter and may miss the rest.
          </p>
        )}
        <RecordView record={record} />
        <CoveredMessages history={history} count={coveredMessages} />
        <p className="fine-print">
          Strategy {record.strategy} · {formatCount(summarizerTokens)} tokens read and written ·{' '}
          {(durationMs / 1000).toFixed(1)} s · record {record.id.slice(0, 8)}
        </p>
      </div>
    </details>
  );
}
