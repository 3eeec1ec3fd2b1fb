import type { AtomicGroups } from './atomic-groups.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Message } from '../prompt/prompt-types.ts';

/**
 * Messages that identify the beginning of a conversation: its state is filed under the digest of this many.
 * Two, because a first message alone ("Hello") is shared by too many conversations; and so the least a
 * summary may stand for.
 */
export const openingMessages = 2;

/** The least number of recent messages that ever stay. */
const leastRecentMessages = 2;

/**
 * The indexes at which the next record may end, ascending: past the last record and the opening messages,
 * before a call that waits for its result, with recent messages left.
 *
 * @param start - Index of the first message that no record stands for.
 */
export function legalCuts(
  {
    conversation,
    groups,
    identity,
  }: {
    readonly conversation: readonly Message[];
    readonly groups: AtomicGroups;
    readonly identity: ConversationIdentity;
  },
  start: number,
): readonly number[] {
  const opening = identity.indexAfter(openingMessages) ?? Number.POSITIVE_INFINITY;
  const first = Math.max(start + 1, opening);
  const last = Math.min(groups.firstUnanswered, conversation.length - leastRecentMessages);
  return groups.boundaries.filter(
    (index) =>
      index >= first &&
      index <= last &&
      // Where a stored record will be taken to end: behind a message that identifies the conversation.
      identity.indexAfter(identity.significantBefore(index)) === index,
  );
}
