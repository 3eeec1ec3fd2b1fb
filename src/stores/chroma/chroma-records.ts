import { sha256Hex } from '../../hash/sha256-hex.ts';
import type { SummaryTreeNode } from '../summary-tree-store.ts';
import { faultsOf, nodeFields, nodeFieldsSchema, nodeOfFields } from '../trees/node-fields.ts';
import { compressionRatio } from '../../util/compression-ratio.ts';
import type { ChromaMetadata } from './chroma-client.ts';

/** One persisted tree: all its records carry it, and the final summary's says which one holds. */
export interface Generation {
  readonly conversationKey: string;
  readonly generation: string;
  /** Milliseconds since the epoch. */
  readonly persistedAt: number;
  /** Records it has beside the final summary's. */
  readonly l1Count: number;
  readonly l2Count: number;
}

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
  const { l1Count, l2Count } = generation;
  return [
    ...Array.from({ length: l1Count }, (_, index) => recordId(generation, { layer: 1, index })),
    ...Array.from({ length: l2Count }, (_, index) => recordId(generation, { layer: 2, index })),
  ];
}

/** The id of a summary's record. There is one final summary, and so one record that can be replaced at once. */
export function recordId(
  { conversationKey, generation }: Generation,
  { layer, index }: Pick<SummaryTreeNode, 'layer' | 'index'>,
): string {
  return layer === 3 ? conversationKey : `${conversationKey}:${generation}:L${layer}:${index}`;
}

/**
 * What a summary's record says beside its text: the fields of the summary, and where it belongs.
 *
 * @throws when a field is not what it has to be, such as a count that is not a number.
 */
export function metadataOf(node: SummaryTreeNode, generation: Generation): ChromaMetadata {
  const fields = Object.entries(nodeFieldsSchema.parse(nodeFields(node)))
    .filter(([, value]) => value !== null)
    // The server refuses lone surrogates.
    .map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value]);
  return {
    ...Object.fromEntries(fields),
    conversation_key: generation.conversationKey,
    generation: generation.generation,
    persisted_at: generation.persistedAt,
    l1_count: generation.l1Count,
    l2_count: generation.l2Count,
  };
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
  const generation = parseGeneration(metadata ?? {});
  if (!fields.success || generation === undefined) {
    const faults = fields.success ? 'it names no tree' : faultsOf(fields.error);
    throw new Error(`The record ${id} of the collection does not hold a summary: ${faults}.`);
  }
  const node = nodeOfFields(fields.data, document ?? '');
  return { node: { ...node, compressionRatio: exactRatio(node) }, generation };
}

/** The server's parser of numbers may be off by the last bit. */
function exactRatio(node: SummaryTreeNode): number {
  const ratio = compressionRatio(node.inputTokens, node.outputTokens);
  return Math.abs(ratio - node.compressionRatio) < 1e-12 ? ratio : node.compressionRatio;
}

function parseGeneration(metadata: Readonly<Record<string, unknown>>): Generation | undefined {
  const {
    conversation_key: conversationKey,
    generation,
    persisted_at: persistedAt,
    l1_count: l1Count,
    l2_count: l2Count,
  } = metadata;
  const isOne =
    typeof conversationKey === 'string' &&
    typeof generation === 'string' &&
    typeof persistedAt === 'number' &&
    typeof l1Count === 'number' &&
    typeof l2Count === 'number';
  return isOne ? { conversationKey, generation, persistedAt, l1Count, l2Count } : undefined;
}
