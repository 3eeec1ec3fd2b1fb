import { z } from 'zod/v4';
import type { SummaryTreeNode } from '../summary-tree-store.ts';

const index = z.int().min(0).nullish();
const tokens = z.number().min(0);

/**
 * Reads the fields that describe a summary where it is kept, beside its text; one that does not apply may
 * be missing or null.
 */
export const nodeFieldsSchema: z.ZodType<Omit<SummaryTreeNode, 'content'>> = z
  .object({
    id: z.string(),
    conversation_id: z.string(),
    role: z.literal('summary'),
    level: z.literal([1, 2, 3]),
    chunk_index: index,
    group_index: index,
    parent_group: index,
    is_final: z.boolean(),
    summary_level: z.enum(['NONE', 'BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL']),
    input_tokens: tokens,
    output_tokens: tokens,
    compression_ratio: z.number().min(0).max(1),
    created_at: z.string(),
  })
  .refine(({ level, chunk_index }) => level !== 1 || typeof chunk_index === 'number', {
    path: ['chunk_index'],
    message: 'a summary of level 1 needs one',
  })
  .refine(({ level, group_index }) => level !== 2 || typeof group_index === 'number', {
    path: ['group_index'],
    message: 'a summary of level 2 needs one',
  })
  .transform((fields) => ({
    id: fields.id,
    conversationId: fields.conversation_id,
    layer: fields.level,
    index: fields.chunk_index ?? fields.group_index ?? 0,
    ...(typeof fields.parent_group === 'number' ? { parentGroup: fields.parent_group } : {}),
    summaryLevel: fields.summary_level,
    inputTokens: fields.input_tokens,
    outputTokens: fields.output_tokens,
    compressionRatio: fields.compression_ratio,
    createdAt: fields.created_at,
  }));

/** What is wrong with fields that are not valid, field by field. */
export function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/**
 * The fields of a summary.
 *
 * @throws when one is not what it has to be, such as a count that is not a number.
 */
export function nodeFields(
  node: SummaryTreeNode,
): Readonly<Record<string, string | number | boolean | null>> {
  const { layer } = node;
  const fields = {
    id: node.id,
    conversation_id: node.conversationId,
    role: 'summary',
    level: layer,
    chunk_index: layer === 1 ? node.index : null,
    group_index: layer === 2 ? node.index : null,
    parent_group: node.parentGroup ?? null,
    is_final: layer === 3,
    summary_level: node.summaryLevel,
    input_tokens: node.inputTokens,
    output_tokens: node.outputTokens,
    compression_ratio: node.compressionRatio,
    created_at: node.createdAt,
  };
  nodeFieldsSchema.parse(fields);
  return fields;
}
