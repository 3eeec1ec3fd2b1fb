import { messagesAtOnce, type TimeSlices } from '../util/async/time-slices.ts';
import type { ConversationView } from './conversation-view.ts';

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
export async function legalCuts(
  view: ConversationView,
  start: number,
  slices: TimeSlices,
): Promise<readonly number[]> {
  await view.read(slices);
  const { conversation, groups, identity } = view;
  const opening = identity.indexAfter(openingMessages) ?? Number.POSITIVE_INFINITY;
  const first = Math.max(start + 1, opening);
  const last = Math.min(groups.firstUnanswered, conversation.length - leastRecentMessages);
  const cuts: number[] = [];
  for (const [place, index] of groups.boundaries.entries()) {
    if (place % messagesAtOnce === 0) await slices.pause();
    if (index < first || index > last) continue;
    // Where a stored record will be taken to end: behind a message that identifies the conversation.
    if (identity.indexAfter(identity.significantBefore(index)) === index) cuts.push(index);
  }
  return cuts;
}
