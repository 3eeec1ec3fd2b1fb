import { z } from 'zod/v4';
import type { SummaryTreeNode } from '../summary-tree-store.ts';

/** The fields that describe a summary where it is kept; its text stands beside them. */
export interface NodeFields {
  readonly id: string;
  readonly conversation_id: string;
  readonly role: 'summary';
  /** Layer of the tree: 1, 2 or 3. */
  readonly level: 1 | 2 | 3;
  /** Place among the chunks; only in layer 1. */
  readonly chunk_index: number | null;
  /** Place among the groups; only in layer 2. */
  readonly group_index: number | null;
  /** Group that it was merged into, if it was. */
  readonly parent_group: number | null;
  readonly is_final: boolean;
  readonly summary_level: SummaryTreeNode['summaryLevel'];
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly compression_ratio: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

const index = z
  .int()
  .min(0)
  .nullish()
  .transform((value) => value ?? null);
const tokens = z.number().min(0);

/** Validates fields that were read back; a field that does not apply may be missing or null. */
export const nodeFieldsSchema: z.ZodType<NodeFields> = z
  .object({
    id: z.string(),
    conversation_id: z.string(),
    role: z.literal('summary'),
    level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
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
  .refine(({ level, chunk_index }) => level !== 1 || chunk_index !== null, {
    path: ['chunk_index'],
    message: 'a summary of level 1 needs one',
  })
  .refine(({ level, group_index }) => level !== 2 || group_index !== null, {
    path: ['group_index'],
    message: 'a summary of level 2 needs one',
  });

/** What is wrong with fields that are not valid, field by field. */
export function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/** The fields of a summary. */
export function nodeFields(node: SummaryTreeNode): NodeFields {
  const { layer } = node;
  return {
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
}

/** The summary that fields and a text describe. */
export function nodeOfFields(fields: NodeFields, content: string): SummaryTreeNode {
  return {
    id: fields.id,
    conversationId: fields.conversation_id,
    layer: fields.level,
    index: fields.chunk_index ?? fields.group_index ?? 0,
    ...(fields.parent_group === null ? {} : { parentGroup: fields.parent_group }),
    content,
    summaryLevel: fields.summary_level,
    inputTokens: fields.input_tokens,
    outputTokens: fields.output_tokens,
    compressionRatio: fields.compression_ratio,
    createdAt: fields.created_at,
  };
}
