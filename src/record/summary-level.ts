import type { SummaryLevel } from './summary-record.ts';

const levels: readonly (readonly [below: number, level: SummaryLevel])[] = [
  [100, 'NONE'],
  [500, 'BRIEF'],
  [3000, 'STANDARD'],
  [15_000, 'DETAILED'],
];

/** The level of a text of so many tokens. */
export function summaryLevelOf(tokens: number): SummaryLevel {
  return levels.find(([below]) => tokens < below)?.[1] ?? 'HIERARCHICAL';
}
