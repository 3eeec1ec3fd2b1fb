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
import { keepReplaced, removeTree, trimEarlier } from './earlier-trees.ts';
import { batches, embedTexts, type EmbedTexts } from './embed-texts.ts';
import { readRecords } from './read-tree.ts';
import { randomId } from '../../hash/random-id.ts';

/** Milliseconds after which records of a tree that never came to hold count as left behind. */
const leftBehindAfterMs = 60 * 60 * 1000;

/** No two trees of a process are of the same time: it tells which one came first. */
let lastPersistedAt = 0;

/**
 * Writes a tree beside the one that holds, then the record of the final summary, which names the tree it
 * belongs to: one write, before which the old tree holds and after which the new one does. Then removes
 * the old one, unless it is kept, and what writers that died have left behind.
 *
 * @param keepEarlier - Trees that were replaced of which so many, the newest, are kept.
 */
export async function persistTree(
  collection: ChromaCollection,
  embed: EmbedTexts,
  conversationId: string,
  result: SummaryResult,
  keepEarlier: number,
): Promise<void> {
  lastPersistedAt = Math.max(Date.now(), lastPersistedAt + 1);
  const now = new Date(lastPersistedAt);
  const nodes = treeNodes(conversationId, result, now.toISOString());
  const count = (layer: number): number => nodes.filter((node) => node.layer === layer).length;
  const generation: Generation = {
    conversation_key: await conversationKeyOf(conversationId),
    generation: randomId(),
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
    await removeTree(collection, generation).catch(() => {});
    throw error;
  }
  // If this fails it may have been done all the same: nothing may be removed then.
  await upsertRecords(collection, records.slice(-1));
  try {
    if (previous !== undefined && keepEarlier === 0)
      await removeTree(collection, previous.generation);
    else if (previous !== undefined) await keepReplaced(collection, embed, previous, generation);
    await clearAway(collection, generation, keepEarlier);
  } catch {
    // The tree is kept. What could not be removed is not read by anybody, and left to the next time.
  }
}

/** Removes what is left of trees that are not kept; this one too, if it was deleted. */
async function clearAway(
  collection: ChromaCollection,
  generation: Generation,
  keepEarlier: number,
): Promise<void> {
  const { conversation_key } = generation;
  const earlier =
    keepEarlier === 0 ? [] : await trimEarlier(collection, conversation_key, keepEarlier);
  const standing = [generation, ...earlier].map((tree) => tree.generation);
  await collection.delete({
    where: {
      $and: [
        { conversation_key },
        { generation: { $nin: standing } },
        { persisted_at: { $lt: generation.persisted_at - leftBehindAfterMs } },
      ],
    },
  });
  // Somebody deleted the conversation while it was being written: it stays deleted.
  const ids = recordIds(generation);
  const kept = await readRecords(collection, ids);
  if (kept.length < ids.length) await removeTree(collection, generation);
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
