import * as z from 'zod/v4';
import { sha256Hex } from '../../foundations/util/digest.ts';
import type { ChunkSummary, SummaryResult } from '../../foundations/record/summary-record.ts';
import { compressionRatio } from '../../foundations/util/numbers.ts';
import type { SummaryTreeNode } from './summary-store.ts';

/** A summary of a tree, and what stands for it where it is kept, beside its text. */
export interface TreeRecord {
  readonly node: SummaryTreeNode;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * The summaries of a result as stores hold them, layer by layer: chunks, groups, the final summary, which is there
 * always and says what `result.summary` says.
 *
 * @param createdAt - ISO 8601, UTC; one for all of them.
 * @throws {SyntaxError} when a field is not what it has to be, such as a count that is not a number.
 */
export function treeRecords(
  conversationId: string,
  { level: summary_level, summary, inputTokens, outputTokens, hierarchical }: SummaryResult,
  createdAt: string,
): readonly TreeRecord[] {
  // Neither UTF-8 nor servers have lone surrogates.
  const conversation_id = conversationId.toWellFormed();
  const final = { content: summary, sourceTokens: inputTokens, tokenCount: outputTokens };
  const layers: readonly (readonly Partial<ChunkSummary>[])[] = [
    hierarchical?.l1Summaries ?? [],
    hierarchical?.l2Summaries ?? [],
    [final],
  ];
  return layers.flatMap((summaries, below) =>
    summaries.map(({ content = '', parentGroup, sourceTokens = 0, tokenCount = 0 }, index) => {
      const level = below + 1;
      const fields = {
        id: nodeId(conversation_id, level, index),
        conversation_id,
        role: 'summary',
        level,
        chunk_index: level === 1 ? index : null,
        group_index: level === 2 ? index : null,
        parent_group: parentGroup ?? null,
        is_final: level === 3,
        summary_level,
        input_tokens: sourceTokens,
        output_tokens: tokenCount,
        compression_ratio: compressionRatio(sourceTokens, tokenCount),
        created_at: createdAt,
      };
      return { fields, node: nodeFromFields(fields, content.toWellFormed()) };
    }),
  );
}

function nodeId(conversationId: string, layer: number, index: number): string {
  return `${conversationId}:summary:L${layer}:${index}`;
}

/** Summaries of a tree layer by layer. */
export function inLayerOrder(nodes: readonly SummaryTreeNode[]): readonly SummaryTreeNode[] {
  return nodes.toSorted((one, other) => one.layer - other.layer || one.index - other.index);
}

/** Name of a conversation in files and filters: 64 hexadecimal digits, different for each id. */
export async function conversationKey(conversationId: string): Promise<string> {
  // As JSON, because UTF-8 has one and the same code for every lone surrogate.
  return sha256Hex(JSON.stringify(conversationId));
}

const place = z.int().min(0).nullish();
const tokens = z.number().min(0);

const fieldsSchema = z.object({
  conversation_id: z.string(),
  level: z.literal([1, 2, 3]),
  chunk_index: place,
  group_index: place,
  parent_group: place,
  summary_level: z.enum(['NONE', 'BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL']),
  input_tokens: tokens,
  output_tokens: tokens,
  created_at: z.string(),
});

/**
 * The summary that fields describe; one that does not apply may be missing or null, and what follows from others is
 * not read.
 *
 * @throws {SyntaxError} saying what is wrong with them, field by field.
 */
export function nodeFromFields(fields: unknown, content: string): SummaryTreeNode {
  const { data, error } = fieldsSchema.safeParse(fields);
  const faults = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (data === undefined) throw new SyntaxError(faults?.join('; '));
  const { conversation_id: conversationId, level: layer, input_tokens, output_tokens } = data;
  const name = layer === 1 ? 'chunk_index' : 'group_index';
  const index = layer === 3 ? 0 : data[name];
  if (typeof index !== 'number')
    throw new SyntaxError(`${name}: a summary of level ${layer} needs one`);
  return {
    id: nodeId(conversationId, layer, index),
    conversationId,
    layer,
    index,
    parentGroup: data.parent_group ?? undefined,
    content,
    summaryLevel: data.summary_level,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    compressionRatio: compressionRatio(input_tokens, output_tokens),
    createdAt: data.created_at,
  };
}
