import { isSignificant } from '../identity/canonical-message.ts';
import { mapItems } from '../record/content-items.ts';
import { modelOrigin, type ItemOrigin } from '../record/item-origin.ts';
import type { SummaryContent } from '../record/summary-record.ts';
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

/** The same content, where what names a message that does not exist, or is not of that role, counts as the model's. */
export function withCheckedOrigins(content: SummaryContent, input: Continued): SummaryContent {
  const { originAt } = messagePositions(input);
  const first = input.previous?.coveredMessages ?? 0;
  return mapItems(content, (items) =>
    items.map((each) => {
      const { message = first, role } = each.origin;
      const isTrue = message < first || originAt(message).role === role;
      return isTrue ? each : { ...each, origin: modelOrigin };
    }),
  );
}
