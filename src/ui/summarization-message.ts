import type { UIMessage } from 'ai';
import type { TriggerReason } from '../planning/decide.ts';
import type { SummarizationMetadata } from '../report/report-call.ts';
import type { SummarizationEvent } from '../report/events.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { isObject } from '../util/is-object.ts';

/** Tokens that were billed. */
export interface BilledTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, what a cache of the provider gave. */
  readonly cacheReadTokens?: number;
}

/** A summary that is being written. */
export interface RunningSummary {
  readonly state: 'running';
  /** Messages that no summary stood for before. */
  readonly messages: number;
  /** What it is made for: see the event `check`. */
  readonly reason?: TriggerReason;
  /** Where the answer waits for it: what the prompt came to, and what the model accepts. */
  readonly tokens?: number;
  readonly contextLength?: number;
  /** Whether it is prepared before it is due, beside the answer. */
  readonly isAhead?: true;
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
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly durationMs?: number;
  /** What summarising models billed, failed attempts included. */
  readonly usage?: BilledTokens;
  /** Whether it was prepared before it was due, beside the answer. */
  readonly isAhead?: true;
  /** Why another strategy had to stand in. */
  readonly fallbackReason?: string;
}

/** A summary that could not be made. */
export interface FailedSummary {
  readonly state: 'failed';
  readonly reason: string;
}

/** The answer waited for a summary that it did not make: one of another answer, or none that came in time. */
export interface ElsewhereSummary {
  readonly state: 'elsewhere';
}

/** How a summary goes: a data part that changes in place, and stays where the summary was made. */
export type SummaryPart = RunningSummary | FinishedSummary | FailedSummary | ElsewhereSummary;

/** A prompt that was made to fit without a model. */
export interface ShortenedPart {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** A summary was due or asked for, and none was made. */
export interface SkippedSummaryPart {
  readonly reason: Extract<SummarizationEvent, { type: 'skipped' }>['reason'];
}

/** Data parts of a `UIMessage` whose stream `summaryDataParts` writes to. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- the SDK asks for an index signature.
export type SummarizationDataParts = {
  summary: SummaryPart;
  shortened: ShortenedPart;
  /** Transient: `onData` is told, no message keeps it. */
  summarySkipped: SkippedSummaryPart;
};

/** What the tokens of a prompt were spent on; they add up to what was sent. */
export interface ContextParts {
  /** Leading system messages of the application's own. */
  readonly system: number;
  /** Definitions of tools and of the answer's format. */
  readonly tools: number;
  /** The summary, and what is kept beside it of the messages that it stands for. */
  readonly summary: number;
  /** Messages that were sent as they are. */
  readonly messages: number;
}

/** Sizes of one model call, in tokens, and the summary that stood in its prompt. */
export interface ContextReading extends SummarizationMetadata {
  /** What the call billed, as far as the provider said. */
  readonly usage?: BilledTokens;
  /** What all messages would have come to. Known where `countHistory` stands in the list of middlewares. */
  readonly fullTokens?: number;
  /** What the prompt consisted of. Known where `countHistory` stands in the list of middlewares. */
  readonly parts?: ContextParts;
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

/** Reads the calls of an answer; what is not of this package's making counts as none. */
export function callsOf({ metadata }: Pick<UIMessage, 'metadata'>): readonly ContextReading[] {
  const written = isObject(metadata) ? metadata['summarization'] : undefined;
  const calls: unknown = isObject(written) ? written['calls'] : undefined;
  return Array.isArray(calls) ? calls.filter(isReading) : [];
}

function isReading(call: unknown): call is ContextReading {
  const figures = isObject(call)
    ? [call['tokens'], call['contextLength'], call['coveredMessages']]
    : [undefined];
  return figures.every(Number.isFinite);
}
