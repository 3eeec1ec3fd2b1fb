import { integer } from '../../checks/option-rule.ts';
import { identifyConversation } from '../../identity/conversation-identity.ts';
import { eraseState } from '../../state/changes/erase-state.ts';
import { seedKey } from '../../state/prefixes/seed-key.ts';
import { stateScope } from '../../state/prefixes/state-scope.ts';
import { retentionMs } from '../../stores/retention.ts';
import { givenStateRules, identityOfGiven, type GivenState } from '../arguments/given-state.ts';
import {
  checkStateInput,
  openState,
  storeFailure,
  type StateInput,
} from '../arguments/state-input.ts';

/** Input of `eraseConversation`: the conversation by one of the two. */
export type EraseConversationInput = StateInput & {
  /**
   * The `retentionMs` of the middleware: for so long nothing brings back what is erased.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
} & GivenState;

/** What `eraseConversation` did. */
export interface EraseConversationResult {
  /** Records that were erased. */
  readonly records: number;
}

const eraseRules = { ...givenStateRules, retentionMs: integer(60_000) };

/** The part of `eraseConversation` that loads when it is called. */
export async function eraseStateOf(
  input: EraseConversationInput,
): Promise<EraseConversationResult> {
  checkStateInput(input, eraseRules);
  const { conversationId, retentionMs: ttlMs = retentionMs } = input;
  const identity = await identityOfGiven(input);
  const { stores, copy, fault } = openState(input);
  let records = 0;
  for (const store of stores) {
    const scope = stateScope(identity ?? identifyConversation([]), conversationId);
    const erased = await eraseState({ store, copy, scope, identity, ttlMs });
    records += erased.records;
    const isSeedGone =
      conversationId === undefined ||
      (await store.remove(await seedKey(store.keys, conversationId)));
    if (!erased.isConfirmed || !isSeedGone)
      throw storeFailure('The store did not confirm that all was erased.', fault());
  }
  return { records };
}
