/** What a record says beside its text. */
export type ChromaMetadata = Record<string, string | number | boolean | null>;

/** Which records are meant, by what they say. */
export type ChromaWhere =
  | Record<string, string | number | boolean | { $nin: string[] } | { $lt: number }>
  | { $and: ChromaWhere[] };

/**
 * The part of a collection of the package `chromadb` that is used. Described here instead of imported, so
 * that every version of the client that has it can be given.
 */
export interface ChromaCollection {
  get(args: { ids?: string[]; where?: ChromaWhere }): Promise<{
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
  delete(args: { ids?: string[]; where?: ChromaWhere }): Promise<unknown>;
}

/** The part of a `ChromaClient` of the package `chromadb` that is used. */
export interface ChromaClient {
  getOrCreateCollection(args: {
    name: string;
    embeddingFunction: { generate(texts: string[]): Promise<number[][]> };
  }): Promise<ChromaCollection>;
}
