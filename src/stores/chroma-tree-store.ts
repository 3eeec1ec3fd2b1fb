import { z } from 'zod/v4';
import { checkInput, checkObject, checkThat } from '../checks/check-object.ts';
import { anyText, hasFunctions, integer } from '../checks/option-rule.ts';
import { randomId } from '../hash/random-id.ts';
import { madeOnce } from '../util/async/made-once.ts';
import { runLimited } from '../util/async/run-limited.ts';
import type { SummaryResult } from '../record/summary-result.ts';
import type { SummaryTreeNode, SummaryTreeStore } from './summary-trees.ts';
import { conversationKey, inOrder, nodeOf, treeRecords } from './tree-nodes.ts';

/** What a record says beside its text. */
export type ChromaMetadata = Record<string, string | number | boolean | null>;

/** Which records are meant, by what they say. */
export type ChromaWhere =
  | Record<string, string | number | { $lt: number }>
  | { $and: ChromaWhere[] };

/**
 * The part of a collection of the package `chromadb` that is used. Described here instead of imported, so
 * that every version of the client that has it can be given.
 */
export interface ChromaCollection {
  get(args: { ids?: string[]; where?: ChromaWhere; limit?: number; offset?: number }): Promise<{
    readonly ids: string[];
    readonly documents: (string | null)[];
    readonly metadatas: (Record<string, unknown> | null)[];
  }>;
  upsert(args: {
    ids: string[];
    embeddings: number[][];
    documents: string[];
    metadatas: ChromaMetadata[];
  }): Promise<unknown>;
  query(args: { queryEmbeddings: number[][]; nResults: number; where?: ChromaWhere }): Promise<{
    readonly ids: string[][];
    readonly documents: (string | null)[][];
    readonly metadatas: (Record<string, unknown> | null)[][];
    readonly distances: (number | null)[][];
  }>;
  delete(args: { where: ChromaWhere }): Promise<unknown>;
}

/** The part of a `ChromaClient` of the package `chromadb` that is used. */
export interface ChromaClient {
  getOrCreateCollection(args: {
    name: string;
    embeddingFunction: { generate(texts: string[]): Promise<number[][]> };
  }): Promise<ChromaCollection>;
}

/** Turns texts into vectors, one each, all of the same length. */
export type EmbedTexts = (texts: string[]) => Promise<number[][]>;

/** Options of {@link chromaTreeStore}. */
export interface ChromaTreeStoreOptions {
  /** A `ChromaClient` or `CloudClient` of the package `chromadb`, version 3. */
  readonly client: ChromaClient;
  /**
   * Name of the collection. It is made when it is not there, with Chroma's defaults.
   * @default 'summaries'
   */
  readonly collectionName?: string | undefined;
  /**
   * Turns texts into vectors, one each, all of the same length; at most 100 at once. Chroma's own
   * embedding functions are never used.
   */
  readonly embed: EmbedTexts;
  /**
   * Earlier trees of a conversation that are kept, for `history`; a search does not find them. Minimum: 0.
   * @default 0
   */
  readonly keepEarlier?: number | undefined;
}

/** What {@link ChromaTreeStore.search} looks for. */
export interface SearchOptions {
  /** Only in this conversation. */
  readonly conversationId?: string | undefined;
  /**
   * Most summaries to return. Minimum: 1.
   * @default 10
   */
  readonly limit?: number | undefined;
}

/** A summary that was found. */
export interface SummaryMatch {
  readonly node: SummaryTreeNode;
  /** How far it is from what was asked, as the collection measures; 0 is nearest. */
  readonly distance: number;
}

/** A {@link SummaryTreeStore} whose summaries can be searched. */
export interface ChromaTreeStore extends SummaryTreeStore {
  /**
   * The summaries nearest in meaning to a text, nearest first. Without a `conversationId`, those of all
   * conversations in the collection are searched, whoever they belong to. Throws a `SummarizationOptionError`
   * for a wrong `limit`, a `TypeError` when `embed` returns no vector.
   */
  readonly search: (query: string, options?: SearchOptions) => Promise<readonly SummaryMatch[]>;
}

/**
 * Keeps summaries in a Chroma collection: the text as document, its fields as metadata. A tree is written beside those
 * that are there, and of those that are complete the newest holds: readers see one or the other, whatever happens in
 * between. Lone surrogates in texts and ids become U+FFFD.
 *
 * Every operation rejects with what the client throws when the server cannot be reached.
 *
 * @example
 * const store = chromaTreeStore({
 *   client: new ChromaClient(),
 *   embed: async (values) => (await embedMany({ model, values })).embeddings,
 * });
 *
 * @throws {SummarizationOptionError} when `client` or `embed` is missing, `collectionName` is empty or `keepEarlier`
 * is no integer of at least 0.
 */
