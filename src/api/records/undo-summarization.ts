import type { UndoSummarizationInput, UndoSummarizationResult } from './undo-summarization-of.ts';

/**
 * Takes back the newest summary of a conversation: its next call sends what it would have sent before, with the
 * summary that this one continued, if there was one. The next summary is not due before the prompt has grown
 * as much as after any other, unless it does not fit, or is asked for. Other processes know of it when they
 * next compare what they know with the store, five seconds after a call at most; no summary that is being made
 * brings it back. Its archive goes with it.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong: a record that is not the newest of its
 * conversation, belongs to another namespace, or is not there any more.
 * @throws {SummarizationError} with the reason `store` when the store did not answer, or did not confirm all of
 * it: call it again.
 *
 * @example
 * const [newest] = await listSummaries({ store, secret, conversationId: chatId });
 * if (newest) await undoSummarization({ store, secret, conversationId: chatId, record: newest });
 */
export async function undoSummarization(
  input: UndoSummarizationInput,
): Promise<UndoSummarizationResult> {
  const { undoSummarizationOf } = await import('./undo-summarization-of.ts');
  return undoSummarizationOf(input);
}
