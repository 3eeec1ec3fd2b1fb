import type { UIMessage } from 'ai';
import { useMemo, type ReactElement, type ReactNode } from 'react';
import type {
  SummaryRecord,
  ItemOrigin,
  OriginRole,
} from '../../foundations/record/summary-record.ts';
import {
  readSummarization,
  type MessageNumbers,
  type ReadSummarizationOptions,
  type Summarization,
} from '../ui/read-summarization.ts';
import type { FinishedSummary, RunningSummary, SummaryPart } from '../ui/summarization-message.ts';

/**
 * Summaries of a conversation as a page shows them: the context meter, the summary in progress, each summary with its
 * message, and the messages that were not sent.
 *
 * @param messages - Those of `useChat`, whose route uses `summaryDataParts` and `summarizationMetadata`.
 */
export function useSummarization(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts' | 'metadata'>[],
  { isStreaming }: ReadSummarizationOptions = {},
): Summarization {
  return useMemo(() => readSummarization(messages, { isStreaming }), [messages, isStreaming]);
}

/** Texts of the parts, in English. */
export const englishLabels = {
  /** Accessible name of the meter. */
  context: 'Context',
  /** Text of the meter, in numbers with English separators. */
  contextUsed: (used: string, most: string): string => `${used} of ${most} tokens`,
  running: (summary: RunningSummary): string => {
    const { messages, progress } = summary;
    const part = progress === undefined ? '' : `, part ${progress.completed} of ${progress.total}`;
    return `Summarizing ${counted(messages)}${purposeOf(summary)}${part} …`;
  },
  done: (summary: Pick<FinishedSummary, 'coveredMessages'> | undefined): string => {
    if (summary === undefined) return 'Earlier messages are now summarized';
    const { coveredMessages } = summary;
    return `${counted(coveredMessages)} ${coveredMessages === 1 ? 'is' : 'are'} now summarized`;
  },
  failed:
    'The earlier messages could not be summarized; the conversation goes on without a summary',
  /** Label of a summary that was not shorter than its messages. */
  notSmaller: 'The earlier messages stay as they are: a summary would be no shorter',
  interrupted: 'This summary was interrupted; the next message makes it',
  /** Label of a summary by the rule-based summarizer. */
  degraded:
    'The model failed to write this summary. It was made without a model, and may have missed something.',
  record: 'Summary of the earlier messages',
  constraints: 'Rules to keep',
  userQuotes: "The user's words",
  decisions: 'Decisions',
  tasks: 'To be done',
  unresolved: 'Still open',
  keyPoints: 'Key points',
  names: 'Files and names',
  /** Label of an item's speaker. */
  origin: (role: OriginRole): string => whoseOf(role),
  /** Accessible name of the link to that message; has to contain `origin`. */
  showOrigin: (role: OriginRole): string => `${whoseOf(role)}: show the message`,
};

/** Texts of the parts, for other languages and other words. */
export type SummarizationLabels = Readonly<typeof englishLabels>;

function whoseOf(role: OriginRole): string {
  return role === 'user' ? 'you' : role;
}

/** Reason of a summary, in words. */
function purposeOf({ reason, tokens, contextLength }: RunningSummary): string {
  if (reason === 'ahead') return ', to have it when it is needed';
  if (reason === 'forced') return ', as asked';
  if (reason === 'requested') return ', as the assistant asked';
  if (tokens === undefined || contextLength === undefined) return '';
  if (reason === 'context-overflow') return ', as the conversation is too long to be sent whole';
  return `, as ${Math.round((100 * tokens) / contextLength)} % of the context is taken`;
}

function counted(messages: number): string {
  return `${messages} message${messages === 1 ? '' : 's'}`;
}

/** Text of a summary in one line. */
export function summaryLabel(
  part: SummaryPart | undefined,
  labels: SummarizationLabels = englishLabels,
): string {
  if (part?.state === 'running') return labels.running(part);
  if (part?.state === 'failed' && part.reason === 'not-smaller') return labels.notSmaller;
  if (part?.state === 'failed' || part?.state === 'interrupted') return labels[part.state];
  return labels.done(part?.state === 'done' ? part : undefined);
}

/** Props of every part. */
interface PartProps {
  readonly className?: string | undefined;
  readonly labels?: Partial<SummarizationLabels> | undefined;
}

/** Properties of {@link ContextMeter}. */
export interface ContextMeterProps extends PartProps {
  /** Tokens of the latest call. */
  readonly usedTokens: number;
  /** Tokens that a prompt may have: `usage.contextLength`. */
  readonly maxTokens: number;
  /**
   * The middleware's `triggerTokenRatio`.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /** In place of the text above the bar. */
  readonly children?: ReactNode;
}

/**
 * How full the context was with the latest call. Unstyled: its elements bear `data-slot` (`context-meter`, `-label`,
 * `-track`, `-bar`), and the whole `data-high` from where summaries begin. The bar's width is a percentage, as an inline
 * style.
 */
