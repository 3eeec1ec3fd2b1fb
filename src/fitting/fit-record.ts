import { renderSummary } from '../composing/render-summary.ts';
import { contentOf, itemsOf } from '../record/content-items.ts';
import type { SummaryContent, SummaryRecord } from '../record/summary-record.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import { fitContent } from './fit-content.ts';
import { timeSlices } from '../util/async/time-slices.ts';

/** What a record is fitted with. */
export interface RecordFitting {
  readonly measure: Pick<TokenMeasure, 'count' | 'unscaled'>;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Tokens that a record takes, unscaled, as a system message. */
export async function recordTokens(
  record: SummaryRecord,
  { measure, abortSignal }: RecordFitting,
): Promise<number> {
  const message = { role: 'system', content: renderSummary(record) } as const;
  await measure.count([message], abortSignal);
  return measure.unscaled.message(message);
}

/**
 * Trims what a record says to so many tokens, as a summary is trimmed to its budget when it is made.
 *
 * @returns `undefined` where no narrative would be left.
 */
export async function fitRecord(
  { minutes, ...record }: SummaryRecord,
  maxTokens: number,
  fitting: RecordFitting,
): Promise<SummaryRecord | undefined> {
  const slices = timeSlices({ abortSignal: fitting.abortSignal });
  const saying = (content: SummaryContent): SummaryRecord => ({
    ...record,
    ...contentOf(content, itemsOf(content)),
  });
  const content = await fitContent(saying({ ...record, minutes }), {
    maxTokens,
    count: async (candidate) => recordTokens(saying(candidate), fitting),
    slices,
  });
  return content.summary === '' ? undefined : saying(content);
}
