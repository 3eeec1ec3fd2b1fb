import { parseCoverageIndex, type Coverage } from './coverage-index.ts';
import { parseCache } from './parse-cache.ts';
import type { StoredSummary } from './stored-summary.ts';

/** Reads stored values, each validated once while it does not change. */
export interface StoredReader {
  /** The index of an anchor; whatever does not parse is an empty one. */
  readonly index: (key: string, value: string | undefined) => readonly Coverage[];
  /** A stored summary; whatever is not a valid one is a miss. */
  readonly summary: (key: string, value: string | undefined) => Promise<StoredSummary | undefined>;
}

/** Values remembered of each kind. A record takes about 20 kB, and the records sent most often matter. */
const maxEntries = 500;

/** Makes a reader. The schema, and with it the library it is written in, loads with the first summary. */
export function storedReader(): StoredReader {
  const readIndex = parseCache(parseCoverageIndex, maxEntries);
  const readSummary = parseCache(
    async (value) => (await import('./parse-stored-summary.ts')).parseStoredSummary(value),
    maxEntries,
  );
  return {
    index: (key, value) => (value === undefined ? [] : readIndex(key, value)),
    summary: async (key, value) => (value === undefined ? undefined : readSummary(key, value)),
  };
}
