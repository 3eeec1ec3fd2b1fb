import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { boundedMap } from '../util/bounded-map.ts';
import type { parseStoredSummary } from './parse-stored-summary.ts';
import { parsePrefixIndex, type IndexedPrefix } from './prefix-index.ts';

/** What a store answers. */
type StoredValue = Awaited<ReturnType<SummaryStore['get']>>;

/** Reads stored values, each validated once while it does not change. */
export interface StoredReader {
  /** The index of the conversations that begin alike; whatever does not parse is an empty one. */
  readonly index: (key: string, value: StoredValue) => readonly IndexedPrefix[];
  /** A stored summary; whatever is not a valid one is a miss. */
  readonly summary: (key: string, value: StoredValue) => Promise<StoredSummary | undefined>;
}

/** Bytes remembered of each kind, of values that are sent most often. A record takes about 20 kB. */
const maxBytesParsed = 16 * 1024 * 1024;

/** Makes a reader. The schema, and with it the library it is written in, loads with the first summary. */
export function storedReader(): StoredReader {
  const indexes = parsedOnce<readonly IndexedPrefix[]>();
  const summaries = parsedOnce<StoredSummary | undefined>();
  let parseSummary: typeof parseStoredSummary | undefined;
  return {
    index: (key, value) => indexes(key, value, parsePrefixIndex) ?? [],
    summary: async (key, value) => {
      if (typeof value === 'string')
        parseSummary ??= (await import('./parse-stored-summary.ts')).parseStoredSummary;
      return summaries(key, value, (text) => parseSummary?.(text));
    },
  };
}

/** Parses a value unless it is what it was; forgets what is no longer stored. */
function parsedOnce<T>(): (
  key: string,
  value: StoredValue,
  parse: (value: string) => T,
) => T | undefined {
  const entries = boundedMap<{ readonly value: string; readonly parsed: T }>(
    maxBytesParsed,
    // Characters take two bytes each.
    (key, { value }) => 2 * (key.length + value.length),
  );
  return (key, value, parse) => {
    const known = entries.get(key);
    if (known?.value === value) return known?.parsed;
    entries.delete(key);
    if (typeof value !== 'string') return undefined;
    const parsed = parse(value);
    entries.set(key, { value, parsed });
    return parsed;
  };
}
