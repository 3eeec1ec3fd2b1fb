import type { EraseConversationInput, EraseConversationResult } from './erase-state-of.ts';

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
  const { eraseStateOf } = await import('./erase-state-of.ts');
  return eraseStateOf(input);
}
