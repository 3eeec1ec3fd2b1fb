import * as z from 'zod/v4';
import { mapFields, type AskedForm } from './record-fields.ts';
import type {
  ItemField,
  SummaryContent,
  SummaryContext,
  SummaryRecord,
  ItemOrigin,
} from './summary-record.ts';

const strings = z.array(z.string());

/** It stands in prompts outside of the JSON: nothing that could be read as a text. */
const id = z.string().regex(/^[\w.:-]{1,64}$/);

function itemSchema(asked: AskedForm | undefined): z.ZodType {
  const text = z.string();
  if (asked === 'ended') return z.object({ rule: text, by: text });
  if (asked !== 'task') return text;
  return z.object({ owner: text.optional(), task: text, due: text.optional() });
}

/** The lists of a context by their names. */
type ContextLists = Omit<SummaryContext, 'unshownConstraints' | 'raw'>;

type ListSchemas = { readonly [Name in keyof ContextLists]-?: z.ZodType<ContextLists[Name]> } & {
  readonly keyPoints: z.ZodType<readonly string[]>;
};

const lists = mapFields<ListSchemas>((_name, { asked, isOptional }) => {
  const list = z.array(itemSchema(asked));
  return isOptional === true ? list.optional() : list;
});

const { keyPoints, ...ofContext } = lists;

const contentShape = {
  summary: z.string(),
  plan: z.string().optional(),
  activity: z.string().optional(),
  keyPoints,
  context: z.object({
    ...ofContext,
    unshownConstraints: z.array(z.int().min(0)).optional(),
    raw: z.json().optional(),
  }),
};

const origins: z.ZodType<readonly ItemOrigin[]> = z.array(
  z.object({
    role: z.enum(['user', 'assistant', 'tool', 'system', 'model']),
    message: z.int().min(0).optional(),
  }),
);

const originsShape = mapFields<Readonly<Record<ItemField, typeof origins>>>(() =>
  // Earlier records lack lists that were added later.
  origins.default([]),
);

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
  version: z.literal(3),
  id,
  timestamp: z.number(),
  depth: z.int().min(0),
  parentId: id.optional(),
  coveredMessages: z.int().min(1),
  prefixDigest: z.string().min(1),
  openingDigests: strings.min(1).optional(),
  strategy: z.string(),
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
