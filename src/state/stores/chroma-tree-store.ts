import * as z from 'zod/v4';
import {
  validate,
  checkInput,
  checkTexts,
  checkThat,
} from '../../foundations/checks/check-object.ts';
import { hasFunctions, integer } from '../../foundations/checks/option-rule.ts';
import { randomId } from '../../foundations/util/digest.ts';
import { makeOnce } from '../../foundations/util/async/waiting.ts';
import type { SummaryTreeNode, SummaryTreeStore } from './summary-store.ts';
import {
  conversationKey,
  inLayerOrder,
  nodeFromFields,
  treeRecords,
  type TreeRecord,
} from './summary-trees.ts';

/** Which records are meant, by what they say. */
export type ChromaWhere =
  | Record<string, string | number | { $lt: number }>
  | { $and: ChromaWhere[] };

/**
 * The part of a collection of the package `chromadb` that is used. Described here instead of imported, so
 * that every version of the client that has it can be given.
 */
export interface ChromaCollection {
  get(args: { where?: ChromaWhere; limit?: number; offset?: number }): Promise<{
    readonly documents: (string | null)[];
    readonly metadatas: (object | null)[];
  }>;
  upsert(args: {
    ids: string[];
    embeddings: number[][];
    documents: string[];
    metadatas: Record<string, string | number | boolean | null>[];
  }): Promise<unknown>;
  query(args: { queryEmbeddings: number[][]; nResults: number; where?: ChromaWhere }): Promise<{
    readonly documents: (string | null)[][];
    readonly metadatas: (object | null)[][];
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
   * Turns texts into vectors, one each, all of the same length; all of a tree at once. Chroma's own
   * embedding functions are never used. Vectors of another model need another `collectionName`: Chroma compares their
   * length alone.
   */
  readonly embed: EmbedTexts;
}

/** Options of {@link ChromaTreeStore.search}. */
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
   * conversations in the collection are searched, whoever they belong to. While a tree is replaced, and where a
   * writer died until the next one comes, there may be summaries of either among them. Throws a `SummarizationOptionError`
   * for a wrong `limit`, a `TypeError` when `embed` returns no vector.
   */
  readonly search: (query: string, options?: SearchOptions) => Promise<readonly SummaryMatch[]>;
}

/**
 * Keeps summaries in a Chroma collection: the text as document, its fields as metadata, under the ids of the nodes
 * (`{conversation}:summary:L{n}:{index}`). A tree is written beside the one that is there, then in its place, and of those
 * that are complete the newest holds: readers see one or the other, whatever happens in between. Lone surrogates in texts and ids become U+FFFD.
 *
 * Every operation rejects with what the client throws when the server cannot be reached.
 *
 * @example
 * const store = chromaTreeStore({
 *   client: new ChromaClient(),
 *   embed: async (values) => (await embedMany({ model, values })).embeddings,
 * });
 *
 * @throws {SummarizationOptionError} when `client` or `embed` is missing or `collectionName` is empty.
 */
export function chromaTreeStore(options: ChromaTreeStoreOptions): ChromaTreeStore {
  checkInput(options, 'client and embed');
  const { client, collectionName = 'summaries', embed } = options;
  const isClient = hasFunctions(client, 'getOrCreateCollection');
  checkThat(isClient, 'client', client, 'a client of the package chromadb');
  checkThat(typeof embed === 'function', 'embed', embed, 'a function');
  checkTexts({ collectionName }, 'a string that is not empty');
  // Its default would load a model from the network.
  const embeddingFunction = { generate: embed };
  const open = makeOnce(async () =>
    client.getOrCreateCollection({ name: collectionName, embeddingFunction }),
  );
  const list: SummaryTreeStore['list'] = async (conversationId) =>
    readTree(await open(), await whereIs(conversationId));
  return {
    persist: async (conversationId, result) => {
      // All of it before anything is written: what is wrong must not be found half way.
      const made = treeRecords(conversationId, result, new Date().toISOString());
      const texts = made.map(({ node }) => node.content);
      const embeddings = await embedded(embed, texts);
      const where = await whereIs(conversationId);
      // Ids that differ in lone surrogates alone are the same to the server.
      const idOf = ({ node }: TreeRecord): string =>
        conversationId.isWellFormed() ? node.id : `${where.conversation_key}:${node.id}`;
      await persistTree(await open(), where, made, embeddings, idOf);
    },
    getFinalSummary: async (conversationId) => (await list(conversationId)).at(-1)?.content,
    list,
    delete: async (conversationId) => {
      await (await open()).delete({ where: await whereIs(conversationId) });
    },
    search: async (query, { conversationId, limit = 10 } = {}) => {
      validate(integer(1), limit, 'limit');
      const queryEmbeddings = await embedded(embed, [query.toWellFormed()]);
      const among = conversationId !== undefined && { where: await whereIs(conversationId) };
      const found = await (await open()).query({ queryEmbeddings, nResults: limit, ...among });
      const { documents, metadatas, distances } = found;
      const records = recordsIn(documents[0], metadatas[0], distances[0]);
      return records.map(({ node, distance }) => ({ node, distance }));
    },
  };
}

/** Metadata of all records of a conversation. */
async function whereIs(conversationId: string): Promise<{ readonly conversation_key: string }> {
  return { conversation_key: await conversationKey(conversationId) };
}

