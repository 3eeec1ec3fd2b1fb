import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { WholeRecord } from './document.ts';

/** Where a window of a history stands among the messages that a record covers. */
export type WindowMatch =
  /** The window's first `count` messages are the last ones covered. */
  | { readonly kind: 'covered'; readonly count: number }
  /**
   * `gap`: the window begins behind what is covered, or somewhere else altogether. `unclear`: it could stand in two
   * places, begins before the messages that are known to be covered, or fewer than four messages overlap, or none of a
   * user.
   */
  | { readonly kind: 'gap' | 'unclear' };

/** Messages that must overlap: greetings and short tool results occur in many conversations. */
const leastOverlap = 4;

/** Summaries that a window of a conversation is compared with. */
const maxNewest = 3;

/**
 * Looks for the summary that a window of a conversation continues, the newest first.
 *
 * @param records - Oldest first.
 * @param isUser - Whether the message at a place of the window is a user's.
 * @returns the summary, and how many of its last messages are sent; `isGap`: none of what the summaries stand for is sent
 * any more.
 */
export async function findWindow(
  records: readonly WholeRecord[],
  sent: Pick<ConversationIdentity, 'messageDigests' | 'significantBefore'>,
  isUser: (place: number) => boolean,
): Promise<{
  readonly known?: WholeRecord | undefined;
  readonly count: number;
  readonly isGap: boolean;
}> {
  const total = sent.significantBefore(Number.POSITIVE_INFINITY);
  let isGap = records.length > 0;
  for (const known of records.slice(-maxNewest).toReversed()) {
    const window = await sent.messageDigests(0, total);
    const match = matchWindow(known.lastIds ?? [], window, isUser);
    if (match.kind === 'covered' && match.count < total)
      return { known, count: match.count, isGap: false };
    isGap &&= match.kind === 'gap';
  }
  return { count: 0, isGap };
}

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
  /** Whether all of `lastIds` from a place on stand in the window from another one on, as far as that reaches. */
  const stands = (from: number, at: number): boolean => {
    if (lastIds.length - from > window.length - at) return false;
    for (let index = from; index < lastIds.length; index += 1)
      if (lastIds[index] !== window[at + index - from]) return false;
    return true;
  };
  const starts = Array.from(lastIds.keys()).filter((from) => stands(from, 0));
  const isEarlier = lastIds.length > 0 && window.some((_, at) => at > 0 && stands(0, at));
  const [start] = starts;
  if (start === undefined) return { kind: isEarlier ? 'unclear' : 'gap' };
  const count = lastIds.length - start;
  const isEnough =
    count >= leastOverlap && window.slice(0, count).some((_, index) => isUser(index));
  return isEnough && starts.length === 1 && !isEarlier
    ? { kind: 'covered', count }
    : { kind: 'unclear' };
}
