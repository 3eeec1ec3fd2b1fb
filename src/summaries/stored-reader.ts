import { parseCoverageIndex, type Coverage } from './coverage-index.ts';
import { parseCache, type ParseCache } from './parse-cache.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryStore } from '../stores/summary-store.ts';

/** What a store answers. */
type StoredValue = Awaited<ReturnType<SummaryStore['get']>>;

/** Reads stored values, each validated once while it does not change. */
export interface StoredReader {
  /** The index of an anchor; whatever does not parse is an empty one. */
  readonly index: (key: string, value: StoredValue) => readonly Coverage[];
  /** A stored summary; whatever is not a valid one is a miss. */
  readonly summary: (key: string, value: StoredValue) => Promise<StoredSummary | undefined>;
}

/** Bytes remembered of each kind, of values that are sent most often. A record takes about 20 kB. */
const maxBytes = 16 * 1024 * 1024;

/** Makes a reader. The schema, and with it the library it is written in, loads with the first summary. */
export function storedReader(): StoredReader {
  const indexes = parseCache(parseCoverageIndex, maxBytes);
  let summaries: ParseCache<StoredSummary | undefined> | undefined;
  return {
    index: (key, value) => {
      if (typeof value === 'string') return indexes.parse(key, value);
      indexes.forget(key);
      return [];
    },
    summary: async (key, value) => {
      if (typeof value !== 'string') {
        summaries?.forget(key);
        return undefined;
      }
      if (summaries === undefined) {
        const { parseStoredSummary } = await import('./parse-stored-summary.ts');
        summaries ??= parseCache(parseStoredSummary, maxBytes);
      }
      return summaries.parse(key, value);
    },
  };
}
