import type { LanguageModel } from 'ai';
import type { Conversation } from './given-conversation.ts';
import type { SummarizationError } from '../errors/summarization-error.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { SummaryRecord } from '../record/summary-record.ts';

/** Input of {@link summarizeConversation}. */
export interface SummarizeConversationInput {
  /**
   * The messages to cover, from the beginning of the conversation, those that `parent` covers included.
   * Leading system messages are passed over.
   */
  readonly messages: Conversation;
  /**
   * The model of the conversation; it also summarises unless `config` names others. A string is resolved by
   * the SDK's default provider or the gateway.
   */
  readonly model: LanguageModel;
  /**
   * The options that concern writing: strategies, models, budgets, `redact`, `providers`, and
   * `namespace` and `secret` for the record's id. Here `fallbackStrategy` is off unless it is given, so
   * that a failure shows.
   * @default {}
   */
  readonly config?: SummarizationOptions | undefined;
  /**
   * Depth of the record.
   * @default 0 without a parent, else one more than the parent's, or 0 at `maxSummaryChainDepth`
   */
  readonly depth?: number | undefined;
  /** The record to continue: only the messages after those it covers are read. */
  readonly parent?: SummaryRecord | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** What came of {@link summarizeConversation}. */
export type SummarizeConversationResult =
  | {
      readonly ok: true;
      readonly record: SummaryRecord;
      /** Tokens billed by summarising models. */
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
    }
  | {
      readonly ok: false;
      readonly error: SummarizationError;
      /** Whether the same call may succeed later. */
      readonly retryable: boolean;
    };

/**
 * Summarises a conversation into a record: the service under the middleware, for summaries made ahead
 * of need or outside of a call. Stores nothing. A failing model, or a parent that covers other messages,
 * is a result and not an exception.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; the signal's
 * reason when it aborts.
 */
export async function summarizeConversation(
  input: SummarizeConversationInput,
): Promise<SummarizeConversationResult> {
  const { summarizeMessages } = await import('./summarize-messages.ts');
  return summarizeMessages(input);
}
