import { boundedMap } from '../util/bounded-map.ts';
import type { SummaryStore } from './summary-store.ts';
import { checkInput, checkThat } from '../checks/check-object.ts';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * Bytes the entries may take, keys included, counted as two a character. The entry that was not used
   * for longest goes first.
   * @default 67_108_864 (64 MiB)
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Keeps summaries in the memory of this process, least recently used out first. What every middleware
 * has when no store is given. State is lost when the process ends and not shared between instances.
 *
 * @throws {SummarizationOptionError} when `maxBytes` is not a positive integer.
 */
export function memoryStore(options: MemoryStoreOptions = {}): SummaryStore {
  checkInput(options, 'maxBytes, or nothing');
  const { maxBytes = 64 * 1024 * 1024 } = options;
  const isSize = Number.isSafeInteger(maxBytes) && maxBytes > 0;
  checkThat(isSize, 'maxBytes', maxBytes, 'an integer above 0');
  const entries = boundedMap<{ readonly value: string; readonly expiresAt: number }>(
    maxBytes,
    (key, { value }) => entryBytes(key, value),
  );
  const read = (key: string): string | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.expiresAt > Date.now()) return entry?.value;
    entries.delete(key);
    return undefined;
  };

  const store: SummaryStore = {
    get: (key) => Promise.resolve(read(key)),
    set: (key, value, { ifAbsent = false, ttlMs = Number.POSITIVE_INFINITY } = {}) => {
      if (ifAbsent && read(key) !== undefined) return Promise.resolve(false);
      // It would push everything else out and not fit all the same.
      if (entryBytes(key, value) > maxBytes) return Promise.resolve(false);
      entries.set(key, { value, expiresAt: Date.now() + ttlMs });
      return Promise.resolve(true);
    },
    delete: (key) => {
      entries.delete(key);
      return Promise.resolve();
    },
  };
  // Not enumerable: a copy of the store with methods of its own claims nothing of the kind.
  return Object.defineProperties(store, {
    isLocal: { value: true },
    isEmpty: { value: () => entries.size() === 0 },
  });
}

function entryBytes(key: string, value: string): number {
  return 2 * (key.length + value.length);
}
