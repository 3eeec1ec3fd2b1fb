import type { SummaryStrategy } from '../summary-strategy.ts';
import { isUnfiltered, type ResolvedMessageFilter } from './message-filter.ts';

/**
 * Lets a strategy that works without a model read messages as a filter says: texts to condense are cut,
 * those to omit give way to a marker. Tool results to condense are left to the strategy's own
 * extractors, which read more from the whole than from a cut text. A filter that lets everything
 * through returns the same strategy.
 *
 * @param options.maxSummaryChars - UTF-16 characters a text to condense may have.
 */
export function filteredStrategy(
  strategy: SummaryStrategy,
  options: { readonly filter: ResolvedMessageFilter; readonly maxSummaryChars: number },
): SummaryStrategy {
  const toolResults = options.filter.toolResults === 'omit' ? 'omit' : 'full';
  const filter: ResolvedMessageFilter = { ...options.filter, toolResults };
  if (isUnfiltered(filter)) return strategy;
  return {
    ...strategy,
    summarize: async (input) => {
      const { filterMessages } = await import('./read-messages.ts');
      const messages = await filterMessages(input.messages, input, { ...options, filter });
      return strategy.summarize({ ...input, messages });
    },
  };
}
