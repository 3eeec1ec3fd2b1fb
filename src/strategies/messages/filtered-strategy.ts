import type { SummaryStrategy } from '../summary-strategy.ts';
import type { FilterMessagesOptions } from './filter-messages.ts';
import { isUnfiltered, type ResolvedMessageFilter } from './message-filter.ts';

/**
 * Lets a strategy that works without a model read messages as a filter says: texts to condense are cut,
 * those to omit give way to a marker. Tool results to condense are left to the strategy's own
 * extractors, which read more from the whole than from a cut text. A filter that lets everything
 * through returns the same strategy.
 */
export function filteredStrategy(
  strategy: SummaryStrategy,
  { filter, maxSummaryChars }: Pick<FilterMessagesOptions, 'filter' | 'maxSummaryChars'>,
): SummaryStrategy {
  const applied: ResolvedMessageFilter = {
    ...filter,
    toolResults: filter.toolResults === 'summary' ? 'full' : filter.toolResults,
  };
  if (isUnfiltered(applied)) return strategy;
  return {
    ...strategy,
    summarize: async (input) => {
      const [{ filterMessages }, { timeSlices }] = await Promise.all([
        import('./filter-messages.ts'),
        import('../../util/async/time-slices.ts'),
      ]);
      const { messages, redact, log, abortSignal } = input;
      const options = { filter: applied, maxSummaryChars, redact, log };
      const filtered = await filterMessages(messages, options, timeSlices({ abortSignal }));
      return strategy.summarize({ ...input, messages: filtered });
    },
  };
}
