import { withDeadline } from '../util/async/waiting.ts';
import { checkThat } from '../checks/check-object.ts';
import { integer, lazily } from '../checks/option-rule.ts';
import { conversationKeys, seedKey } from '../state/conversation-keys.ts';
import type { Erasure } from '../state/stored-conversation.ts';
import { retentionMs } from '../stores/store-options.ts';
import { type SummaryTreeStore, summaryTreeId, treeTurns } from '../stores/summary-store.ts';
import { optionRules } from '../options/summarization-options.ts';
import {
  type GivenState,
  type OpenState,
  type StateInput,
  checkStateInput,
  givenStateRules,
  identityOfGiven,
  openState,
  storeFailure,
} from './given-state.ts';

/** Input of `eraseConversation`: the conversation by one of the two, or a whole namespace by its name alone. */
export type EraseConversationInput = StateInput & {
  /**
   * The `retentionMs` of the middleware: for so long nothing brings back what is erased.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
  /**
   * The `summaryTreeStore` of the middleware: its trees of the conversation are erased too.
   * @default trees stay, and the result says which
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;
} & (
    | GivenState
    | {
        /** All that a store holds of it, which has to have `list`. */
        readonly namespace: string;
        readonly conversationId?: undefined;
        readonly messages?: undefined;
      }
  );

/** What `eraseConversation` did. */
export interface EraseConversationResult {
  /** Records that were erased. */
  readonly records: number;
  /**
   * Ids of trees that a `summaryTreeStore` still has of the conversation, because it was not given: `delete` them
   * there. Empty where one was given.
   */
  readonly treesLeft: readonly string[];
  /**
   * Why nothing was erased: the store knows nothing of it, nor that it was erased before. Another `secret`, `namespace`
   * or store than the middleware's, or other messages than its last call sent, look like this.
   */
  readonly reason?: 'unknown-conversation' | undefined;
}

const eraseRules = lazily(() => ({
  ...givenStateRules,
  retentionMs: integer(60_000),
  summaryTreeStore: optionRules().summaryTreeStore,
}));

/** Milliseconds that a tree store may take for a tree, and a store to overwrite what it has deleted. */
const timeoutMs = 10_000;

/**
 * Erases what is stored of a conversation: its records and archives, what it was seeded with, and what this process
 * knows of them; or all of a namespace, where it is given alone and the store can list its keys. Other processes forget theirs when they next compare it with the store,
 * five seconds after a call at most, and no summary that is being made brings anything back. A later call that sends
 * the conversation again is summarised anew. Trees are erased where the `summaryTreeStore` is given; where it is not,
 * `treesLeft` names those that records tell of. Where the store knows nothing of it, `reason` says so: nothing was erased.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed.
 * @throws {SummarizationError} with the reason `store` when the store, or the tree store, did not confirm all of it: call
 * it again.
 *
 * @example
 * await eraseConversation({ store, summaryTreeStore, secret, namespace: tenantId, conversationId: chatId });
 */
export async function eraseConversation(
  input: EraseConversationInput,
): Promise<EraseConversationResult> {
  checkStateInput(input, eraseRules());
  const { conversationId, messages, namespace, retentionMs: ttlMs = retentionMs } = input;
  const isWhole = conversationId === undefined && messages === undefined && namespace !== undefined;
  const list = input.store.list?.bind(input.store);
  const lists = 'for a whole namespace, a store with list';
  checkThat(!isWhole || list !== undefined, 'store', input.store, lists);
  const identity = isWhole ? undefined : await identityOfGiven({ conversationId, messages });
  const { stores, copy, fault } = openState(input);
  const faults: unknown[] = [];
  const trees = treesOf(input, faults);
  try {
    const erasure = { identity, ttlMs, trees };
    const names = conversationKeys(identity, conversationId);
    const { eraseNamespace, eraseState } = await import('../state/stored-conversation.ts');
    const { isConfirmed, isKnown, records, treesLeft } =
      isWhole && list !== undefined
        ? await eraseNamespace({ stores, copy }, erasure, list)
        : await eraseState({ stores, copy, names }, erasure);
    const seeds = await eraseSeeds(stores, conversationId);
    if (!isConfirmed || !seeds.isGone || faults.length > 0) throw faults[0] ?? fault();
    await withDeadline(undefined, timeoutMs, async () => input.store.scrub?.());
    const result = { records, treesLeft };
    return isKnown || seeds.isThere ? result : { ...result, reason: 'unknown-conversation' };
  } catch (error) {
    throw storeFailure('The store did not confirm that all was erased.', error);
  }
}

/** Removes what a conversation was seeded with, if it was. */
async function eraseSeeds(
  stores: OpenState['stores'],
  conversationId: string | undefined,
): Promise<Readonly<Record<'isThere' | 'isGone', boolean>>> {
  let [isThere, isGone] = [false, true];
  for (const store of conversationId === undefined ? [] : stores) {
    const key = await seedKey(store.keys, conversationId ?? '');
    isThere ||= (await store.read(key)).raw !== undefined;
    isGone = (await store.remove(key)) && isGone;
  }
  return { isThere, isGone };
}

/** The trees of a conversation, if they can be removed. */
function treesOf(
  { conversationId, namespace, summaryTreeStore }: EraseConversationInput,
  faults: unknown[],
): Erasure['trees'] {
  if (summaryTreeStore === undefined) return undefined;
  return {
    ids: conversationId === undefined ? [] : [summaryTreeId({ conversationId, namespace })],
    remove: async (treeId) => {
      try {
        // Behind what is being written.
        await withDeadline(undefined, timeoutMs, () =>
          treeTurns(summaryTreeStore)(treeId, () => summaryTreeStore.delete(treeId)),
        );
        return true;
      } catch (error) {
        faults.push(error);
        return false;
      }
    },
  };
}
