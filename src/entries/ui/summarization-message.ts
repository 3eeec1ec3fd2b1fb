import type { UIMessage } from 'ai';
import type { TriggerReason } from '../../planning/plan/decide.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import type { SummarizationMetadata } from '../../call/report/report-call.ts';
import type { SummarizationEvent } from '../../call/report/events.ts';

/** Tokens that were billed. */
export interface BilledTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that came from the provider's cache. */
  readonly cacheReadTokens?: number;
}

/** A summary that is being written. */
export interface RunningSummary {
  readonly state: 'running';
  /** Messages that no summary stood for before. */
  readonly messages: number;
  /** Reason of the summary: see the event `check`. With `ahead` it is prepared before it is due, beside the answer. */
  readonly reason?: TriggerReason;
  /** Where the answer waits for it: what the prompt came to, and what the model accepts. */
  readonly tokens?: number;
  readonly contextLength?: number;
  /** Parts that have been read, where the messages are too long to be read at once. */
  readonly progress?: { readonly completed: number; readonly total: number };
}

/** A summary that was written and stored. */
export interface FinishedSummary {
  readonly state: 'done';
  readonly record: SummaryRecord;
  /** Messages that it stands for, from the beginning, as the model counts them: a tool's result is one of its own. */
  readonly coveredMessages: number;
  /** These, where this answer made it: one that was made beside an answer is shown where it is first used. */
  readonly reason?: TriggerReason;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly durationMs?: number;
  /** Tokens billed by summarizing models for it. */
  readonly usage?: BilledTokens;
}

/** How a summary goes: a data part that changes in place, and stays where the summary was made. */
export type SummaryPart =
  | RunningSummary
  | FinishedSummary
  /** It could not be made. */
  | { readonly state: 'failed'; readonly reason: string }
  /** The answer waited for a summary that it did not make: one of another answer, or none that came in time. */
  | { readonly state: 'elsewhere' }
  /** Its answer ended while it was being written: never written, but read so. */
  | { readonly state: 'interrupted' };

/** Data parts of a `UIMessage` whose stream `summaryDataParts` writes to. */
export type SummarizationDataParts = {
  summary: SummaryPart;
  /** A prompt that was made to fit without a model. */
  shortened: { readonly tokensBefore: number; readonly tokensAfter: number };
  /** A summary was due or asked for, and none was made. Transient: `onData` is told, no message keeps it. */
  summarySkipped: Pick<Extract<SummarizationEvent, { type: 'skipped' }>, 'reason'>;
};

/** Sizes of one model call, in tokens, and the summary that stood in its prompt. */
export interface ContextReading extends SummarizationMetadata {
  /** Tokens billed for the call, as far as the provider reported them. */
  readonly usage?: BilledTokens;
}

/** Metadata of a `UIMessage` that `summarizationMetadata` writes: the calls of an answer, in order. */
export interface SummarizationMessageMetadata {
  readonly summarization?: { readonly calls: readonly ContextReading[] };
}

/** A `UIMessage` with the metadata and the data parts of this package. */
export type SummarizationUIMessage = UIMessage<
  SummarizationMessageMetadata,
  SummarizationDataParts
>;
