import { noNarrative, renderSummary } from '../../composing/render-summary.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { countText } from '../../tokens/text/count-text.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { tokenMultiplierOf } from '../../tokens/token-multiplier-of.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/** What a summary may take. */
export interface SummaryBudget {
  /** Tokens that are left beside the frame of a summary that says nothing. */
  readonly room: number;
  /** Tokens that a summary may take as it will be injected. */
  readonly maxTokens: number;
  /** Tokens that it takes. */
  readonly tokens: (content: SummaryContent) => Promise<number>;
}

/** Tokens for the frame of a message, and those that a provider may take beyond: by these, a summary is weighed too. */
const frameOfMessage = 4;
const spareFrameTokens = 4;

/** Takes as many tokens as the sixteen hexadecimal digits of an id ever do. */
const dearestId = '4f0c83b1a8d5e2f7';

/** Measures a budget in tokens of the conversation's model. */
export async function summaryBudget(
  input: SummaryInput,
  count: (text: string) => number,
  slices: TimeSlices,
): Promise<SummaryBudget> {
  const { maxSummaryTokens, previous, usePreviousNarrative, model, tokenMultiplier } = input;
  const { recordId: id = dearestId } = input;
  const multiplier = tokenMultiplier ?? tokenMultiplierOf(model);
  const maxTokens = Math.floor((maxSummaryTokens - spareFrameTokens) / multiplier);
  const depth = previous !== undefined && usePreviousNarrative ? previous.depth + 1 : 0;
  const tokens = async (content: SummaryContent): Promise<number> =>
    frameOfMessage + (await countText(renderSummary({ ...content, id, depth }), count, slices));
  const frame = await tokens(emptyContent(noNarrative));
  return { room: Math.max(0, maxTokens - frame), maxTokens, tokens };
}
