import { mapItems } from '../../record/content-items.ts';
import { modelOrigin } from '../../record/item-origin.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import type { MessagePositions } from './message-positions.ts';

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
