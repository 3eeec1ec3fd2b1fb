import { isSignificant } from '../../identity/canonical-message.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { modelOrigin, type ItemOrigin } from '../../record/item-origin.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/** Where in their conversation the messages of an input stand. */
export interface MessagePositions {
  /** The position of a message of the input, as origins and models name it. */
  readonly positionOf: (index: number) => number;
  /** The index in the input of the message at a position; `undefined` where the input has none. */
  readonly indexOf: (position: number) => number | undefined;
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
  let next = previous?.coveredMessages ?? 0;
  for (const [index, message] of messages.entries()) {
    positions.push(next);
    if (!isSignificant(message)) continue;
    indexes.set(next, index);
    next += 1;
  }
  const roleAt = (position: number): Message['role'] | undefined =>
    messages[indexes.get(position) ?? -1]?.role;
  return {
    positionOf: (index) => positions[index] ?? next,
    indexOf: (position) => indexes.get(position),
    originAt: (position) => {
      const role = position === undefined ? undefined : roleAt(position);
      return role === undefined ? modelOrigin : { role, message: position };
    },
  };
}