/** Records written or read at once. */
const batchSize = 100;

/** Metadata of each record about its tree. */
const treeSchema = z.object({
  /** Another one for each tree. */
  generation: z.string(),
  /** Records of the tree: it is read where all of them are there. */
  size: z.number(),
  /** Milliseconds since the epoch, and later than that of the tree it replaces. */
  persisted_at: z.number(),
});

interface StoredNode extends z.infer<typeof treeSchema>, SummaryMatch {}

/**
 * Writes a tree beside the one it replaces, then under the ids of its nodes in the place of that one, and removes what is
 * older: the first copy too, and what writers that died have left behind. At each moment one of them is complete.
 */
async function persistTree(
  collection: ChromaCollection,
  where: { readonly conversation_key: string },
  made: readonly TreeRecord[],
  embeddings: readonly number[][],
  idOf: (record: TreeRecord) => string,
): Promise<void> {
  const [previous] = await readRecords(collection, where);
  const beside = Math.max(Date.now(), (previous?.persisted_at ?? 0) + 1);
  const write = async (
    persisted_at: number,
    idFor: (record: TreeRecord) => string,
  ): Promise<string> => {
    const generation = randomId();
    const tree = { ...where, generation, size: made.length, persisted_at };
    for (let start = 0; start < made.length; start += batchSize) {
      const batch = made.slice(start, start + batchSize);
      await collection.upsert({
        ids: batch.map(idFor),
        documents: batch.map(({ node }) => node.content),
        metadatas: batch.map(({ fields }) => ({ ...fields, ...tree })),
        embeddings: embeddings.slice(start, start + batchSize),
      });
    }
    return generation;
  };
  const remove = async (...generations: readonly string[]): Promise<void> => {
    for (const generation of generations) await collection.delete({ where: { generation } });
  };
  const removeBefore = async (persisted_at: number): Promise<unknown> =>
    collection.delete({ where: { $and: [where, { persisted_at: { $lt: persisted_at } }] } });
  /** How many records of a tree are there, and when the newest of any was written. */
  const look = async (generation: string) => {
    const records = await readRecords(collection, where);
    const own = records.filter((record) => record.generation === generation);
    return { isWhole: own.length === made.length, newest: records[0]?.persisted_at ?? 0 };
  };
  const copy = await write(beside, () => randomId());
  try {
    const { isWhole, newest } = await look(copy);
    // Somebody deleted the conversation while it was being written: it stays deleted.
    if (!isWhole) return await remove(copy);
    // A newer tree is being written, whose place that is.
    if (newest > beside) return;
    const placed = await write(beside + 1, idOf);
    if (!(await look(copy)).isWhole) await remove(copy, placed);
    else await removeBefore((await look(placed)).isWhole ? beside + 1 : beside);
  } catch {
    // The tree is kept. Remains are read by nobody, and left to the next time.
  }
}

/** The newest tree of a conversation that is complete. */
async function readTree(
  collection: ChromaCollection,
  where: ChromaWhere,
): Promise<readonly SummaryTreeNode[]> {
  // It may be replaced while its records are read.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const records = await readRecords(collection, where);
    const trees = [...Map.groupBy(records, ({ generation }) => generation).values()];
    const whole = trees.find((tree) => tree.length === tree[0]?.size);
    if (whole !== undefined) return inLayerOrder(whole.map(({ node }) => node));
    if (records.length === 0) break;
  }
  return [];
}

/** Reads records, those of the newest tree first. */
async function readRecords(
  collection: ChromaCollection,
  where: ChromaWhere,
): Promise<readonly StoredNode[]> {
  const records: StoredNode[] = [];
  for (let offset = 0; ; offset += batchSize) {
    const { documents, metadatas } = await collection.get({ where, limit: batchSize, offset });
    records.push(...recordsIn(documents, metadatas));
    if (metadatas.length < batchSize)
      return records.toSorted((one, other) => other.persisted_at - one.persisted_at);
  }
}

/** Records of other writers are not touched. */
function recordsIn(
  documents: readonly (string | null)[] = [],
  metadatas: readonly unknown[] = [],
  distances: readonly (number | null)[] = [],
): readonly StoredNode[] {
  return metadatas.flatMap((metadata, index) => {
    const { data: tree } = treeSchema.safeParse(metadata);
    if (tree === undefined) return [];
    const node = nodeFromFields(metadata, documents[index] ?? '');
    return [{ ...tree, node, distance: distances[index] ?? Number.NaN }];
  });
}

/**
 * Embeds texts, each as a vector of length 1: whatever a collection measures, the nearest is then the
 * one that points the same way.
 *
 * @throws {TypeError} when `embed` does not return a vector of numbers for each text.
 */
async function embedded(embed: EmbedTexts, texts: readonly string[]): Promise<number[][]> {
  // Models refuse a text that is empty.
  const given = texts.map((text) => (text.trim() === '' ? 'nothing' : text));
  const { data } = vectors.length(texts.length).safeParse(await embed(given));
  if (data === undefined)
    throw new TypeError(
      `embed has to return ${texts.length} vectors, arrays of finite numbers, one for each text.`,
    );
  return data.map((vector) => {
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  });
}

const vectors = z.array(z.array(z.number()).min(1));