export function chromaTreeStore(options: ChromaTreeStoreOptions): ChromaTreeStore {
  checkInput(options, 'client and embed');
  const { client, collectionName = 'summaries', embed, keepEarlier = 0 } = options;
  const isClient = hasFunctions(client, 'getOrCreateCollection');
  checkThat(isClient, 'client', client, 'a client of the package chromadb');
  checkThat(typeof embed === 'function', 'embed', embed, 'a function');
  checkObject(
    { collectionName, keepEarlier },
    { collectionName: anyText, keepEarlier: integer(0) },
    '',
  );
  const open = madeOnce(async () =>
    client.getOrCreateCollection({
      name: collectionName,
      // Its default would load a model from the network.
      embeddingFunction: { generate: embed },
    }),
  );
  const treesOf = async (
    conversationId: string,
  ): Promise<readonly (readonly SummaryTreeNode[])[]> => {
    const trees = await readTrees(await open(), await conversationKey(conversationId));
    return trees.map((tree) => inOrder(tree.map(({ node }) => node)));
  };
  return {
    persist: async (conversationId, result) =>
      persistTree(await open(), { embed, keepEarlier }, conversationId, result),
    getFinalSummary: async (conversationId) => (await treesOf(conversationId))[0]?.at(-1)?.content,
    list: async (conversationId) => (await treesOf(conversationId))[0] ?? [],
    history: async (conversationId) => (await treesOf(conversationId)).slice(1, 1 + keepEarlier),
    delete: async (conversationId) => {
      const conversation_key = await conversationKey(conversationId);
      await (await open()).delete({ where: { conversation_key } });
    },
    search: async (query, given) => searchTrees(await open(), embed, query, given),
  };
}

/** Times a reader begins again because the tree was replaced under its hands. */
const readAttempts = 20;

/** Times a search looks among what is nearest, and the factor by which it looks further: the cloud gives 300 at once. */
const searchAttempts = 3;
const widening = 4;

/** Conversations whose trees a search reads at once. */
const treesAtOnce = 10;

/** Texts given to `embed` at once, and records written or read at once. */
const batchSize = 100;

/** What each record says of its tree. */
const treeSchema = z.object({
  conversation_key: z.string(),
  /** Another one for each tree. */
  generation: z.string(),
  /** Records of the tree: it is read where all of them are there. */
  size: z.number(),
  /** Milliseconds since the epoch, and later than that of the tree it replaces. */
  persisted_at: z.number(),
});

interface StoredNode extends z.infer<typeof treeSchema>, SummaryMatch {}

/**
 * Writes a tree, then removes what is older than the trees that are kept: those it has replaced, and what writers
 * that died have left behind.
 */
async function persistTree(
  collection: ChromaCollection,
  { embed, keepEarlier }: { readonly embed: EmbedTexts; readonly keepEarlier: number },
  conversationId: string,
  result: SummaryResult,
): Promise<void> {
  // All of it before anything is written: what is wrong must not be found half way.
  const made = treeRecords(conversationId, result, new Date().toISOString());
  const embeddings = await embedTexts(
    embed,
    made.map(({ node }) => node.content),
  );
  const conversation_key = await conversationKey(conversationId);
  const [previous] = await readRecords(collection, { conversation_key });
  const persisted_at = Math.max(Date.now(), (previous?.persisted_at ?? 0) + 1);
  const tree = { conversation_key, generation: randomId(), size: made.length, persisted_at };
  const records = made.map(({ node, fields }, index) => ({
    document: node.content.toWellFormed(),
    metadata: { ...fields, ...tree },
    embedding: embeddings[index] ?? [],
  }));
  // The final one last: who comes upon it finds all that it was made from.
  for (const batch of [...batches(records.slice(0, -1)), records.slice(-1)]) {
    await collection.upsert({
      ids: batch.map(() => randomId()),
      documents: batch.map(({ document }) => document),
      metadatas: batch.map(({ metadata }) => metadata),
      embeddings: batch.map(({ embedding }) => embedding),
    });
  }
  try {
    const kept = (await readTrees(collection, conversation_key)).slice(0, 1 + keepEarlier);
    const $lt = kept.at(-1)?.[0]?.persisted_at ?? 0;
    await collection.delete({ where: { $and: [{ conversation_key }, { persisted_at: { $lt } }] } });
    const { generation } = tree;
    // Somebody deleted the conversation while it was being written: it stays deleted.
    if ((await readRecords(collection, { generation })).length < made.length)
      await collection.delete({ where: { generation } });
  } catch {
    // The tree is kept. What could not be removed is not read by anybody, and left to the next time.
  }
}

