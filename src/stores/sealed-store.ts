import type { GuardedStore, StoreWait, StoreWrite } from './guarded-store.ts';
import type { StoreKeys, UnsealedValue } from './store-keys.ts';

/** What was found under a key: what it says, if it was sealed by us and its time has not come. */
export interface SealedAnswer extends Partial<UnsealedValue> {
  /** Whether the store answered. */
  readonly known: boolean;
  /** The value as it stands in the store, readable or not, to be expected by a write; `undefined`: none. */
  readonly raw?: string | undefined;
}

/** How a text is written. */
export interface SealedWrite {
  readonly ttlMs: number;
  /** Default: as the option `encrypt` says. */
  readonly isEncrypted?: boolean | undefined;
  /**
   * What has to stand there, as `raw` of a read; `undefined`: nothing.
   * @default whatever stands there
   */
  readonly expected?: string | undefined;
}

/** A store as it is seen with the keys of one secret and namespace. Never throws. */
export interface SealedStore {
  readonly keys: StoreKeys;
  /** Milliseconds each operation is waited for. */
  readonly timeoutMs: number;
  readonly read: (key: string) => Promise<SealedAnswer>;
  /** Seals and writes a text. */
  readonly write: (key: string, text: string, options: SealedWrite) => Promise<StoreWrite>;
  /** The same, with the raw value that stands there then. */
  readonly exchange: (
    key: string,
    text: string,
    options: SealedWrite,
  ) => Promise<{ readonly outcome: StoreWrite; readonly raw: string }>;
  /** Whether the store said that it is done. */
  readonly remove: (key: string) => Promise<boolean>;
  /** The same store as it is seen with other keys. */
  readonly with: (keys: StoreKeys) => SealedStore;
}

/** Times that others may be faster with a key whose value does not matter. */
const attempts = 5;

/** Sees a store through keys. */
export function sealedStore(
  store: Pick<GuardedStore, 'get' | 'compareAndSet' | 'delete'>,
  keys: StoreKeys,
  wait: StoreWait,
): SealedStore {
  const exchange: SealedStore['exchange'] = async (key, text, options) => {
    const { ttlMs, isEncrypted } = options;
    const raw = await keys.seal(key, text, Date.now() + ttlMs, isEncrypted);
    let { expected } = options;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await store.compareAndSet(key, { expected, value: raw, ttlMs }, wait);
      if (outcome !== 'taken') return { outcome, raw };
      const held = await store.get(key, wait);
      // Some clients send a command again after a lost connection, and then find what they wrote themselves.
      if (held.known && held.value === raw) return { outcome: 'written', raw };
      if (!held.known || attempt === attempts) return { outcome: 'failed', raw };
      if ('expected' in options) return { outcome, raw };
      expected = held.value;
    }
  };
  return {
    keys,
    timeoutMs: wait.timeoutMs,
    read: async (key) => {
      const { known, value: raw } = await store.get(key, wait);
      return raw === undefined ? { known } : { known, raw, ...(await keys.open(key, raw)) };
    },
    exchange,
    write: async (...given) => (await exchange(...given)).outcome,
    remove: (key) => store.delete(key, wait),
    with: (others) => sealedStore(store, others, wait),
  };
}
