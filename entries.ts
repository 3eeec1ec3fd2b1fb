/** What the package lets import: where it stands, and how much of it may load. */
interface Entry {
  readonly source: string;
  /** Of all that it can load, on demand too, minified and compressed, without its dependencies. */
  readonly limit: string;
}

/** The entries of the package. `package.json` and `tsconfig.json` cannot read this; a test holds them to it. */
export const entries: Readonly<Record<string, Entry>> = {
  '.': { source: 'src/index.ts', limit: '107.8 kB' },
  './chroma': { source: 'src/state/stores/chroma-tree-store.ts', limit: '4 kB' },
  './durable': { source: 'src/entries/durable/index.ts', limit: '2 kB' },
  './handoff': { source: 'src/entries/handoff/index.ts', limit: '21.1 kB' },
  './node': { source: 'src/entries/node/index.ts', limit: '15 kB' },
  './postgres': { source: 'src/state/stores/postgres-store.ts', limit: '3.6 kB' },
  './react': { source: 'src/entries/react/index.tsx', limit: '3 kB' },
  './recall': { source: 'src/entries/recall/index.ts', limit: '23.8 kB' },
  './redis': { source: 'src/state/stores/redis-store.ts', limit: '3 kB' },
  './sqlite': { source: 'src/state/stores/sqlite-store.ts', limit: '4.3 kB' },
  './testing': { source: 'src/entries/testing/index.ts', limit: '8.6 kB' },
  './text': { source: 'src/entries/text/index.ts', limit: '25.9 kB' },
  './ui': { source: 'src/entries/ui/index.ts', limit: '4 kB' },
  './unstorage': { source: 'src/state/stores/unstorage-store.ts', limit: '3 kB' },
};

/** Path of an entry in `dist`, without its ending. */
export function builtPath(entry: string): string {
  return entry === '.' ? 'index' : `${entry.slice(2)}/index`;
}
