import { sha256Hex } from '../hash/sha256-hex.ts';
import type { ConversationIdentity } from './conversation-identity.ts';

/** What stands for the messages that a client no longer sends, and for the first ones it does send. */
export interface ContinuedPrefix {
  /** Messages it stands for, from the beginning of the conversation. */
  readonly count: number;
  /** Digest of them. */
  readonly digest: string;
}

/**
 * The identity of a conversation of which only the end is sent: messages count from its beginning, which
 * `prefix` knows. Digests are chained from that of the prefix by those of the messages after it, which do not
 * depend on where a window begins.
 *
 * @param window - What is sent.
 * @param known - How many messages of it the prefix stands for.
 */
export function continuedIdentity(
  window: ConversationIdentity,
  known: number,
  prefix: ContinuedPrefix,
): ConversationIdentity {
  const missing = prefix.count - known;
  return {
    significantBefore: (index) => missing + window.significantBefore(index),
    indexAfter: (count) => window.indexAfter(Math.max(0, count - missing)),
    prefixDigest: async (count) => {
      if (count === prefix.count) return prefix.digest;
      const ids = await window.messageDigests(known, count - missing);
      return sha256Hex(JSON.stringify([prefix.digest, count, ids]));
    },
    messageDigests: (start, end) => window.messageDigests(start - missing, end - missing),
  };
}
