import { z } from 'zod/v4';
import { sha256Hex } from '../../hash/sha256-hex.ts';
import type { SummaryTreeNode } from '../summary-tree-store.ts';
import { faultsOf, nodeFields, nodeFieldsSchema } from '../trees/node-fields.ts';
import { compressionRatio } from '../../util/compression-ratio.ts';
import type { ChromaMetadata } from './chroma-client.ts';

/** One persisted tree: all its records carry it, and the final summary's says which one holds. */
export interface Generation {
  readonly conversation_key: string;
  readonly generation: string;
  /** Milliseconds since the epoch. */
  readonly persisted_at: number;
  /** Records it has beside the final summary's. */
  readonly l1_count: number;
  readonly l2_count: number;
}

const generationSchema: z.ZodType<Generation> = z.object({
  conversation_key: z.string(),
  generation: z.string(),
  persisted_at: z.number(),
  l1_count: z.number(),
  l2_count: z.number(),
});

/** A record that was read. */
export interface StoredNode {
  readonly node: SummaryTreeNode;
  readonly generation: Generation;
}

/**
 * What stands for a conversation in ids and filters: fixed in length and different for each id. It is
 * also the id of the record of the final summary.
 */
export async function conversationKeyOf(conversationId: string): Promise<string> {
  // As JSON, because UTF-8 has one and the same code for every lone surrogate.
  return sha256Hex(JSON.stringify(conversationId));
}

/** Ids of the records of a tree, without the final one's. */
export function recordIds(generation: Generation): readonly string[] {
  const ids = (layer: 1 | 2, length: number): string[] =>
    Array.from({ length }, (_, index) => recordId(generation, { layer, index }));
  return [...ids(1, generation.l1_count), ...ids(2, generation.l2_count)];
}

/** The id of a summary's record. There is one final summary, and so one record that can be replaced at once. */
export function recordId(
  { conversation_key, generation }: Generation,
  { layer, index }: Pick<SummaryTreeNode, 'layer' | 'index'>,
): string {
  return layer === 3 ? conversation_key : `${conversation_key}:${generation}:L${layer}:${index}`;
}

/** The id of the record that keeps the final summary of a tree that was replaced. */
export function earlierFinalId({ conversation_key, generation }: Generation): string {
  return `${conversation_key}:${generation}:L3:0`;
}

/** What a summary's record says beside its text: the fields of the summary, and where it belongs. */
export function metadataOf(node: SummaryTreeNode, generation: Generation): ChromaMetadata {
  const fields = Object.entries(nodeFields(node))
    .filter(([, value]) => value !== null)
    // The server refuses lone surrogates.
    .map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value]);
  return { ...Object.fromEntries(fields), ...generation };
}

/**
 * Reads a record.
 *
 * @throws {Error} when it is not one of a summary.
 */
export function parseRecord(
  id: string,
  document: string | null | undefined,
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): StoredNode {
  const fields = nodeFieldsSchema.safeParse(metadata);
  const generation = generationSchema.safeParse(metadata);
  if (!fields.success || !generation.success) {
    const faults = fields.success ? 'it names no tree' : faultsOf(fields.error);
    throw new Error(`The record ${id} of the collection does not hold a summary: ${faults}.`);
  }
  const node = { ...fields.data, content: document ?? '' };
  // The server's parser of numbers may be off by the last bit.
  const ratio = compressionRatio(node.inputTokens, node.outputTokens);
  const isExact = Math.abs(ratio - node.compressionRatio) < 1e-12;
  return {
    node: isExact ? { ...node, compressionRatio: ratio } : node,
    generation: generation.data,
  };
}
