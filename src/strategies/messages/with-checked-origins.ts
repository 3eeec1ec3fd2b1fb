import { contentOf, itemsOf, type ContentItem } from '../../record/content-items.ts';
import { modelOrigin } from '../../record/item-origin.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import type { MessagePositions } from './message-positions.ts';

/** The same content, where what names a message that does not exist, or is not of that role, counts as the model's. */
export function withCheckedOrigins(
  content: SummaryContent,
  { originAt, first }: MessagePositions,
): SummaryContent {
  const checked = <Item>(items: readonly ContentItem<Item>[]): readonly ContentItem<Item>[] =>
    items.map((each) => {
      const { message = first, role } = each.origin;
      const isTrue = message < first || originAt(message).role === role;
      return isTrue ? each : { ...each, origin: modelOrigin };
    });
  const lists = itemsOf(content);
  return contentOf(content, {
    keyPoints: checked(lists.keyPoints),
    participants: checked(lists.participants),
    decisions: checked(lists.decisions),
    actionItems: checked(lists.actionItems),
    unresolved: checked(lists.unresolved),
    domainEntities: checked(lists.domainEntities),
    constraints: checked(lists.constraints),
    replacedConstraints: checked(lists.replacedConstraints),
    openRequests: checked(lists.openRequests),
  });
}
