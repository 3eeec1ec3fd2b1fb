import { checkInput, checkObject, checkTexts, checkThat } from '../../checks/check-object.ts';
import { integer } from '../../checks/option-rule.ts';
import type { SummaryTreeStore } from '../summary-tree-store.ts';
import type { ChromaClient, ChromaCollection } from './chroma-client.ts';
import { conversationKeyOf } from './chroma-records.ts';
import { readEarlierTrees } from './earlier-trees.ts';
import { embedTexts, type EmbedTexts } from './embed-texts.ts';
import { persistTree } from './persist-tree.ts';
import { readRecords, readTree } from './read-tree.ts';
import { searchAll, searchConversation, type SummaryMatch } from './search-trees.ts';

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
 * Keeps summaries in a Chroma collection: the text as document, its fields as metadata. A tree that
 * replaces another takes its place with one write: readers see one or the other, whatever happens in
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
  const isClient = typeof client?.getOrCreateCollection === 'function';
  checkThat(isClient, 'client', client, 'a client of the package chromadb');
  checkThat(typeof embed === 'function', 'embed', embed, 'a function');
  checkTexts({ collectionName }, 'a string that is not empty');
  checkObject({ keepEarlier }, { keepEarlier: integer(0) }, '');
  const open = openOnce(options, collectionName);
  return {
    persist: async (conversationId, result) =>
      persistTree(await open(), embed, conversationId, result, keepEarlier),
    getFinalSummary: async (conversationId) => {
      const key = await conversationKeyOf(conversationId);
      const [final] = await readRecords(await open(), [key]);
      return final?.node.content;
    },
    list: async (conversationId) => readTree(await open(), await conversationKeyOf(conversationId)),
    history: async (conversationId) =>
      readEarlierTrees(await open(), await conversationKeyOf(conversationId), keepEarlier),
    delete: async (conversationId) => {
      const collection = await open();
      const conversation_key = await conversationKeyOf(conversationId);
      // First the record without which no other is read.
      await collection.delete({ ids: [conversation_key] });
      await collection.delete({ where: { conversation_key } });
    },
    search: async (query, { conversationId, limit = 10 } = {}) => {
      checkObject({ limit }, { limit: integer(1) }, '');
      const [vector = []] = await embedTexts(embed, [query]);
      const collection = await open();
      if (conversationId === undefined) return searchAll(collection, vector, limit);
      return searchConversation(collection, vector, await conversationKeyOf(conversationId), limit);
    },
  };
}

/** Opens the collection with the first operation, and again where that failed. */
function openOnce(
  { client, embed }: ChromaTreeStoreOptions,
  name: string,
): () => Promise<ChromaCollection> {
  let opened: Promise<ChromaCollection> | undefined;
  return async () => {
    // Its default would load a model from the network.
    const embeddingFunction = { generate: embed };
    opened ??= client.getOrCreateCollection({ name, embeddingFunction });
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
}
