import type { Summarization } from 'ai-sdk-summarization/ui';

/** How long an answer waited for a summary. */
export interface SummaryWait {
  readonly recordId: string;
  readonly waitMs: number;
}

/** The wait for each summary that was used: none for one that was ready before the answer it is first used in. */
export function summaryWaits({
  calls,
  summaries,
}: Pick<Summarization, 'calls' | 'summaries'>): readonly SummaryWait[] {
  const used = [...new Set(calls.flatMap(({ recordId }) => recordId ?? []))];
  return used.map((recordId) => {
    const made = summaries.find((summary) => summary.recordId === recordId)?.part;
    const isAwaited = made?.state === 'done' && made.reason !== 'ahead';
    const waitMs = (isAwaited ? made.durationMs : undefined) ?? 0;
    return { recordId, waitMs };
  });
}
