import { isSignificant } from '../identity/canonical-message.ts';
import { mapItems } from '../record/content-items.ts';
import { modelOrigin, type ItemOrigin } from '../record/item-origin.ts';
import type { SummaryContent } from '../record/summary-record.ts';
import type { SummaryInput } from './summary-strategy.ts';

/** Where in their conversation the messages of an input stand. */
export interface MessagePositions {
  /** The position of the first one. */
  readonly first: number;
  /** The position of a message of the input, as origins and models name it. */
  readonly positionOf: (index: number) => number;
  /** The origin of what a message of the input says; the model's where the input has none at that index. */
  readonly originOf: (index: number) => ItemOrigin;
  /** The origin of what is said to come from a position: the model's where no message stands there. */
  readonly originAt: (position: number | undefined) => ItemOrigin;
}

/** Counts the messages of an input behind those of the record that they continue. */
export function messagePositions({
  messages,
  previous,
}: Pick<SummaryInput, 'messages' | 'previous'>): MessagePositions {
  const positions: number[] = [];
  const indexes = new Map<number, number>();
  const first = previous?.coveredMessages ?? 0;
  let next = first;
  for (const [index, message] of messages.entries()) {
    positions.push(next);
    if (!isSignificant(message)) continue;
    indexes.set(next, index);
    next += 1;
  }
  const originOf = (index = -1): ItemOrigin => {
    const role = messages[index]?.role;
    return role === undefined ? modelOrigin : { role, message: positions[index] };
  };
  return {
    first,
    positionOf: (index) => positions[index] ?? next,
    originOf,
    originAt: (position) => originOf(indexes.get(position ?? -1)),
  };
}

/** The same content, where what names a message that does not exist, or is not of that role, counts as the model's. */
export function withCheckedOrigins(
  content: SummaryContent,
  { originAt, first }: MessagePositions,
): SummaryContent {
  return mapItems(content, (items) =>
    items.map((each) => {
      const { message = first, role } = each.origin;
      const isTrue = message < first || originAt(message).role === role;
      return isTrue ? each : { ...each, origin: modelOrigin };
    }),
  );
}
