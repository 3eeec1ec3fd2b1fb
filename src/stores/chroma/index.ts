export type {
  ChromaClient,
  ChromaCollection,
  ChromaMetadata,
  ChromaWhere,
} from './chroma-client.ts';
export {
  chromaTreeStore,
  type ChromaTreeStore,
  type ChromaTreeStoreOptions,
  type SearchOptions,
} from './chroma-tree-store.ts';
export type { EmbedTexts } from './embed-texts.ts';
export type { SummaryMatch } from './search-trees.ts';
