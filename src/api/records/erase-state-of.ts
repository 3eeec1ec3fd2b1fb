import { withDeadline } from '../../util/async/with-deadline.ts';
import { integer } from '../../checks/option-rule.ts';
import { identifyConversation } from '../../identity/conversation-identity.ts';
import { eraseState, type ErasedTrees } from '../../state/changes/erase-state.ts';
import { seedKey } from '../../state/prefixes/seed-key.ts';
import { stateScope } from '../../state/prefixes/state-scope.ts';
import { retentionMs } from '../../stores/retention.ts';
import type { SummaryTreeStore } from '../../stores/summary-tree-store.ts';
import { summaryTreeId } from '../../stores/trees/summary-tree-id.ts';
import { treeKeeperOf } from '../../stores/trees/tree-keeper.ts';
import { optionRules } from '../../options/option-rules.ts';
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
  /**
   * The `summaryTreeStore` of the middleware: its trees of the conversation are erased too, earlier ones included.
   * @default trees stay, and the result says which
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;
} & GivenState;

/** What `eraseConversation` did. */
export interface EraseConversationResult {
  /** Records that were erased. */
  readonly records: number;
  /**
   * Ids of trees that a `summaryTreeStore` still has of the conversation, because it was not given: `delete` them
   * there. Empty where one was given.
   */
  readonly treesLeft: readonly string[];
}

const { summaryTreeStore: treeStoreRule } = optionRules;
const eraseRules = {
  ...givenStateRules,
  retentionMs: integer(60_000),
  summaryTreeStore: treeStoreRule,
};

/** Milliseconds that a tree store may take for a tree, and a store to overwrite what it has deleted. */
const timeoutMs = 10_000;

/** The part of `eraseConversation` that loads when it is called. */
export async function eraseStateOf(
  input: EraseConversationInput,
): Promise<EraseConversationResult> {
  checkStateInput(input, eraseRules);
  const { conversationId, retentionMs: ttlMs = retentionMs } = input;
  const identity = await identityOfGiven(input);
  const { stores, copy, fault } = openState(input);
  const faults: unknown[] = [];
  const trees = treesOf(input, faults);
  const failure = () =>
    storeFailure('The store did not confirm that all was erased.', faults[0] ?? fault());
  const treesLeft = new Set<string>();
  let records = 0;
  for (const store of stores) {
    const scope = stateScope(identity ?? identifyConversation([]), conversationId);
    const erased = await eraseState({ store, copy, scope, identity, ttlMs, trees });
    records += erased.records;
    for (const treeId of erased.treesLeft) treesLeft.add(treeId);
    const isSeedGone =
      conversationId === undefined ||
      (await store.remove(await seedKey(store.keys, conversationId)));
    if (!erased.isConfirmed || !isSeedGone) throw failure();
  }
  try {
    await withDeadline(undefined, timeoutMs, async () => input.store.scrub?.());
  } catch (error) {
    faults.push(error);
    throw failure();
  }
  return { records, treesLeft: [...treesLeft] };
}

/** The trees of a conversation, if they can be removed. */
function treesOf(
  { conversationId, namespace, summaryTreeStore }: EraseConversationInput,
  faults: unknown[],
): ErasedTrees | undefined {
  if (summaryTreeStore === undefined) return undefined;
  return {
    ids: conversationId === undefined ? [] : [summaryTreeId({ conversationId, namespace })],
    remove: async (treeId) => {
      try {
        await treeKeeperOf(summaryTreeStore).remove(treeId, timeoutMs);
        return true;
      } catch (error) {
        faults.push(error);
        return false;
      }
    },
  };
}
