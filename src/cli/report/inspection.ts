import type { SummaryRecord } from '../../record/summary-record.ts';

/** One call of the model, as it would have been. */
export interface InspectedCall {
  /** Messages of the conversation before the answer. */
  readonly messages: number;
  readonly tokensWithout: number;
  readonly tokensWith: number;
  /** Why the call would have been refused, where even the shortest prompt is too long. */
  readonly refused?: string | undefined;
}

/** A summary that would have been made. */
export interface InspectedSummary {
  /** Index of its call. */
  readonly call: number;
  readonly reason: string;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Messages that it stands for, and those that stay as they are. */
  readonly coveredMessages: number;
  readonly recentMessages: number;
  readonly record: SummaryRecord;
}

/** A conversation under one context length. */
export interface InspectedLimit {
  readonly contextLength: number;
  readonly calls: readonly InspectedCall[];
  readonly summaries: readonly InspectedSummary[];
  /** Input tokens of all calls. */
  readonly tokensWithout: number;
  readonly tokensWith: number;
  /** Calls longer than the context, without and with. */
  readonly overWithout: number;
  readonly overWith: number;
  /** What went wrong, in words; calls went on. */
  readonly faults: readonly string[];
}

/** A conversation of a file. */
export interface InspectedConversation {
  readonly name: string;
  readonly messages: number;
  readonly tokens: number;
  readonly limits: readonly InspectedLimit[];
}

/** All that a report shows. */
export interface Inspection {
  readonly file: string;
  readonly strategy: string;
  readonly model?: string | undefined;
  /** Dollars for a million input tokens. */
  readonly price?: number | undefined;
  readonly conversations: readonly InspectedConversation[];
}