export function ContextMeter(props: ContextMeterProps): ReactElement {
  const { usedTokens, maxTokens, triggerTokenRatio = 0.8, className, children } = props;
  const labels = { ...englishLabels, ...props.labels };
  const used = labels.contextUsed(withSeparators(usedTokens), withSeparators(maxTokens));
  const isHigh = usedTokens >= maxTokens * triggerTokenRatio;
  const percentage = Math.min(100, (100 * usedTokens) / maxTokens || 0);
  return (
    <div data-slot="context-meter" data-high={isHigh || undefined} className={className}>
      <div data-slot="context-meter-label">{children ?? used}</div>
      <div
        role="meter"
        aria-label={labels.context}
        aria-valuemin={0}
        aria-valuemax={maxTokens}
        aria-valuenow={Math.min(usedTokens, maxTokens)}
        aria-valuetext={used}
        data-slot="context-meter-track"
      >
        <div
          data-slot="context-meter-bar"
          style={{ inlineSize: `${Number(percentage.toFixed(2))}%` }}
        />
      </div>
    </div>
  );
}

/** The same on servers and in browsers. */
function withSeparators(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** Properties of {@link SummaryDivider}. */
export interface SummaryDividerProps
  extends PartProps, Pick<SummaryRecordViewProps, 'numbers' | 'hrefOf'> {
  /** As `useSummarization` gives it; `undefined` for a summary that was made elsewhere. */
  readonly part: SummaryPart | undefined;
  /** Stands before the text. */
  readonly icon?: ReactNode;
  /** Stands below the record: undo, for example. */
  readonly actions?: ReactNode;
  /** In place of the record. */
  readonly children?: ReactNode;
}

/**
 * Where a summary was made: one line, which opens to the record. Unstyled: its elements bear `data-slot`
 * (`summary-divider`, `-trigger`, `-label`, `-content`, `-note`), and the whole `data-state` (`running`, `done`,
 * `failed`, `interrupted`) and `data-degraded`.
 */
export function SummaryDivider(props: SummaryDividerProps): ReactElement {
  const { part, className, icon, actions } = props;
  const labels = { ...englishLabels, ...props.labels };
  const record = part?.state === 'done' ? part.record : undefined;
  const root = {
    'data-slot': 'summary-divider',
    'data-state': part?.state ?? 'done',
    className,
  };
  const line = (
    <>
      {icon}
      <span data-slot="summary-divider-label">{summaryLabel(part, labels)}</span>
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

/** Properties of {@link SummaryRecordView}. */
export interface SummaryRecordViewProps extends PartProps {
  readonly record: SummaryRecord;
  /** `numbers` of `useSummarization`: each item leads to its message. */
  readonly numbers?: MessageNumbers | undefined;
  /**
   * Address of a message on the page.
   * @default `#` and the id
   */
  readonly hrefOf?: ((messageId: string) => string) | undefined;
}

/**
 * Shows a record to people: constraints, user quotes, decisions, open items, key points, files and names, and then
 * the narrative. Each item links to its message. Unstyled: its elements bear `data-slot` (`summary-record`,
 * `-narrative`, `-section`, `-title`, `-list`, `-item`, `-origin`), sections `data-section`.
 */
export function SummaryRecordView(props: SummaryRecordViewProps): ReactElement {
  const { record, numbers, hrefOf = fragmentOf, className } = props;
  const labels = { ...englishLabels, ...props.labels };
  const linkTo = (origin: ItemOrigin | undefined) => {
    const id = numbers?.originIds[origin?.message ?? -1];
    if (id === undefined || origin === undefined) return undefined;
    const { role } = origin;
    return (
      <a data-slot="summary-record-origin" href={hrefOf(id)} aria-label={labels.showOrigin(role)}>
        {labels.origin(role)}
      </a>
    );
  };
  return (
    <section data-slot="summary-record" aria-label={labels.record} className={className}>
      {sectionsOf(record).map(([name, texts, origins]) => (
        <div key={name} data-slot="summary-record-section" data-section={name}>
          <p data-slot="summary-record-title">{labels[name]}</p>
          <ul data-slot="summary-record-list" aria-label={labels[name]}>
            {texts.map((text, index) => (
              // A record may say the same twice, and is never reordered.
              <li key={index} data-slot="summary-record-item">
                {text} {linkTo(origins[index])}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {record.summary.trim() !== '' && <p data-slot="summary-record-narrative">{record.summary}</p>}
    </section>
  );
}

/** The lists of a record, those that hold something, with the origins of their items. */
function sectionsOf({ keyPoints, context, origins }: SummaryRecord) {
  const tasks = context.actionItems.map(({ owner, task, due }) => {
    const who = owner === undefined ? '' : `${owner}: `;
    return `${who}${task}${due === undefined ? '' : ` (${due})`}`;
  });
  const sections = [
    ['constraints', context.constraints, origins.constraints],
    ['userQuotes', context.userQuotes ?? [], origins.userQuotes],
    ['decisions', context.decisions, origins.decisions],
    ['tasks', tasks, origins.actionItems],
    ['unresolved', context.unresolved, origins.unresolved],
    ['keyPoints', keyPoints, origins.keyPoints],
    ['names', context.domainEntities, origins.domainEntities],
  ] as const;
  return sections.filter(([, texts]) => texts.length > 0);
}

function fragmentOf(messageId: string): string {
  return `#${encodeURIComponent(messageId)}`;
}
