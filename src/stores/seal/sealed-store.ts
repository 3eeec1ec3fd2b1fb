import type { GuardedStore } from '../guard/guarded-store.ts';
import type { StoreKeys } from './store-keys.ts';
import type { SummaryStoreSetOptions } from '../summary-store.ts';

/** What was found under a key. */
export interface SealedAnswer {
  /** Whether the store answered. */
  readonly known: boolean;
  /** Whether there is a value, readable or not. */
  readonly taken: boolean;
  /** What it says, if it was sealed by us and its time has not come. */
  readonly text?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly isEncrypted?: boolean | undefined;
}

/** How a text is written. */
export interface SealedWrite extends SummaryStoreSetOptions {
  readonly ttlMs: number;
  /**
   * Milliseconds the seal is good for.
   * @default ttlMs
   */
  readonly sealedMs?: number | undefined;
  /** Default: as the option `encrypt` says. */
  readonly isEncrypted?: boolean | undefined;
}

/** A store as it is seen with the keys of one secret and namespace. Never throws. */
export interface SealedStore {
  readonly keys: StoreKeys;
  /** Milliseconds each operation is waited for. */
  readonly timeoutMs: number;
  readonly read: (key: string) => Promise<SealedAnswer>;
  /** Seals and writes a text for so many milliseconds. */
  readonly write: (
    key: string,
    text: string,
    options: SealedWrite,
  ) => ReturnType<GuardedStore['set']>;
  readonly remove: (key: string) => Promise<boolean>;
  /** See `GuardedStore.inTurn`. */
  readonly inTurn: GuardedStore['inTurn'];
  /** The same store as it is seen with other keys. */
  readonly with: (keys: StoreKeys) => SealedStore;
}

/** Sees a store through keys. */
export function sealedStore(
  store: Pick<GuardedStore, 'get' | 'set' | 'delete' | 'inTurn'>,
  keys: StoreKeys,
  timeoutMs: number,
): SealedStore {
  return {
    keys,
    timeoutMs,
    read: async (key) => {
      const { known, value } = await store.get(key, { timeoutMs });
      if (!known || value === undefined) return { known, taken: false };
      return { known, taken: true, ...(await keys.open(key, value)) };
    },
    write: async (key, text, { isEncrypted, sealedMs, ...options }) => {
      const expiresAt = Date.now() + (sealedMs ?? options.ttlMs);
      const sealed = await keys.seal(key, text, expiresAt, isEncrypted);
      return store.set(key, sealed, { ...options, timeoutMs });
    },
    inTurn: store.inTurn,
    remove: (key) => store.delete(key, { timeoutMs }),
    with: (others) => sealedStore(store, others, timeoutMs),
  };
}
