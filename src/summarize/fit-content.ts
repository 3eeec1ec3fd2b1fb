import type { SummaryContent } from '../record/summary-record.ts';
import { cutNarrative } from './cut-narrative.ts';
import { dropOrder, withoutItems, type ItemPosition } from './drop-order.ts';

/**
 * Trims a summary until `count` gives at most `maxTokens`. A narrative that takes more than half of the
 * room is first cut to what the items leave of it, but not below that half; then items go, see
 * {@link dropOrder}; if that is not enough, the narrative is cut again. Deterministic; the number of
 * counts grows with the logarithm of items and sentences.
 *
 * @param count - Tokens of the content as it will be injected, everything around it included.
 * @param recentText - Text of the messages that follow; items it mentions outrank others.
 * @returns The same object when it fits. A content without narrative and items when even that does not.
 */
export function fitContent(
  content: SummaryContent,
  maxTokens: number,
  count: (content: SummaryContent) => number,
  recentText: string,
): SummaryContent {
  const whole = count(content);
  if (whole <= maxTokens) return content;
  const order = dropOrder(content, recentText);
  const narrativeAlone = withoutItems(content, order);
  const frame = count({ ...narrativeAlone, summary: '' });
  const bare = count(narrativeAlone);
  const room = maxTokens - frame;
  const narrativeRoom = Math.max(Math.floor(room / 2), room - (whole - bare));
  const summary =
    bare - frame <= narrativeRoom
      ? content.summary
      : cutNarrative(
          content.summary,
          (text) => count({ ...narrativeAlone, summary: text }) <= frame + narrativeRoom,
        );
  return dropItems({ ...content, summary }, order, (candidate) => count(candidate) <= maxTokens);
}

function dropItems(
  content: SummaryContent,
  order: readonly ItemPosition[],
  fits: (content: SummaryContent) => boolean,
): SummaryContent {
  const bare = withoutItems(content, order);
  if (!fits(bare)) {
    const summary = cutNarrative(content.summary, (text) => fits({ ...bare, summary: text }));
    return { ...bare, summary };
  }
  let best = bare;
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const candidate = withoutItems(content, order.slice(0, middle));
    if (fits(candidate)) {
      best = candidate;
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return best;
}
