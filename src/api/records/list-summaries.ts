import type { ListSummariesInput, ListedSummary } from './list-summaries-of.ts';

/**
 * Lists the summaries of a conversation, the newest first: the one that its next call sends, then those that
 * it continues. Of summaries whose texts have left the figures remain.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed.
 * @throws {SummarizationError} with the reason `store` when the store did not answer.
 *
 * @example
 * const summaries = await listSummaries({ store, secret, conversationId: chatId });
 */
export async function listSummaries(input: ListSummariesInput): Promise<readonly ListedSummary[]> {
  const { listSummariesOf } = await import('./list-summaries-of.ts');
  return listSummariesOf(input);
}
