import type { Message } from '../prompt/prompt-types.ts';
import type { TriggerReason } from './decide.ts';

/** What a summary would do. */
export interface SummarizationPlan {
  /** Messages the record would cover, from the beginning. */
  readonly coveredMessages: number;
  /** Messages of the tail that stay verbatim. */
  readonly tailMessages: number;
  /** Tokens of the messages a summarising model would read, before its own instructions. */
  readonly summarizerInputTokens: number;
  /** Calls of it that this would take, where none fails: an estimate; 0 where code writes. */
  readonly summarizerCalls: number;
  /** The most tokens the summary would take. */
  readonly maxSummaryTokens: number;
}

/** A summary that is about to be made. */
export interface ProposedSummary extends SummarizationPlan {
  /** What triggered it. */
  readonly reason: TriggerReason;
  /** The messages that no summary stands for so far, and this one would. */
  readonly messages: readonly Message[];
  /** Tokens of the prompt as it stands. */
  readonly tokens: number;
  /** Tokens the model accepts, less the room for the answer. */
  readonly limit: number;
  /** Whether the prompt could be sent as it stands. */
  readonly fits: boolean;
}

/** What of a proposal is to be done: all of it, nothing, or up to an index. */
export type Verdict = boolean | { readonly upTo: number };
