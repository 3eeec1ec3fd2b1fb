import type { SummaryStore } from '../../src/index.ts';

/** A store on a server, as the processes that share it see it. */
export interface SharedStore {
  /** What it holds, and from when on it does not, by `Date.now()`. */
  readonly entries: Map<string, { readonly value: string; readonly expiresAt: number }>;
  /** A process that begins to use it, and knows nothing yet; it may see some of the operations otherwise. */
  readonly open: (change?: (plain: SummaryStore) => Partial<SummaryStore>) => SummaryStore;
  /** Puts other values in the place of all that it holds. */
  readonly alter: (change: (value: string, key: string) => string) => void;
}

/** Makes a store that is shared and honours all that is asked of one. */
export function sharedStore(): SharedStore {
  const entries: SharedStore['entries'] = new Map();
  const read = (key: string): string | undefined => {
    const entry = entries.get(key);
    if (entry !== undefined && entry.expiresAt <= Date.now()) entries.delete(key);
    return entries.get(key)?.value;
  };
  const plain: SummaryStore = {
    get: async (key) => read(key),
    compareAndSet: async (key, { expected, value, ttlMs = Number.POSITIVE_INFINITY }) => {
      if (read(key) !== expected) return false;
      entries.set(key, { value, expiresAt: Date.now() + ttlMs });
      return true;
    },
    delete: async (key) => {
      entries.delete(key);
    },
  };
  return {
    entries,
    open: (change = () => ({})) => ({ ...plain, ...change(plain) }),
    alter: (change) => {
      for (const [key, { value, expiresAt }] of entries)
        entries.set(key, { value: change(value, key), expiresAt });
    },
  };
}
