import type { ReactElement, ReactNode } from 'react';
import type { MessageNumbers } from '../ui/message-numbers.ts';
import type { SummaryPart } from '../ui/summarization-message.ts';
import { englishLabels, summaryLabel, type SummarizationLabels } from './labels.ts';
import { SummaryRecordView } from './summary-record-view.tsx';

/** Properties of {@link SummaryDivider}. */
export interface SummaryDividerProps {
  /** The data of a `data-summary` part; `undefined` for a summary that was made elsewhere. */
  readonly part: SummaryPart | undefined;
  /**
   * Whether its answer ended while it was being written.
   * @default false
   */
  readonly isInterrupted?: boolean | undefined;
  /** `numbers` of `useSummarization`: the record's items lead to their messages. */
  readonly numbers?: MessageNumbers | undefined;
  /** Address of a message on the page. */
  readonly hrefOf?: ((messageId: string) => string) | undefined;
  readonly className?: string | undefined;
  /** Stands before the text. */
  readonly icon?: ReactNode;
  /** Stands below the record: undo, for example. */
  readonly actions?: ReactNode;
  /** In place of the record. */
  readonly children?: ReactNode;
  readonly labels?: Partial<SummarizationLabels> | undefined;
}

/**
 * Where a summary was made: one line, which opens to the record. Unstyled: its elements bear `data-slot`
 * (`summary-divider`, `-trigger`, `-label`, `-content`, `-note`), and the whole `data-state` (`running`, `done`,
 * `failed`, `interrupted`) and `data-degraded`.
 */
export function SummaryDivider(props: SummaryDividerProps): ReactElement {
  const { part, isInterrupted = false, className, icon, actions } = props;
  const labels = { ...englishLabels, ...props.labels };
  const record = part?.state === 'done' ? part.record : undefined;
  const root = {
    'data-slot': 'summary-divider',
    'data-state': isInterrupted ? 'interrupted' : (part?.state ?? 'done'),
    className,
  };
  const line = (
    <>
      {icon}
      <span data-slot="summary-divider-label">{summaryLabel(part, isInterrupted, labels)}</span>
    </>
  );
  const { numbers, hrefOf } = props;
  const content =
    props.children ?? (record && <SummaryRecordView {...{ record, numbers, hrefOf, labels }} />);
  if (content === undefined && actions === undefined) return <div {...root}>{line}</div>;
  return (
    <details {...root} data-degraded={record?.degraded || undefined}>
      <summary data-slot="summary-divider-trigger">{line}</summary>
      <div data-slot="summary-divider-content">
        {record?.degraded && <p data-slot="summary-divider-note">{labels.degraded}</p>}
        {content}
        {actions}
      </div>
    </details>
  );
}
