import { largestPrompt } from './figures.ts';
import type { InspectedLimit } from './inspection.ts';

/** A call in a chart, or the largest of several. */
export interface ChartColumn {
  /** Number of the first of them, from 1. */
  readonly call: number;
  readonly tokensWithout: number;
  readonly tokensWith: number;
  /** Whether a summary was made. */
  readonly isMade: boolean;
}

/** The calls of a conversation in at most so many columns. */
export function chartColumns(
  { calls, summaries }: InspectedLimit,
  most: number,
): readonly ChartColumn[] {
  const each = Math.max(1, Math.ceil(calls.length / most));
  return Array.from({ length: Math.ceil(calls.length / each) }, (_, index) => {
    const start = index * each;
    const group = calls.slice(start, start + each);
    return {
      call: start + 1,
      tokensWithout: largestPrompt({ calls: group }),
      tokensWith: Math.max(...group.map(({ tokensWith }) => tokensWith)),
      isMade: summaries.some(({ call }) => call >= start && call < start + each),
    };
  });
}
