import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { UndonePrefix } from '../prefixes/prefix-index.ts';

/** What was undone last of a conversation, among what was undone of those that open like it. */
export async function heldAfterUndo(
  undone: readonly UndonePrefix[],
  identity: Pick<ConversationIdentity, 'prefixDigest' | 'significantBefore'>,
): Promise<UndonePrefix | undefined> {
  const total = identity.significantBefore(Number.POSITIVE_INFINITY);
  let held: UndonePrefix | undefined;
  for (const prefix of undone) {
    if (prefix.count > total || prefix.messageCount < (held?.messageCount ?? 0)) continue;
    if ((await identity.prefixDigest(prefix.count)) === prefix.digest) held = prefix;
  }
  return held;
}
