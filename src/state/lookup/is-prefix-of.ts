import type { ConversationIdentity } from '../../identity/conversation-identity.ts';

/** What tells which prefixes a conversation has. */
export type PrefixIdentity = Pick<ConversationIdentity, 'indexAfter' | 'prefixDigest'>;

/** Whether a digest is that of the first `count` messages of a conversation, more than `least`. */
export async function isPrefixOf(
  identity: PrefixIdentity,
  digest: string,
  count: number,
  least: number,
): Promise<boolean> {
  if (count <= least || identity.indexAfter(count) === undefined) return false;
  return (await identity.prefixDigest(count)) === digest;
}
