import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import type { SummaryStore } from './summary-store.ts';
import { checkOptions } from '../../foundations/checks/check-object.ts';
import { integer } from '../../foundations/checks/option-rule.ts';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * Bytes the entries may take, keys included, counted as two a character. Beyond it goes what was not
   * used for longest of the namespace that takes most.
   * @default 67_108_864 (64 MiB)
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Keeps summaries in the memory of this process. The default store of a middleware. State
 * is lost when the process ends and not shared between instances. When it is full, the least recently used
 * entry of the namespace that takes most goes, so that no tenant pushes the others out; keys that begin
 * with the same 16 characters belong to one namespace.
 *
 * @throws {SummarizationOptionError} when `maxBytes` is not a positive integer.
 */
export function memoryStore(options: MemoryStoreOptions = {}): SummaryStore {
  checkOptions(options, 'maxBytes, or nothing', { maxBytes: integer(1) });
  const { maxBytes = 64 * 1024 * 1024 } = options;
  const entries = boundedMap<Entry>(maxBytes, entryBytes, (key) => key.slice(0, 16));
  const isLasting = (key: string): boolean => (entries.peek(key)?.expiresAt ?? 0) > Date.now();
  const read = (key: string): string | undefined => {
    if (!isLasting(key)) entries.delete(key);
    return entries.get(key)?.value;
  };

  const store: SummaryStore = {
    get: async (key) => read(key),
    compareAndSet: async (key, { expected, value, ttlMs = Number.POSITIVE_INFINITY }) => {
      const entry = { value, expiresAt: Date.now() + ttlMs };
      // A value that is too large would evict all others and not fit nevertheless.
      if (read(key) !== expected || entryBytes(key, entry) > maxBytes) return false;
      entries.set(key, entry);
      return true;
    },
    delete: async (key) => entries.delete(key),
    list: async (prefix) =>
      Array.from(entries.keys()).filter((key) => key.startsWith(prefix) && isLasting(key)),
  };
  // Not enumerable: a copy of the store with methods of its own claims nothing of the kind.
  return Object.defineProperty(store, 'isLocal', { value: true });
}

interface Entry {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

function entryBytes(key: string, { value }: Entry): number {
  return 2 * (key.length + value.length);
}
