import { z } from 'zod/v4';
import { visibleText } from '../cleaning/visible-text.ts';
import { cleanRecord } from '../cleaning/clean-content.ts';
import { summaryRecordSchema } from '../record/record-schemas.ts';
import type { StoredSummary } from '../record/stored-summary.ts';

const storedSummarySchema: z.ZodType<StoredSummary> = z.object({
  record: summaryRecordSchema,
  lastSummarization: z.object({
    depth: z.int().min(0),
    messageCount: z.int().min(0),
    tokenRatio: z.number().min(0),
  }),
  treeId: z.string().min(1).optional(),
});

/**
 * Reads what a store returned; whatever is not a valid summary is a miss. Its texts pass like those that
 * are written: a store may have been written to by others.
 */
export function parseStoredSummary(value: string): StoredSummary | undefined {
  try {
    const { data } = storedSummarySchema.safeParse(JSON.parse(value));
    return data && { ...data, record: cleanRecord(data.record, visibleText) };
  } catch {
    return undefined;
  }
}
