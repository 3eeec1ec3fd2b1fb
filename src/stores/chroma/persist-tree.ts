import type { SummaryResult } from '../../record/summary-result.ts';
import type { SummaryTreeNode } from '../summary-tree-store.ts';
import { treeNodes } from '../trees/tree-nodes.ts';
import type { ChromaCollection } from './chroma-client.ts';
import {
  conversationKeyOf,
  metadataOf,
  recordId,
  recordIds,
  type Generation,
  type StoredNode,
} from './chroma-records.ts';
import { batches, embedTexts, type EmbedTexts } from './embed-texts.ts';
import { readRecords } from './read-tree.ts';

/** Milliseconds after which records of a tree that never came to hold count as left behind. */
const leftBehindAfterMs = 60 * 60 * 1000;

/**
 * Writes a tree beside the one that holds, then the record of the final summary, which names the tree it
 * belongs to: one write, before which the old tree holds and after which the new one does. Then removes
 * the old one and what writers that died have left behind.
 */
export async function persistTree(
  collection: ChromaCollection,
  embed: EmbedTexts,
  conversationId: string,
  result: SummaryResult,
): Promise<void> {
  const now = new Date();
  const nodes = treeNodes(conversationId, result, now.toISOString());
  const count = (layer: number): number => nodes.filter((node) => node.layer === layer).length;
  const generation: Generation = {
    conversation_key: await conversationKeyOf(conversationId),
    generation: crypto.randomUUID(),
    persisted_at: now.getTime(),
    l1_count: count(1),
    l2_count: count(2),
  };
  const records = await recordsOf(nodes, generation, embed);
  let previous: StoredNode | undefined;
  try {
    for (const batch of batches(records.slice(0, -1))) await upsertRecords(collection, batch);
    [previous] = await readRecords(collection, [generation.conversation_key]);
  } catch (error) {
    await removeGeneration(collection, generation).catch(() => {});
    throw error;
  }
  // If this fails it may have been done all the same: nothing may be removed then.
  await upsertRecords(collection, records.slice(-1));
  try {
    await clearAway(collection, generation, previous?.generation);
  } catch {
    // The tree is kept. What could not be removed is not read by anybody, and left to the next time.
  }
}

/** Removes the tree that was replaced and what is left of older ones; this one too, if it was deleted. */
async function clearAway(
  collection: ChromaCollection,
  generation: Generation,
  previous: Generation | undefined,
): Promise<void> {
  if (previous !== undefined) await removeGeneration(collection, previous);
  await collection.delete({
    where: {
      $and: [
        { conversation_key: generation.conversation_key },
        { generation: { $ne: generation.generation } },
        { persisted_at: { $lt: generation.persisted_at - leftBehindAfterMs } },
      ],
    },
  });
  // Somebody deleted the conversation while it was being written: it stays deleted.
  const ids = recordIds(generation);
  const kept = await readRecords(collection, ids);
  if (kept.length < ids.length) await removeGeneration(collection, generation);
}

/** Removes all records of a tree. */
async function removeGeneration(
  collection: ChromaCollection,
  { conversation_key, generation }: Generation,
): Promise<void> {
  await collection.delete({ where: { $and: [{ conversation_key }, { generation }] } });
}

/** The records of a tree, made before anything is written: a wrong one must not be found half way. */
async function recordsOf(
  nodes: readonly SummaryTreeNode[],
  generation: Generation,
  embed: EmbedTexts,
) {
  const records = nodes.map((node) => ({
    id: recordId(generation, node),
    document: node.content.toWellFormed(),
    metadata: metadataOf(node, generation),
  }));
  const texts = nodes.map(({ content }) => content);
  const embeddings = await embedTexts(embed, texts);
  return records.map((record, index) => ({ ...record, embedding: embeddings[index] ?? [] }));
}

async function upsertRecords(
  collection: ChromaCollection,
  records: Awaited<ReturnType<typeof recordsOf>>,
): Promise<void> {
  await collection.upsert({
    ids: records.map(({ id }) => id),
    documents: records.map(({ document }) => document),
    metadatas: records.map(({ metadata }) => metadata),
    embeddings: records.map(({ embedding }) => embedding),
  });
}
