import type { KnownSummary } from './process-copy.ts';

/** Whether a summary has stood in a prompt: one that was prepared has not, before it is due. */
export function isInUse({ summary }: Pick<KnownSummary, 'summary'>): boolean {
  return summary.prepared !== true;
}
