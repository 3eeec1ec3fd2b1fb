import type { RecordFigures, SummaryRecord } from '../../record/summary-record.ts';
import { readChain } from '../../state/lookup/record-chain.ts';
import { givenStateRules, type GivenState } from '../arguments/given-state.ts';
import { checkAnswered, checkStateInput, type StateInput } from '../arguments/state-input.ts';
import { storedConversation } from '../arguments/stored-conversation.ts';

/** Input of `listSummaries`: the conversation by its id or by its messages. */
export type ListSummariesInput = StateInput & GivenState;

/** A summary of a conversation, with its figures. */
export interface ListedSummary extends RecordFigures {
  /** The whole record; `undefined` when its texts have left, some time after another one took its place. */
  readonly record: SummaryRecord | undefined;
}

/** The part of `listSummaries` that loads when it is called. */
export async function listSummariesOf(
  input: ListSummariesInput,
): Promise<readonly ListedSummary[]> {
  checkStateInput(input, givenStateRules);
  const { found, fault } = await storedConversation(input);
  if (found === undefined) checkAnswered({ fault });
  const chain = found === undefined ? [] : await readChain(found.place, found.newest);
  return chain.map(({ figures, record }) => {
    const {
      parentDigest: _before,
      childDigest: _after,
      archiveId: _of,
      treeId: _in,
      ...listed
    } = figures;
    return { ...listed, record };
  });
}
