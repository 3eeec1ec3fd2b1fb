import type { SummaryLevel } from './summary-record.ts';

/** Tokens from which on a text is summarised at each level. Below `brief` it is left as it is. */
export interface SummaryThresholds {
  /** One sentence. @default 100 */
  readonly brief: number;
  /** One paragraph. @default 500 */
  readonly standard: number;
  /** In chunks whose summaries are merged. @default 3000 */
  readonly detailed: number;
  /** In chunks, groups of chunks and one final summary. @default 15_000 */
  readonly hierarchical: number;
}

/** The thresholds where none are given. */
export const defaultThresholds: SummaryThresholds = {
  brief: 100,
  standard: 500,
  detailed: 3000,
  hierarchical: 15_000,
};

/** The level of a text of so many tokens: the highest whose threshold it reaches. */
export function summaryLevelOf(
  tokens: number,
  thresholds: SummaryThresholds = defaultThresholds,
): SummaryLevel {
  if (tokens < thresholds.brief) return 'NONE';
  if (tokens < thresholds.standard) return 'BRIEF';
  if (tokens < thresholds.detailed) return 'STANDARD';
  return tokens < thresholds.hierarchical ? 'DETAILED' : 'HIERARCHICAL';
}
