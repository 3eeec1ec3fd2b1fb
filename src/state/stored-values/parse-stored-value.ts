import { z } from 'zod/v4';
import { visibleText } from '../../cleaning/visible-text.ts';
import { cleanRecord } from '../../cleaning/clean-content.ts';
import { recordIdOf } from '../../record/build-record.ts';
import { summaryRecordSchema } from '../../record/record-schemas.ts';
import type { StoredSummary } from '../../record/stored-summary.ts';
import type { StoredValue } from './stored-value.ts';

const tombstoneSchema = z.object({
  ending: z.enum(['erased', 'undone']),
  stamp: z.string(),
});

const storedSummarySchema: z.ZodType<StoredSummary> = z.object({
  record: summaryRecordSchema,
  lastSummarization: z.object({
    depth: z.int().min(0),
    messageCount: z.int().min(0),
    tokenRatio: z.number().min(0),
  }),
  treeId: z.string().optional(),
  parentDigest: z.string().min(1).optional(),
  ancestorsUntil: z.number().optional(),
  lastIds: z.array(z.string()).optional(),
  listKeys: z.array(z.string()).max(4).optional(),
  ratioIfUndone: z.number().min(0).optional(),
  archiveId: z.string().min(1).optional(),
  prepared: z.literal(true).optional(),
});

/**
 * Reads what was sealed under the key of a record; whatever is neither a valid summary nor a tombstone is
 * `undefined`. Its texts pass like those that are written, and its id is that of the key: whoever wrote it
 * may have been another version of this package.
 */
export function parseStoredValue(key: string, text: string): StoredValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const ended = tombstoneSchema.safeParse(value);
    if (ended.success) return ended.data;
    const { data } = storedSummarySchema.safeParse(value);
    if (data === undefined) return undefined;
    const record = { ...cleanRecord(data.record, visibleText), id: recordIdOf(key) };
    return { summary: { ...data, record } };
  } catch {
    return undefined;
  }
}
