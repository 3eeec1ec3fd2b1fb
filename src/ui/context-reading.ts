import type { UIMessage } from 'ai';
import { isObject } from '../util/is-object.ts';
import type { SummarizationMetadata } from '../report/report-call.ts';
import type { BilledTokens, SummarizationDataParts } from './summary-part.ts';

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
  if (!hasSummarization(metadata)) return [];
  const calls = metadata.summarization?.calls;
  return Array.isArray(calls) ? calls.filter(isReading) : [];
}

function hasSummarization(metadata: unknown): metadata is SummarizationMessageMetadata {
  return isObject(metadata) && 'summarization' in metadata;
}

function isReading(call: Partial<ContextReading> | null | undefined): call is ContextReading {
  return [call?.tokens, call?.contextLength, call?.coveredMessages].every(Number.isFinite);
}
