import type { SummaryLevel } from './summary-record.ts';

/**
 * The level of a text of so many tokens: one that is left as it is, has one sentence, one paragraph, is read in chunks
 * whose summaries are merged, or in chunks, groups of chunks and one final summary.
 */
export function summaryLevelOf(tokens: number): SummaryLevel {
  if (tokens < 100) return 'NONE';
  if (tokens < 500) return 'BRIEF';
  if (tokens < 3000) return 'STANDARD';
  return tokens < 15_000 ? 'DETAILED' : 'HIERARCHICAL';
}
