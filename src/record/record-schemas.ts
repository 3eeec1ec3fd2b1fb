import { z } from 'zod/v4';
import type { RecordFigures, SummaryContent, SummaryRecord } from './summary-record.ts';

const strings = z.array(z.string());

/** It stands in prompts outside of the JSON: nothing that could be read as a text. */
const id = z.string().regex(/^[\w.:-]{1,64}$/);

const contentShape = {
  summary: z.string(),
  keyPoints: strings.max(30),
  context: z.object({
    participants: strings,
    decisions: strings,
    actionItems: z.array(
      z.object({ owner: z.string().optional(), task: z.string(), due: z.string().optional() }),
    ),
    unresolved: strings,
    domainEntities: strings,
    constraints: strings,
  }),
};

/** Validates what a strategy returns: a summary that says nothing is none. */
export const summaryContentSchema: z.ZodType<SummaryContent> = z.object({
  ...contentShape,
  summary: z.string().regex(/\S/),
});

const figuresShape = {
  id,
  timestamp: z.number(),
  depth: z.int().min(0),
  parentId: id.optional(),
  coveredMessages: z.int().min(1),
  originalMessageIds: strings.min(1),
  prefixDigest: z.string().min(1),
  strategy: z.string(),
  degraded: z.boolean(),
  metrics: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    compressionRatio: z.number().min(0).max(1),
    level: z.enum(['NONE', 'BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL']),
  }),
};

/** Validates what of a record is not its content. */
export const recordFiguresSchema: z.ZodType<RecordFigures> = z.object(figuresShape);

/**
 * Validates a {@link SummaryRecord} that comes back from a store or over the wire. Unknown keys are
 * dropped; a record of another version does not parse.
 */
export const summaryRecordSchema: z.ZodType<SummaryRecord> = z.object({
  version: z.literal(1),
  ...figuresShape,
  ...contentShape,
});
