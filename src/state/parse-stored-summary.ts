import { z } from 'zod/v4';
import { summaryRecordSchema } from '../record/record-schemas.ts';
import type { StoredSummary } from './stored-summary.ts';

const storedSummarySchema: z.ZodType<StoredSummary> = z.object({
  record: summaryRecordSchema,
  lastSummarization: z.object({
    depth: z.int().min(0),
    messageCount: z.int().min(0),
    tokenRatio: z.number().min(0),
  }),
  treeId: z.string().min(1).optional(),
});

/** Reads what a store returned; whatever is not a valid summary is a miss. */
export function parseStoredSummary(value: string): StoredSummary | undefined {
  try {
    return storedSummarySchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
