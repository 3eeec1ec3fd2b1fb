export * from './chroma-tree-store.ts';
