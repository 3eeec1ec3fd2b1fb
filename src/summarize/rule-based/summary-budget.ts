import { renderSummary } from '../../injection/render-summary.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { tokenMultiplierOf } from '../../tokens/token-multiplier-of.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/** What a summary may take. */
export interface SummaryBudget {
  /** Tokens that are left beside the frame of an empty summary. */
  readonly room: number;
  /** Tokens of a text inside the summary. */
  readonly size: (text: string) => number;
  /** Whether a summary keeps to the budget as it will be injected. */
  readonly fits: (content: SummaryContent) => boolean;
}

/** Tokens for the frame of a message, and the most that the sixteen hexadecimal digits of an id take. */
const messageTokens = 4;
const idTokens = 15;

/** Tokens between two items of a list. */
const itemTokens = 1;

/** Measures a budget in tokens of the conversation's model. */
export function summaryBudget(
  { maxSummaryTokens, previous, usePreviousNarrative, model }: SummaryInput,
  count: (text: string) => number,
): SummaryBudget {
  const maxTokens = Math.floor(maxSummaryTokens / tokenMultiplierOf(model));
  const depth = previous !== undefined && usePreviousNarrative ? previous.depth + 1 : 0;
  const rendered = (content: SummaryContent): number =>
    messageTokens + idTokens + count(renderSummary({ ...content, id: '', depth }));
  return {
    room: Math.max(0, maxTokens - rendered(emptyContent(''))),
    size: (text) => count(JSON.stringify(text)) + itemTokens,
    fits: (content) => rendered(content) <= maxTokens,
  };
}
