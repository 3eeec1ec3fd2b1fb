import type { KnownSummary } from './process-copy.ts';

/** Whether two summaries of the same messages were written apart. */
export function isAnother({ summary }: KnownSummary, mine: KnownSummary): boolean {
  const [theirs, ours] = [summary.record, mine.summary.record];
  return theirs.timestamp !== ours.timestamp || theirs.summary !== ours.summary;
}
