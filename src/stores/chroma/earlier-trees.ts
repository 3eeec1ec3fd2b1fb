import type { SummaryTreeNode } from '../summary-tree-store.ts';
import type { ChromaCollection } from './chroma-client.ts';
import {
  earlierFinalId,
  metadataOf,
  parseRecord,
  type Generation,
  type StoredNode,
} from './chroma-records.ts';
import { embedTexts, type EmbedTexts } from './embed-texts.ts';
import { readRecords, treeOf } from './read-tree.ts';

/** The trees of a conversation that newer ones have replaced, the newest first; those that are kept. */
export async function readEarlierTrees(
  collection: ChromaCollection,
  conversationKey: string,
  kept: number,
): Promise<readonly (readonly SummaryTreeNode[])[]> {
  if (kept === 0) return [];
  const finals = (await earlierFinals(collection, conversationKey)).slice(0, kept);
  const trees: (readonly SummaryTreeNode[])[] = [];
  for (const final of finals) {
    const tree = await treeOf(collection, final);
    // It may leave while it is read, because a newer one is kept.
    if (tree !== undefined) trees.push(tree);
  }
  return trees;
}

/**
 * Keeps a tree that was replaced: its final summary gets a record of its own, as that of the conversation says
 * another one now. Nothing is kept where the conversation was deleted or written anew in between.
 *
 * @param generation - The tree that has taken its place.
 */
export async function keepReplaced(
  collection: ChromaCollection,
  embed: EmbedTexts,
  { node, generation: replaced }: StoredNode,
  { conversation_key, generation }: Generation,
): Promise<void> {
  await collection.upsert({
    ids: [earlierFinalId(replaced)],
    documents: [node.content.toWellFormed()],
    metadatas: [metadataOf(node, replaced)],
    embeddings: await embedTexts(embed, [node.content]),
  });
  const [current] = await readRecords(collection, [conversation_key]);
  if (current?.generation.generation !== generation) await removeTree(collection, replaced);
}

/** Removes the trees beyond those that are kept. */
export async function trimEarlier(
  collection: ChromaCollection,
  conversationKey: string,
  kept: number,
): Promise<readonly Generation[]> {
  const earlier = await earlierFinals(collection, conversationKey);
  const trees = earlier.map(({ generation }) => generation);
  for (const tree of trees.slice(kept)) await removeTree(collection, tree);
  return trees.slice(0, kept);
}

/** Removes all records of a tree but that of the conversation's final summary. */
export async function removeTree(
  collection: ChromaCollection,
  { conversation_key, generation }: Generation,
): Promise<void> {
  await collection.delete({ where: { $and: [{ conversation_key }, { generation }] } });
}

async function earlierFinals(
  collection: ChromaCollection,
  conversation_key: string,
): Promise<readonly StoredNode[]> {
  const where = { $and: [{ conversation_key }, { is_final: true }] };
  const { ids, documents, metadatas } = await collection.get({ where });
  return ids
    .flatMap((id, index) =>
      id === conversation_key ? [] : [parseRecord(id, documents[index], metadatas[index])],
    )
    .toSorted((one, other) => other.generation.persisted_at - one.generation.persisted_at);
}
