import { checkThat, checked } from '../checks/check-object.ts';
import { anyText, integer } from '../checks/option-rule.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { retentionMs } from '../stores/store-options.ts';
import {
  type GivenRecord,
  type StateInput,
  checkStateInput,
  openState,
  placeOfRecord,
  recordRule,
  storeFailure,
} from './given-state.ts';

/** Input of `undoSummarization`. */
export interface UndoSummarizationInput extends StateInput {
  /** The newest record of the conversation: as an event or `listSummaries` gave it. */
  readonly record: GivenRecord;
  /** The `conversationId` that the calls of its conversation carry, if they do. */
  readonly conversationId?: string | undefined;
  /**
   * The `retentionMs` of the middleware: for so long nothing brings the record back, and the one that it
   * continued is kept anew.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
}

/** What `undoSummarization` did. */
export interface UndoSummarizationResult {
  /** The record that applies now; `undefined` where all messages are sent. */
  readonly record: SummaryRecord | undefined;
  /**
   * Whether the undone record continued another one whose text has left already (see `supersededTtlMs` and
   * `archive`): all messages are sent, which may not fit until they are summarised anew.
   */
  readonly isParentGone: boolean;
}

const undoRules = {
  record: recordRule,
  conversationId: anyText,
  retentionMs: integer(60_000),
};

const refusals = {
  absent: 'a record that is still stored',
  ended: 'a record that was not undone or erased before',
  continued: 'the newest record of its conversation, which listSummaries names first',
} as const;

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
  checkStateInput(input, undoRules);
  const { record, conversationId, retentionMs: ttlMs = retentionMs } = input;
  checked(recordRule, record, 'record');
  const opened = openState(input);
  const place = await placeOfRecord(opened, conversationId, record);
  const { undoRecord } = await import('../state/stored-conversation.ts');
  const result = await undoRecord(place, record.prefixDigest, ttlMs);
  switch (result.state) {
    case 'undone':
      return { record: result.record, isParentGone: result.isParentGone };
    case 'unknown':
      throw storeFailure('The store did not confirm all of it.', opened.fault());
    default:
      checkThat(false, 'record', record, refusals[result.state]);
  }
}
