import type { Message } from '../prompt/prompt-types.ts';
import { fingerprints } from '../tokens/fingerprint.ts';
import { messageFingerprint, type MessageFingerprint } from '../tokens/message-fingerprint.ts';
import { canonicalMessage, isSignificant, type IdNumbers } from './canonical-message.ts';
import type { KnownPrefix, PrefixMemory } from './prefix-memory.ts';
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

/**
 * Reads a conversation lazily: only as many messages are looked at as a question needs, and those of a
 * prefix in `memory` are not canonicalised.
 */
export function identifyConversation(
  conversation: readonly Message[],
  memory?: PrefixMemory,
): ConversationIdentity {
  const indexes: number[] = [];
  let scanned = 0;
  const ids: IdNumbers = new Map();
  const lines: string[] = [];
  const lengths: number[] = [0];
  const digests = new Map<number, Promise<string>>();
  const lineDigests = new Map<number, Promise<string>>();
  const prefixKeys = keysOfPrefixes(conversation);

  const scanUntil = (enough: () => boolean): void => {
    for (; scanned < conversation.length && !enough(); scanned += 1) {
      const message = conversation[scanned];
      if (message !== undefined && isSignificant(message)) indexes.push(scanned);
    }
  };
  const linesUntil = (count: number): readonly string[] => {
    scanUntil(() => indexes.length >= count);
    for (const index of indexes.slice(lines.length, count)) {
      const message = conversation[index];
      if (message === undefined) break;
      const line = canonicalMessage(message, ids);
      lines.push(line);
      lengths.push((lengths.at(-1) ?? 0) + line.length);
    }
    return lines.slice(0, count);
  };
  const indexAfter = (count: number): number | undefined => {
    if (count === 0) return 0;
    scanUntil(() => indexes.length >= count);
    const last = indexes[count - 1];
    return last === undefined ? undefined : last + 1;
  };
  const recall = (count: number): KnownPrefix | undefined => {
    const end = memory === undefined ? undefined : indexAfter(count);
    return end === undefined ? undefined : memory?.get(prefixKeys(end));
  };
  const computeDigest = async (count: number): Promise<string> => {
    const known = recall(count);
    if (known !== undefined) return known.digest;
    // A line of JSON holds no line break, so the join is unambiguous.
    const digest = await sha256Hex(linesUntil(count).join('\n'));
    const end = indexAfter(count);
    if (end !== undefined) memory?.set(prefixKeys(end), { digest, length: lengths[count] ?? 0 });
    return digest;
  };

  return {
    significantBefore: (index) => {
      scanUntil(() => scanned >= index);
      let low = 0;
      let high = indexes.length;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if ((indexes[middle] ?? index) < index) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    indexAfter,
    prefixLength: (count) => {
      const known = recall(count);
      if (known !== undefined) return known.length;
      linesUntil(count);
      return lengths[count] ?? Number.POSITIVE_INFINITY;
    },
    prefixDigest: (count) => {
      const digest = digests.get(count) ?? computeDigest(count);
      digests.set(count, digest);
      return digest;
    },
    messageDigests: async (start, end) => {
      // Several records of a call may name the same messages.
      const whole = await Promise.all(
        linesUntil(end)
          .slice(start)
          .map((line, offset) => {
            const digest = lineDigests.get(start + offset) ?? sha256Hex(line);
            lineDigests.set(start + offset, digest);
            return digest;
          }),
      );
      return whole.map((digest) => digest.slice(0, 32));
    },
  };
}

/** Keys under which prefixes are remembered, by their number of messages; each message is read once. */
function keysOfPrefixes(conversation: readonly Message[]): (end: number) => string {
  const prints: MessageFingerprint[] = [];
  const keys = new Map<number, string>();
  const keyOf = (end: number): string => {
    // Keys of its own: the bound holds for inputs that do not depend on the keys, as the prints of the
    // messages do.
    sequences ??= fingerprints();
    const print = sequences();
    for (const { high, low } of prints.slice(0, end)) {
      print.number(high);
      print.number(low);
    }
    const { high, low } = print.end();
    return `${end} ${high} ${low}`;
  };
  return (end) => {
    for (const message of conversation.slice(prints.length, end))
      prints.push(messageFingerprint(message));
    const key = keys.get(end) ?? keyOf(end);
    keys.set(end, key);
    return key;
  };
}

let sequences: ReturnType<typeof fingerprints> | undefined;
