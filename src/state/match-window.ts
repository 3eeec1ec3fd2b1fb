import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { WholeRecord } from './document.ts';

/** Where a window of a history stands among the messages that a record covers. */
export type WindowMatch =
  /** The window's first `count` messages are the last ones covered. */
  | { readonly kind: 'covered'; readonly count: number }
  /**
   * `gap`: the window begins behind what is covered, or somewhere else altogether. `ambiguous`: it could stand
   * in two places. `too-little`: fewer than four messages overlap, or none of a user. `earlier`: it begins
   * before the messages that are known to be covered, which cannot be borne out.
   */
  | { readonly kind: 'gap' | 'ambiguous' | 'too-little' | 'earlier' };

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
    const match = matchWindow({ lastIds: known.lastIds ?? [], window, isUser });
    if (match.kind === 'covered' && match.count < total)
      return { known, count: match.count, isGap: false };
    isGap &&= match.kind === 'gap';
  }
  return { count: 0, isGap };
}

/**
 * Finds the messages of a window that a record covers: its first ones, equal to the last covered ones, one for
 * one and in one alignment only. Takes linear time, however periodic the messages are.
 *
 * @param options.lastIds - Digests of the last covered messages, oldest first: some, or all of them.
 * @param options.window - Digests of the messages that the client sent, oldest first.
 * @param options.isUser - Whether the window's message at an index is a user's.
 */
export function matchWindow({
  lastIds,
  window,
  isUser,
}: {
  readonly lastIds: readonly string[];
  readonly window: readonly string[];
  readonly isUser: (index: number) => boolean;
}): WindowMatch {
  const start = window.slice(0, lastIds.length);
  const borders = borderLengths([...start, undefined, ...lastIds]);
  const count = borders.at(-1) ?? 0;
  const beginsEarlier =
    lastIds.length > 0 &&
    borderLengths([...lastIds, undefined, ...window]).includes(
      lastIds.length,
      2 * lastIds.length + 1,
    );
  if (count === 0) return { kind: beginsEarlier ? 'earlier' : 'gap' };
  // A shorter start of the window that ends what is covered, too, is a border of the longest one.
  if (beginsEarlier || (borders[count - 1] ?? 0) > 0) return { kind: 'ambiguous' };
  const isEnough = count >= leastOverlap && start.slice(0, count).some((_, index) => isUser(index));
  return isEnough ? { kind: 'covered', count } : { kind: 'too-little' };
}

/**
 * Length of the longest border of each prefix: of what begins and ends it, itself left out. Behind a pattern and
 * something that nothing equals, it says how much of the pattern ends at each place. D. E. Knuth, J. H. Morris and
 * V. R. Pratt, "Fast pattern matching in strings", 1977, section 2.
 */
function borderLengths(ids: readonly (string | undefined)[]): Uint32Array {
  const borders = new Uint32Array(ids.length);
  for (let index = 1; index < ids.length; index += 1) {
    let length = borders[index - 1] ?? 0;
    while (length > 0 && ids[length] !== ids[index]) length = borders[length - 1] ?? 0;
    borders[index] = ids[length] === ids[index] ? length + 1 : 0;
  }
  return borders;
}
