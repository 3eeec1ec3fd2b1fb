import type { SummaryTreeNode } from '../summary-tree-store.ts';
import type { ChromaCollection } from './chroma-client.ts';
import { parseRecord, recordIds, type StoredNode } from './chroma-records.ts';
import { batches } from './embed-texts.ts';

/** Times a reader begins again because the tree was replaced under its hands. */
const treeReadAttempts = 100;

/**
 * Reads records by their ids, in that order; those that are not there are left out. The final summary that
 * holds for a conversation has the conversation's key.
 */
export async function readRecords(
  collection: ChromaCollection,
  ids: readonly string[],
): Promise<readonly StoredNode[]> {
  const found = new Map<string, StoredNode>();
  for (const batch of batches(ids)) {
    const { ids: given, documents, metadatas } = await collection.get({ ids: batch });
    given.forEach((id, index) => {
      found.set(id, parseRecord(id, documents[index], metadatas[index]));
    });
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The tree of a final summary; `undefined` where part of it is missing. */
export async function treeOf(
  collection: ChromaCollection,
  final: StoredNode,
): Promise<readonly SummaryTreeNode[] | undefined> {
  const ids = recordIds(final.generation);
  const others = await readRecords(collection, ids);
  return others.length === ids.length ? [...others, final].map(({ node }) => node) : undefined;
}

/**
 * The tree that holds for a conversation, all of it from the same `persist`; empty if there is none.
 *
 * @throws {Error} when part of it is missing.
 */
export async function readTree(
  collection: ChromaCollection,
  conversationKey: string,
): Promise<readonly SummaryTreeNode[]> {
  let before: string | undefined;
  for (let attempt = 1; attempt <= treeReadAttempts; attempt += 1) {
    const [final] = await readRecords(collection, [conversationKey]);
    if (final === undefined) return [];
    const tree = await treeOf(collection, final);
    if (tree !== undefined) return tree;
    // Replaced in between, unless the same one holds when it is read again.
    if (before === final.generation.generation) break;
    before = final.generation.generation;
  }
  throw new Error('The summaries of the conversation are incomplete; persist them again.');
}
