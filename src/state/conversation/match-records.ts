import type { ConversationIdentity } from '../../prompt/identity/conversation-identity.ts';
import type { KeptRecord, Lease } from './document.ts';

/** Whether a digest is that of the first messages of a conversation. */
export async function matchesPrefix(
  identity: ConversationIdentity,
  { count, digest }: Pick<Lease, 'count' | 'digest'>,
): Promise<boolean> {
  return (
    identity.indexAfter(count) !== undefined && (await identity.prefixDigest(count)) === digest
  );
}

/** The most lengths of records whose digests are compared. */
const maxCompared = 64;

/** Finds the longest record that covers the first messages of a conversation. */
export async function longestMatch<Kept extends KeptRecord>(
  records: readonly Kept[],
  identity: ConversationIdentity,
): Promise<Kept | undefined> {
  const lengths = new Set<number>();
  const longestFirst = records.toSorted(
    (one, other) => other.record.coveredMessages - one.record.coveredMessages,
  );
  for (const kept of longestFirst) {
    const { coveredMessages: count, prefixDigest: digest } = kept.record;
    if (lengths.add(count).size > maxCompared) return undefined;
    if (await matchesPrefix(identity, { count, digest })) return kept;
  }
  return undefined;
}

/**
 * Position of a sliding window among the messages that a record covers: how many of its first messages are the last
 * covered ones. `gap`: the window begins after the covered messages, or somewhere else altogether. `unclear`: the
 * window fits in two positions or begins before the known covered messages, or fewer than four messages overlap, or
 * none of a user.
 */
export type WindowMatch = number | 'gap' | 'unclear';

/** Hexadecimal digits of a message's digest that tell it from others in a window: at least four of them stand together. */
const idDigits = 8;

/** Shortens digests of messages to what a record keeps of them. */
export function shortIds(digests: readonly string[]): string[] {
  return digests.map((digest) => digest.slice(0, idDigits));
}

/** Messages that must overlap: greetings and short tool results occur in many conversations. */
export const leastOverlap = 4;

/**
 * Finds the messages of a window that a record covers: its first ones, equal to the last covered ones, one for one and
 * in one alignment only.
 *
 * @param lastIds - Digests of the last covered messages, oldest first: some, or all of them.
 * @param window - Digests of the messages that the client sent, oldest first.
 * @param isUser - Whether the window's message at an index is a user's.
 */
export function matchWindow(
  lastIds: readonly string[],
  window: readonly string[],
  isUser: (index: number) => boolean,
): WindowMatch {
  /** Whether all of `lastIds` from index `from` on equal the window's messages from index `at` on. */
  const stands = (from: number, at: number): boolean => {
    if (lastIds.length - from > window.length - at) return false;
    for (let index = from; index < lastIds.length; index += 1)
      if (lastIds[index] !== window[at + index - from]) return false;
    return true;
  };
  const starts = Array.from(lastIds.keys()).filter((from) => stands(from, 0));
  const isEarlier = lastIds.length > 0 && window.some((_, at) => at > 0 && stands(0, at));
  const [start] = starts;
  if (start === undefined) return isEarlier ? 'unclear' : 'gap';
  const count = lastIds.length - start;
  const isEnough =
    count >= leastOverlap && window.slice(0, count).some((_, index) => isUser(index));
  return isEnough && starts.length === 1 && !isEarlier ? count : 'unclear';
}
