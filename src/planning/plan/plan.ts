import type { Placement } from '../composing/place-summary.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import type { TriggerPolicy, TriggerReason } from './decide.ts';

/** Messages that the next record will summarize. */
export interface SummaryRange {
  /** Index in the conversation of the first message that no record summarizes yet. */
  readonly start: number;
  /** Index in the conversation at which the recent messages begin. */
  readonly cut: number;
  /** Messages before the cut that identify the conversation. */
  readonly count: number;
}

/** The options as they hold for one model and one call. */
export interface Policy extends TriggerPolicy {
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** Whether that was given, is in the table or was learned from the provider. */
  readonly contextLengthKnown: boolean;
  /** Tokens the prompt may take: room for the answer taken off, the provider's input limit kept. */
  readonly limit: number;
  /** Tokens to which prompts are kept: the limit, less a small room for an answer of which the call says nothing. */
  readonly keptTo: number;
  /** Tokens above which a prompt is certain to be refused, by all that is no conclusion. Default: the limit. */
  readonly refusedAbove?: number | undefined;
  /** Tokens that the answer may ask for, where a refusal taught that it may not have what it asks. */
  readonly mostOutputTokens?: number | undefined;
  /** Bytes and pictures that a request may hold. */
  readonly maxRequestBytes?: number | undefined;
  readonly maxImages?: number | undefined;
  /** Tokens that the output of a tool may have in a prompt. Default: any number. */
  readonly maxToolOutputTokens?: number | undefined;
  /** Tokens of the model for one of o200k, before anything is learned. */
  readonly tokenMultiplier: number;
  /** Whether that was given in the options: what the model makes of a text is known then, not learned. */
  readonly tokenMultiplierGiven: boolean;
  /** Messages to keep at the end. */
  readonly preserveRecent: number;
  /** Share of the limit up to which the recent messages grow beyond `preserveRecent`. */
  readonly preserveRecentTokenRatio: number;
  /** Tokens the injected summary may take. */
  readonly maxSummaryTokens: number;
  readonly placement: Placement | 'auto';
}

/** Effect of a summary. */
export interface SummarizationPlan {
  /** Messages the record would cover, from the beginning. */
  readonly coveredMessages: number;
  /** Messages of the tail that stay verbatim. */
  readonly tailMessages: number;
  /** Tokens of the messages a summarizing model would read, before its own instructions. */
  readonly summarizerInputTokens: number;
  /** The most tokens the summary would take. */
  readonly maxSummaryTokens: number;
}

/** A summary that is about to be made. */
export interface ProposedSummary extends SummarizationPlan {
  /** Its trigger. */
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

/** Whether another summary of the conversation that is being written is waited for instead of making one. */
export type JoinPolicy = 'any' | 'none';

/** A message of a conversation that is another one than it was in the request before. */
export interface ChangedMessage {
  /** Among the messages after the leading system messages, from 0. */
  readonly index: number;
  readonly role: Message['role'];
}

/** Why a plan is what it is: why it was triggered, or why nothing is summarized although it was. */
export type PlanReason =
  | TriggerReason
  | 'no-strategy'
  | 'nothing-to-cover'
  | 'recent-failure'
  | 'sliding-window'
  | 'changed-history'
  | 'declined';

/** Tool outputs that are shortened in a prompt (`maxToolOutputTokens`). */
export interface ShortenedOutputs {
  readonly outputs: number;
  /** UTF-16 characters by which they are shorter. */
  readonly omittedCharacters: number;
}

/** Costs and savings of a summary, in tokens at the price of uncached input of the model of the conversation. */
export interface SummaryCost {
  /** Whether it pays. */
  readonly pays: boolean;
  /** Cost now: reading, writing, and sending the remaining messages anew. */
  readonly cost: number;
  /** Savings with each call to come. */
  readonly savingPerCall: number;
  /** Calls to come that are assumed: as many again as there were. */
  readonly callsAssumed: number;
  /** Extra costs of the calls since the last summary, compared with one at that time. */
  readonly paidMore: number;
}
