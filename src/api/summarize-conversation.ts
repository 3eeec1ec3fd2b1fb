import type {
  SummarizeConversationInput,
  SummarizeConversationResult,
} from './summarize-messages.ts';

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
