import type { RecordFigures, SummaryRecord } from '../../record/summary-record.ts';
import { readChain } from '../../state/stored-conversation.ts';
import { givenStateRules, type GivenState } from '../arguments/given-state.ts';
import { checkAnswered, checkStateInput, type StateInput } from '../arguments/state-input.ts';
import { storedConversation } from '../arguments/stored-conversation.ts';

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

/** The part of `listSummaries` that loads when it is called. */
export async function listSummariesOf(
  input: ListSummariesInput,
): Promise<readonly ListedSummary[]> {
  checkStateInput(input, givenStateRules);
  const { found, fault, identity } = await storedConversation(input);
  if (found === undefined) checkAnswered({ fault });
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
