import type { Message } from '../prompt/prompt-types.ts';
import { pause } from '../util/async/time-slices.ts';
import { sha256Hex } from '../util/digest.ts';
import { countUpTo } from '../util/numbers.ts';
import { canonicalMessage, isSignificant, type CanonicalMessage } from './canonical-message.ts';

/**
 * Recognises a conversation by what it says. Counts are of *significant* messages, those with content
 * that identifies them: a message of nothing but reasoning does not survive the way through a client,
 * so it must not shift the others.
 */
export interface ConversationIdentity {
  /** Number of significant messages before an index. */
  readonly significantBefore: (index: number) => number;
  /** Index of the message that follows the first `count` significant ones; `undefined` if there are fewer. */
  readonly indexAfter: (count: number) => number | undefined;
  /** SHA-256 of the canonical lines of the first `count` significant messages, in hexadecimal digits. */
  readonly prefixDigest: (count: number) => Promise<string>;
  /**
   * Digest of each significant message in a range, 32 hexadecimal digits each: of the message alone,
   * wherever in a conversation it stands.
   */
  readonly messageDigests: (start: number, end: number) => Promise<string[]>;
}

/** Reads a conversation when it is asked: of its messages only as many, and each once. */
export function identifyConversation(conversation: readonly Message[]): ConversationIdentity {
  let errors: ReadonlyMap<string, string> | undefined;
  const around = {
    ids: new Map<string, number>(),
    errorOf: (toolCallId: string): string | undefined => {
      errors ??= new Map(conversation.flatMap(toolErrors));
      return errors.get(toolCallId);
    },
  };
  const read: CanonicalMessage[] = [];
  const prefixes = new Map<number, Promise<string>>();
  const digests: Promise<string>[] = [];
  let found: readonly number[] | undefined;
  const significant = (): readonly number[] =>
    (found ??= conversation.flatMap((message, index) => (isSignificant(message) ? [index] : [])));
  const firstOnes = (count: number): readonly CanonicalMessage[] => {
    for (const index of significant().slice(read.length, count)) {
      const message = conversation[index];
      if (message !== undefined) read.push(canonicalMessage(message, around));
    }
    return read.slice(0, count);
  };
  const digestOfFirst = async (count: number): Promise<string> => {
    // What has been read until here took about as long.
    await pause();
    const lines = firstOnes(count).map(({ line, calls }) => `${line} ${calls}`);
    return sha256Hex(lines.join('\n'));
  };
  return {
    significantBefore: (index) => countUpTo(significant(), index - 1),
    indexAfter: (count) => {
      if (count === 0) return 0;
      const last = significant()[count - 1];
      return last === undefined ? undefined : last + 1;
    },
    prefixDigest: (count) => {
      const digest = prefixes.get(count) ?? digestOfFirst(count);
      prefixes.set(count, digest);
      return digest;
    },
    messageDigests: (start, end) =>
      Promise.all(
        firstOnes(end)
          .slice(start)
          .map(({ line }, place) => (digests[start + place] ??= digestOf(line))),
      ),
  };
}

/** What tools said of calls that failed, by the ids of the calls. */
function toolErrors({ role, content }: Message): readonly (readonly [string, string])[] {
  if (role !== 'tool') return [];
  const errors: (readonly [string, string])[] = [];
  for (const part of content)
    if (part.type === 'tool-result' && part.output.type === 'error-text') {
      // Without types, it may be anything.
      const said: unknown = part.output.value;
      if (typeof said === 'string') errors.push([part.toolCallId, said]);
    }
  return errors;
}

async function digestOf(line: string): Promise<string> {
  return (await sha256Hex(line)).slice(0, 32);
}

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
