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

/** Makes a store that is shared and honors all that is asked of one. */
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

/** A store of this process as another one sees it, which knows nothing of what it is. */
export function seenElsewhere({ get, compareAndSet, delete: remove }: SummaryStore): SummaryStore {
  return { get, compareAndSet, delete: remove };
}

/** What becomes of a store whose process is killed: before one of its operations, or when it is told to. */
export interface Dying {
  readonly change: (plain: SummaryStore) => Partial<SummaryStore>;
  readonly died: Promise<void>;
  readonly isDead: () => boolean;
  readonly kill: () => void;
}

/** Has a process die after so many operations of its store. */
export function dyingAfter(operations: number = Infinity): Dying {
  let left = operations;
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const orDie = async <T>(operation: () => PromiseLike<T>): Promise<T> => {
    left -= 1;
    if (left >= 0) return operation();
    resolve();
    return new Promise(() => {});
  };
  return {
    change: (plain) => ({
      get: async (key) => orDie(async () => plain.get(key)),
      compareAndSet: async (key, entry) => orDie(async () => plain.compareAndSet(key, entry)),
      delete: async (key) => orDie(async () => plain.delete(key)),
    }),
    died,
    isDead: () => left < 0,
    kill: () => {
      left = 0;
    },
  };
}
