import type { SummaryResult } from '../../record/summary-result.ts';
import type { SummaryTreeNode } from '../summary-tree-store.ts';
import { treeNodes } from '../trees/tree-nodes.ts';
import type { ChromaCollection } from './chroma-client.ts';
import {
  metadataOf,
  recordId,
  recordIds,
  type Generation,
  type StoredNode,
} from './chroma-records.ts';
import { batches, embedTexts, type EmbedTexts } from './embed-texts.ts';
import { readFinal, readRecords } from './read-tree.ts';

/** Milliseconds after which records of a tree that never came to hold count as left behind. */
const leftBehindAfterMs = 60 * 60 * 1000;

/** A tree to be kept. */
export interface TreeToPersist {
  readonly conversationId: string;
  readonly conversationKey: string;
  readonly result: SummaryResult;
}

/**
 * Writes a tree beside the one that holds, then the record of the final summary, which names the tree it
 * belongs to: one write, before which the old tree holds and after which the new one does. Then removes
 * the old one and what writers that died have left behind.
 */
export async function persistTree(
  collection: ChromaCollection,
  embed: EmbedTexts,
  { conversationId, conversationKey, result }: TreeToPersist,
): Promise<void> {
  const now = new Date();
  const nodes = treeNodes(conversationId, result, now.toISOString());
  const count = (layer: number): number => nodes.filter((node) => node.layer === layer).length;
  const generation: Generation = {
    conversationKey,
    generation: crypto.randomUUID(),
    persistedAt: now.getTime(),
    l1Count: count(1),
    l2Count: count(2),
  };
  const write = recordWriter(collection, generation, nodes);
  const vectors = await embedTexts(
    embed,
    nodes.map(({ content }) => content),
  );
  const indexes = [...nodes.keys()];
  let previous: StoredNode | undefined;
  try {
    for (const batch of batches(indexes.slice(0, -1))) await write(batch, vectors);
    previous = await readFinal(collection, conversationKey);
  } catch (error) {
    await removeGeneration(collection, generation).catch(() => {});
    throw error;
  }
  // If this fails it may have been done all the same: nothing may be removed then.
  await write(indexes.slice(-1), vectors);

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
  const { conversationKey } = generation;
  if (previous !== undefined) await removeGeneration(collection, previous);
  await collection.delete({
    where: {
      $and: [
        { conversation_key: conversationKey },
        { generation: { $ne: generation.generation } },
        { persisted_at: { $lt: generation.persistedAt - leftBehindAfterMs } },
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
  { conversationKey, generation }: Generation,
): Promise<void> {
  await collection.delete({
    where: { $and: [{ conversation_key: conversationKey }, { generation }] },
  });
}

type WriteRecords = (indexes: readonly number[], vectors: readonly number[][]) => Promise<void>;

function recordWriter(
  collection: ChromaCollection,
  generation: Generation,
  nodes: readonly SummaryTreeNode[],
): WriteRecords {
  // Made before anything is written: a wrong one must not be found half way.
  const records = nodes.map((node) => ({
    id: recordId(generation, node),
    document: node.content.toWellFormed(),
    metadata: metadataOf(node, generation),
  }));
  return async (indexes, vectors) => {
    const chosen = indexes.flatMap((index) => records[index] ?? []);
    await collection.upsert({
      ids: chosen.map(({ id }) => id),
      documents: chosen.map(({ document }) => document),
      metadatas: chosen.map(({ metadata }) => metadata),
      embeddings: indexes.map((index) => vectors[index] ?? []),
    });
  };
}
