import type { SummaryTreeNode } from '../summary-tree-store.ts';
import type { ChromaCollection, ChromaWhere } from './chroma-client.ts';
import { parseRecord, type StoredNode } from './chroma-records.ts';
import { readRecords } from './read-tree.ts';

/** A summary that was found. */
export interface SummaryMatch {
  readonly node: SummaryTreeNode;
  /** How far it is from what was asked, as the collection measures; 0 is nearest. */
  readonly distance: number;
}

type Match = StoredNode & SummaryMatch;

/** Times a search looks further when what it found does not hold any more. */
const searchAttempts = 5;

/** Factor by which it looks further. */
const widening = 4;

/** The summaries of one conversation that are nearest to a vector. */
export async function searchConversation(
  collection: ChromaCollection,
  vector: number[],
  conversationKey: string,
  limit: number,
): Promise<readonly SummaryMatch[]> {
  let matches: readonly Match[] = [];
  for (let attempt = 1; attempt <= searchAttempts && matches.length === 0; attempt += 1) {
    const [final] = await readRecords(collection, [conversationKey]);
    if (final === undefined) return [];
    const { generation } = final.generation;
    const where = { $and: [{ conversation_key: conversationKey }, { generation }] };
    // Nothing is found when the tree is replaced between the two.
    matches = await query(collection, vector, limit, where);
  }
  return matches.map(({ node, distance }) => ({ node, distance }));
}

/** The summaries of all conversations that are nearest to a vector. */
export async function searchAll(
  collection: ChromaCollection,
  vector: number[],
  limit: number,
): Promise<readonly SummaryMatch[]> {
  let matches: readonly Match[] = [];
  for (let attempt = 0; attempt < searchAttempts; attempt += 1) {
    const wanted = limit * widening ** attempt;
    const found = await query(collection, vector, wanted);
    matches = await thoseThatHold(collection, found);
    if (matches.length >= limit || found.length < wanted) break;
  }
  return matches.slice(0, limit).map(({ node, distance }) => ({ node, distance }));
}

/** Leaves out records of trees that are being written, were replaced, or left behind. */
async function thoseThatHold(
  collection: ChromaCollection,
  matches: readonly Match[],
): Promise<readonly Match[]> {
  const keys = new Set(matches.map(({ generation }) => generation.conversation_key));
  const finals = await readRecords(collection, [...keys]);
  const holding = new Set(finals.map(({ generation }) => generation.generation));
  return matches.filter(({ generation }) => holding.has(generation.generation));
}

async function query(
  collection: ChromaCollection,
  vector: number[],
  nResults: number,
  where?: ChromaWhere,
): Promise<readonly Match[]> {
  const { ids, documents, metadatas, distances } = await collection.query({
    queryEmbeddings: [vector],
    nResults,
    ...(where === undefined ? {} : { where }),
  });
  return (ids[0] ?? []).map((id, index) => ({
    ...parseRecord(id, documents[0]?.[index], metadatas[0]?.[index]),
    distance: distances[0]?.[index] ?? Number.NaN,
  }));
}
