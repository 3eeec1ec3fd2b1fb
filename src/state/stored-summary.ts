import { z } from 'zod/v4';
import { summaryRecordSchema, type SummaryRecord } from '../record/summary-record.ts';

/** How the prompt stood right after the last summarisation; cooldown and arming are read from it. */
export interface LastSummarization {
  readonly depth: number;
  /** Significant messages of the conversation at that time, covered ones included. */
  readonly messageCount: number;
  /** Tokens of the rewritten prompt over the tokens the model accepts. */
  readonly tokenRatio: number;
}

/** What the store holds for a covered prefix. */
export interface StoredSummary {
  readonly record: SummaryRecord;
  readonly lastSummarization: LastSummarization;
  /** Where a tree store keeps the conversation's summaries, when its calls carry no id. */
  readonly treeId?: string | undefined;
}

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
export function parseStoredSummary(value: string | undefined): StoredSummary | undefined {
  return parseStored(value, storedSummarySchema);
}

/** Parses stored JSON against a schema, `undefined` when either fails. */
export function parseStored<T>(value: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
