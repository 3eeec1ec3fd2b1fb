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
  const borders = borderLengths(start);
  const count = matchedLengths(start, borders, lastIds).at(-1) ?? 0;
  const beginsEarlier =
    lastIds.length > 0 &&
    matchedLengths(lastIds, borderLengths(lastIds), window).includes(
      lastIds.length,
      lastIds.length,
    );
  if (count === 0) return { kind: beginsEarlier ? 'earlier' : 'gap' };
  // A shorter start of the window that ends what is covered, too, is a border of the longest one.
  if (beginsEarlier || (borders[count - 1] ?? 0) > 0) return { kind: 'ambiguous' };
  if (count < leastOverlap) return { kind: 'too-little' };
  for (let index = 0; index < count; index += 1)
    if (isUser(index)) return { kind: 'covered', count };
  return { kind: 'too-little' };
}

/**
 * Length of the longest border of each prefix: of what begins and ends it, itself left out. D. E. Knuth, J. H.
 * Morris and V. R. Pratt, "Fast pattern matching in strings", 1977, section 2.
 */
function borderLengths(pattern: readonly string[]): Uint32Array {
  const borders = new Uint32Array(pattern.length);
  let length = 0;
  for (let index = 1; index < pattern.length; index += 1) {
    length = extended(pattern, borders, length, pattern[index]);
    borders[index] = length;
  }
  return borders;
}

/** How much of the beginning of a pattern ends at each place of a text, at most. */
function matchedLengths(
  pattern: readonly string[],
  borders: Uint32Array,
  text: readonly string[],
): Uint32Array {
  const lengths = new Uint32Array(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    length = extended(pattern, borders, length, text[index]);
    lengths[index] = length;
  }
  return lengths;
}

/** What a match of so many ids becomes with the next id: longer by one, or the longest border that can. */
function extended(
  pattern: readonly string[],
  borders: Uint32Array,
  length: number,
  id: string | undefined,
): number {
  let kept = length;
  while (kept > 0 && pattern[kept] !== id) kept = borders[kept - 1] ?? 0;
  return pattern.length > kept && pattern[kept] === id ? kept + 1 : 0;
}
