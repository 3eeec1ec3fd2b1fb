import type { SummaryStore } from '../../src/index.ts';

/** What several processes share. */
export type SharedMap = Map<string, { readonly value: string; readonly expiresAt: number }>;

/** A store of one process over what they share; it says nothing of being local. */
export function storeOver(entries: SharedMap, more: Partial<SummaryStore> = {}): SummaryStore {
  const read = (key: string): string | undefined => {
    const entry = entries.get(key);
    return entry === undefined || entry.expiresAt <= Date.now() ? undefined : entry.value;
  };
  return {
    get: async (key) => read(key),
    compareAndSet: async (key, { expected, value, ttlMs = Infinity }) => {
      if (read(key) !== expected) return false;
      entries.set(key, { value, expiresAt: Date.now() + ttlMs });
      return true;
    },
    delete: async (key) => void entries.delete(key),
    ...more,
  };
}
