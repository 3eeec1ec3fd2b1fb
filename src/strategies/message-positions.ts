import { isSignificant } from '../identity/conversation-identity.ts';
import { modelOrigin, type ItemOrigin } from '../record/summary-record.ts';
import type { SummaryInput } from './summary-strategy.ts';

/** Where in their conversation the messages of an input stand. */
export interface MessagePositions {
  /** The position of a message of the input, as origins and models name it. */
  readonly positionOf: (index: number) => number;
  /** The origin of what is said to come from a position: the model's where no message stands there. */
  readonly originAt: (position: number | undefined) => ItemOrigin;
}

type Continued = Pick<SummaryInput, 'messages' | 'previous'>;

/** Counts the messages of an input behind those of the record that they continue. */
export function messagePositions({ messages, previous }: Continued): MessagePositions {
  const positions: number[] = [];
  const origins = new Map<number | undefined, ItemOrigin>();
  let next = previous?.coveredMessages ?? 0;
  for (const message of messages) {
    positions.push(next);
    if (!isSignificant(message)) continue;
    origins.set(next, { role: message.role, message: next });
    next += 1;
  }
  return {
    positionOf: (index) => positions[index] ?? next,
    originAt: (position) => origins.get(position) ?? modelOrigin,
  };
}
