import type { RecordFigures, SummaryRecord } from '../record/summary-record.ts';
import {
  type GivenState,
  type StateInput,
  checkAnswered,
  checkStateInput,
  givenStateRules,
  storedConversation,
} from './given-state.ts';

/** Input of `listSummaries`: the conversation by its id or by its messages. */
export type ListSummariesInput = StateInput & GivenState;

/** A summary of a conversation, with its figures. */
export interface ListedSummary extends RecordFigures {
  /** The whole record; `undefined` when its texts have left, some time after another one took its place. */
  readonly record: SummaryRecord | undefined;
  /**
   * Content digests of the messages that it stands for and the one before does not, in order; `undefined` where the
   * conversation is given by its id.
   */
  readonly originalMessageIds?: readonly string[] | undefined;
}

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
  checkStateInput(input, givenStateRules);
  const { found, fault, identity } = await storedConversation(input);
  if (found === undefined) checkAnswered({ fault });
  const { readChain } = await import('../state/stored-conversation.ts');
  const chain = found === undefined ? [] : await readChain(found.conversation, found.newest);
  return Promise.all(
    chain.map(async ({ figures, from, record }) => ({
      ...figures,
      record,
      ...(identity && {
        originalMessageIds: await identity.messageDigests(from, figures.coveredMessages),
      }),
    })),
  );
}
