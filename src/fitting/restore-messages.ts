import type { Message } from '../prompt/prompt-types.ts';
import { defaultPriority, type Priority } from '../selection/message-priority.ts';
import { jsonTexts } from './json-texts.ts';
import { longestText, shrinkMessage } from './shrink-messages.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import type { CountTokens } from './counted-conversation.ts';

/** A message that was shortened, and what it was. */
export interface Shortened {
  readonly index: number;
  readonly full: Message;
  readonly least: Message;
}

/** Tokens for which it is not worth showing more of a text. */
const leastRestored = 4;

/** Characters by which a text is shown longer: two tokens. */
const leastStep = 8;

/**
 * Gives shortened messages back as much as there is room for: what matters most first, and of that the newest:
 * what the user wrote before a tool's error, and that before what else tools printed. The first that does not fit whole gets the largest head and tail that fit.
 *
 * @returns the restored messages by index.
 */
export async function restoreMessages(
  shortened: readonly Shortened[],
  room: number,
  count: CountTokens,
  priority: Priority = defaultPriority,
): Promise<ReadonlyMap<number, Message>> {
  const restored = new Map<number, Message>();
  const order = shortened
    .map((entry) => ({ ...entry, priority: priority(entry.full) }))
    .toSorted((one, other) => other.priority - one.priority || other.index - one.index);
  let left = room;
  for (const { index, full, least } of order) {
    if (left < leastRestored) break;
    const taken = await count(least);
    const more = (await count(full)) - taken;
    if (more <= left) {
      restored.set(index, full);
      left -= more;
      continue;
    }
    const partial = await largestThatFits(full, least, taken + left, count);
    if (partial !== undefined) restored.set(index, partial);
    break;
  }
  return restored;
}

/** The longest head and tail of a message's texts that fit, by bisection. */
async function largestThatFits(
  full: Message,
  least: Message,
  room: number,
  count: CountTokens,
): Promise<Message | undefined> {
  // A line of facts says more than as many characters of head and tail.
  const jsonText = await jsonTexts([least, full], timeSlices());
  let low = 2 * longestText([least], jsonText);
  let high = longestText([full], jsonText);
  let best: Message | undefined;
  while (high - low > Math.max(leastStep, low / 256)) {
    const middle = Math.floor((low + high) / 2);
    const candidate = shrinkMessage(full, middle, { jsonText });
    // Each candidate depends on what came of the one before.
    if ((await count(candidate)) <= room) {
      best = candidate;
      low = middle;
    } else high = middle;
  }
  return best;
}
