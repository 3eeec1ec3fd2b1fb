import type { GuardedStore, StoreWait } from './guarded-store.ts';
import type { StoreKeys, UnsealedValue } from './store-keys.ts';

/** What was found under a key: what it says, if it was sealed by us and its time has not come. */
export interface SealedAnswer extends Partial<UnsealedValue> {
  /** Whether the store answered. */
  readonly known: boolean;
  /** The value as it stands in the store, readable or not, to be expected by a write; `undefined`: none. */
  readonly raw?: string | undefined;
}

/** How a write ended; `taken`: the key held something else; `failed`: nothing says that it was written. */
export type StoreWrite = 'written' | 'taken' | 'failed';

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
  /** Seals and writes a text; `raw` is the value that stands there then where it was written. */
  readonly write: (
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
// oxlint-disable-next-line max-lines-per-function -- what its closures share is the store
export function sealedStore(
  store: Pick<GuardedStore, 'ask'>,
  keys: StoreKeys,
  wait: StoreWait,
): SealedStore {
  const held = async (key: string): Promise<Pick<SealedAnswer, 'known' | 'raw'>> => {
    const answer = await store.ask(async (asked) => asked.get(key), wait);
    // Raw key-value clients answer `null` for what they do not have, and some of them bytes or objects.
    const value: unknown = answer?.result;
    return { known: answer !== undefined, raw: typeof value === 'string' ? value : undefined };
  };
  const write: SealedStore['write'] = async (key, text, options) => {
    const { ttlMs, isEncrypted } = options;
    const value = await keys.seal(key, text, Date.now() + ttlMs, isEncrypted);
    let { expected } = options;
    for (let attempt = 1; ; attempt += 1) {
      const entry = { expected, value, ttlMs };
      const answer = await store.ask(
        async (asked) => asked.compareAndSet(key, entry),
        wait,
        noBoolean,
      );
      if (answer?.result === true) return { outcome: 'written', raw: value };
      const found = answer === undefined ? { known: false } : await held(key);
      // Some clients send a command again after a lost connection, and then find what they wrote themselves.
      if (found.raw === value) return { outcome: 'written', raw: value };
      if (!found.known || attempt === attempts) return { outcome: 'failed', raw: value };
      if ('expected' in options) return { outcome: 'taken', raw: value };
      expected = found.raw;
    }
  };
  return {
    keys,
    timeoutMs: wait.timeoutMs,
    read: async (key) => {
      const answer = await held(key);
      return answer.raw === undefined
        ? answer
        : { ...answer, ...(await keys.open(key, answer.raw)) };
    },
    write,
    remove: async (key) =>
      (await store.ask(async (asked) => asked.delete(key), wait)) !== undefined,
    with: (others) => sealedStore(store, others, wait),
  };
}

/** What is wrong with the answer to a write. Without the value: some clients answer with what stood there before. */
function noBoolean(value: unknown): TypeError | undefined {
  if (typeof value === 'boolean') return undefined;
  const kind = value === null ? 'null' : typeof value;
  return new TypeError(
    `The store's compareAndSet, or set, must resolve to a boolean: true if the value was written; it resolved to ${kind}.`,
  );
}
