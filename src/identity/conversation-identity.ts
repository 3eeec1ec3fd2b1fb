import type { Message } from '../prompt/prompt-types.ts';
import { canonicalMessage, isSignificant, type IdNumbers } from './canonical-message.ts';
import { sha256Hex } from './sha256-hex.ts';

/**
 * Recognises a conversation by what it says. Counts are of *significant* messages, those with content
 * that identifies them: a message of nothing but reasoning does not survive the way through a client,
 * so it must not shift the others.
 */
export interface ConversationIdentity {
  /** Number of significant messages before an index. */
  readonly significantBefore: (index: number) => number;
  /**
   * Index of the message that follows the first `count` significant ones; `undefined` if there are
   * fewer.
   */
  readonly indexAfter: (count: number) => number | undefined;
  /** Characters of the canonical form of the first `count` significant messages. */
  readonly prefixLength: (count: number) => number;
  /** Digest of the first `count` significant messages. One WebCrypto call, whatever the count. */
  readonly prefixDigest: (count: number) => Promise<string>;
  /** Digest of each significant message in a range, 32 hexadecimal digits each. */
  readonly messageDigests: (start: number, end: number) => Promise<string[]>;
}

/** Reads a conversation lazily: only as many messages are canonicalised as a question needs. */
export function identifyConversation(conversation: readonly Message[]): ConversationIdentity {
  const indexes = conversation.flatMap((message, index) => (isSignificant(message) ? [index] : []));
  const ids: IdNumbers = new Map();
  const lines: string[] = [];
  const lengths: number[] = [0];
  const digests = new Map<number, Promise<string>>();

  const linesUntil = (count: number): readonly string[] => {
    for (const index of indexes.slice(lines.length, count)) {
      const message = conversation[index];
      if (message === undefined) break;
      const line = canonicalMessage(message, ids);
      lines.push(line);
      lengths.push((lengths.at(-1) ?? 0) + line.length);
    }
    return lines.slice(0, count);
  };

  return {
    significantBefore: (index) => {
      let low = 0;
      let high = indexes.length;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if ((indexes[middle] ?? index) < index) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    indexAfter: (count) => {
      if (count > indexes.length) return undefined;
      return count === 0 ? 0 : (indexes[count - 1] ?? 0) + 1;
    },
    prefixLength: (count) => {
      linesUntil(count);
      return lengths[count] ?? Number.POSITIVE_INFINITY;
    },
    prefixDigest: (count) => {
      // A line of JSON holds no line break, so the join is unambiguous.
      const digest = digests.get(count) ?? sha256Hex(linesUntil(count).join('\n'));
      digests.set(count, digest);
      return digest;
    },
    messageDigests: async (start, end) => {
      const whole = await Promise.all(linesUntil(end).slice(start).map(sha256Hex));
      return whole.map((digest) => digest.slice(0, 32));
    },
  };
}
