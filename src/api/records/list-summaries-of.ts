import { identifyConversation } from '../../identity/conversation-identity.ts';
import type { RecordFigures, SummaryRecord } from '../../record/summary-record.ts';
import { newestDigest } from '../../state/lookup/newest-digest.ts';
import { readChain } from '../../state/lookup/record-chain.ts';
import { stateScope } from '../../state/prefixes/state-scope.ts';
import { givenStateRules, identityOfGiven, type GivenState } from '../arguments/given-state.ts';
import {
  checkStateInput,
  openState,
  storeFailure,
  type StateInput,
} from '../arguments/state-input.ts';

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
  const identity = await identityOfGiven(input);
  const { stores, copy, fault } = openState(input);
  for (const store of stores) {
    const scope = stateScope(identity ?? identifyConversation([]), input.conversationId);
    const place = { store, copy, scope, home: await scope.homeKey(store.keys) };
    const newest = await newestDigest(place, identity);
    if (newest === undefined) continue;
    const chain = await readChain(place, newest);
    return chain.map(({ figures, record }) => {
      const { parentDigest: _before, childDigest: _after, archiveId: _of, ...listed } = figures;
      return { ...listed, record };
    });
  }
  if (fault() !== undefined) throw storeFailure('The store did not answer.', fault());
  return [];
}