/** The trees of a conversation, the newest first: the one that holds, and those that are kept. */
async function readTrees(
  collection: ChromaCollection,
  conversation_key: string,
): Promise<readonly (readonly StoredNode[])[]> {
  for (let attempt = 1; ; attempt += 1) {
    const records = await readRecords(collection, { conversation_key });
    const found = [...Map.groupBy(records, ({ generation }) => generation).values()];
    const trees = found.filter((tree) => tree.length === tree[0]?.size);
    // It may be replaced while its records are read.
    if (trees.length > 0 || records.length === 0 || attempt === readAttempts) return trees;
  }
}

/** Reads records, those of the newest tree first; what is not of this store is somebody else's. */
async function readRecords(
  collection: ChromaCollection,
  where: ChromaWhere,
): Promise<readonly StoredNode[]> {
  const records: StoredNode[] = [];
  for (let offset = 0, isAll = false; !isAll; offset += batchSize) {
    const { documents, metadatas } = await collection.get({ where, limit: batchSize, offset });
    records.push(...recordsIn(documents, metadatas));
    isAll = metadatas.length < batchSize;
  }
  return records.toSorted((one, other) => other.persisted_at - one.persisted_at);
}

function recordsIn(
  documents: readonly (string | null)[] = [],
  metadatas: readonly unknown[] = [],
  distances: readonly (number | null)[] = [],
): readonly StoredNode[] {
  return metadatas.flatMap((metadata, index) => {
    const { data: tree } = treeSchema.safeParse(metadata);
    if (tree === undefined) return [];
    const node = nodeOf(metadata, documents[index] ?? '');
    return [{ ...tree, node, distance: distances[index] ?? Number.NaN }];
  });
}

/** The summaries that are nearest to a text, without those of trees that do not hold. */
async function searchTrees(
  collection: ChromaCollection,
  embed: EmbedTexts,
  query: string,
  { conversationId, limit = 10 }: SearchOptions = {},
): Promise<readonly SummaryMatch[]> {
  checkObject({ limit }, { limit: integer(1) }, '');
  const queryEmbeddings = await embedTexts(embed, [query]);
  const among = conversationId !== undefined && {
    where: { conversation_key: await conversationKey(conversationId) },
  };
  for (let attempt = 1, nResults = limit; ; attempt += 1, nResults *= widening) {
    const { documents, metadatas, distances } = await collection.query({
      queryEmbeddings,
      nResults,
      ...among,
    });
    const found = recordsIn(documents[0], metadatas[0], distances[0]);
    const keys = [...new Set(found.map(({ conversation_key }) => conversation_key))];
    const trees = await runLimited(keys, treesAtOnce, async (key) => readTrees(collection, key));
    const holding = new Set(trees.map(([tree]) => tree?.[0]?.generation));
    const matches = found.filter(({ generation }) => holding.has(generation));
    const isAll = (metadatas[0]?.length ?? 0) < nResults;
    if (isAll || matches.length >= limit || attempt === searchAttempts)
      return matches.slice(0, limit).map(({ node, distance }) => ({ node, distance }));
  }
}

/** Lists cut into pieces of what is handled at once. */
function batches<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / batchSize) }, (_, index) =>
    items.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/**
 * Embeds texts, each as a vector of length 1: whatever a collection measures, the nearest is then the
 * one that points the same way.
 *
 * @throws {TypeError} when `embed` does not return a vector of numbers for each text.
 */
async function embedTexts(embed: EmbedTexts, texts: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = [];
  for (const batch of batches(texts)) {
    // Models refuse a text that is empty.
    const given = batch.map((text) => (text.trim() === '' ? 'nothing' : text.toWellFormed()));
    const embedded = await embed(given);
    if (!Array.isArray(embedded) || embedded.length !== batch.length || !embedded.every(isVector))
      throw new TypeError(
        `embed has to return ${batch.length} vectors, arrays of finite numbers, one for each text.`,
      );
    for (const vector of embedded) {
      const length = Math.hypot(...vector) || 1;
      vectors.push(vector.map((value) => value / length));
    }
  }
  return vectors;
}

function isVector(vector: unknown): boolean {
  return Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite);
}
