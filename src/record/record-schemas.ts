import { z } from 'zod/v4';
import type { ItemOrigin } from './item-origin.ts';
import type { SummaryContent, SummaryRecord } from './summary-record.ts';

const strings = z.array(z.string());

/** It stands in prompts outside of the JSON: nothing that could be read as a text. */
const id = z.string().regex(/^[\w.:-]{1,64}$/);

const contentShape = {
  summary: z.string(),
  minutes: z.string().optional(),
  keyPoints: strings,
  context: z.object({
    participants: strings,
    decisions: strings,
    actionItems: z.array(
      z.object({ owner: z.string().optional(), task: z.string(), due: z.string().optional() }),
    ),
    unresolved: strings,
    domainEntities: strings,
    constraints: strings,
    unshownConstraints: z.array(z.int().min(0)).optional(),
    replacedConstraints: z.array(z.object({ rule: z.string(), by: z.string() })).optional(),
    userWords: strings.optional(),
    raw: z.json().optional(),
  }),
};

const origins: z.ZodType<readonly ItemOrigin[]> = z.array(
  z.object({
    role: z.enum(['user', 'assistant', 'tool', 'system', 'model']),
    message: z.int().min(0).optional(),
  }),
);

const originsShape = {
  keyPoints: origins,
  participants: origins,
  decisions: origins,
  actionItems: origins,
  unresolved: origins,
  domainEntities: origins,
  constraints: origins,
  replacedConstraints: origins,
  userWords: origins,
};

/** Validates what a strategy returns: a summary that says nothing is none. */
export const summaryContentSchema: z.ZodType<SummaryContent> = z.object({
  ...contentShape,
  summary: z.string().regex(/\S/),
  origins: z.object(originsShape).partial().optional(),
});

/**
 * Validates a {@link SummaryRecord} that comes back from a store or over the wire. Unknown keys are
 * dropped; a record of another version does not parse.
 */
export const summaryRecordSchema: z.ZodType<SummaryRecord> = z.object({
  version: z.literal(2),
  id,
  timestamp: z.number(),
  depth: z.int().min(0),
  parentId: id.optional(),
  coveredMessages: z.int().min(1),
  prefixDigest: z.string().min(1),
  openingDigests: strings.min(1).optional(),
  strategy: z.string(),
  promptVersion: z.string().optional(),
  degraded: z.boolean(),
  metrics: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    compressionRatio: z.number().min(0).max(1),
    level: z.enum(['NONE', 'BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL']),
  }),
  ...contentShape,
  origins: z.object(originsShape),
});
