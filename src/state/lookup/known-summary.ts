import type { KnownSummary } from './process-copy.ts';

/** Whether a summary has stood in a prompt: one that was prepared has not, before it is due. */
export function isInUse({ summary }: Pick<KnownSummary, 'summary'>): boolean {
  return summary.prepared !== true;
}

/** Whether two summaries of the same messages were written apart. */
export function isAnother({ summary }: KnownSummary, mine: KnownSummary): boolean {
  const [theirs, ours] = [summary.record, mine.summary.record];
  return theirs.timestamp !== ours.timestamp || theirs.summary !== ours.summary;
}
