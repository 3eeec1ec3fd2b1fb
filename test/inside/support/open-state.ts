import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import type { Message, SummaryStore } from '../../../src/index.ts';
import { processCopyOf } from '../../../src/state/process-copy.ts';
import { ConversationState } from '../../../src/state/conversation-state.ts';
import { guardedStore } from '../../../src/stores/sealed-store.ts';
import { storeKeyring } from '../../../src/stores/store-keys.ts';

export const testSecret = 'a secret of the tests';

/** How the state of a conversation is opened. */
export interface OpenOptions {
  readonly conversationId?: string | undefined;
  readonly namespace?: string | undefined;
  readonly onGap?: (() => void) | undefined;
  /** Whether a request of the same process opened it, which knows what the others know. */
  readonly isSameProcess?: boolean | undefined;
}

/** Opens the state of a conversation as a process does that shares a store with others, and knows nothing. */
export function openState(
  messages: readonly Message[],
  store: SummaryStore,
  { conversationId, namespace = '', onGap = () => {}, isSameProcess = false }: OpenOptions = {},
): ConversationState {
  const shared = isSameProcess ? store : { ...store };
  return new ConversationState({
    store: guardedStore(shared)({ onFault: () => {} }),
    copy: processCopyOf(shared),
    keyring: storeKeyring({ secret: testSecret, namespace }),
    times: { storeTimeoutMs: 2000, retentionMs: 2_592_000_000, supersededTtlMs: 3_600_000 },
    identity: identifyConversation(messages),
    conversationId,
    minMessages: 2,
    conversation: messages,
    onGap,
  });
}
