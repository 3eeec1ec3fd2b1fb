import { checkThat } from '../../foundations/checks/check-object.ts';
import { hasFunctions } from '../../foundations/checks/option-rule.ts';
import { toSummaryStore, type SummaryStore } from './summary-store.ts';

/**
 * The part of a `Storage` of the package `unstorage` that is used. Described here instead of imported, so that
 * every version that has it can be given.
 */
export interface UnstorageStorage {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: string, options?: { readonly ttl?: number }): Promise<void>;
  removeItem(key: string): Promise<void>;
  /** Distinguishes a storage from a driver. */
  mount(...content: never[]): unknown;
}

/**
 * Keeps summaries wherever a storage of `unstorage` keeps things: Cloudflare KV, Vercel Blob, S3 and others.
 *
 * It compares and sets in two steps, of which another process may come between: instances which summarize the same
 * messages at the same moment may each pay for it. Their prompts stay correct. For one bill, take a store of
 * Redis, Postgres or SQLite.
 *
 * The time of an entry stands in its value and is kept with every driver; it is passed on too, as `ttl` in
 * seconds. Drivers that take no `ttl` keep the room of entries whose time has passed: let the service remove what
 * is older than 30 days.
 *
 * Operations reject with what the driver throws.
 *
 * @param storage - Result of `createStorage` or `prefixStorage`.
 * @throws {SummarizationOptionError} when it is something else, such as a driver.
 *
 * @example
 * const storage = createStorage({ driver: cloudflareKVBindingDriver({ binding: 'SUMMARIES' }) });
 * summarizationMiddleware({ store: unstorageStore(storage), secret: process.env.SUMMARY_SECRET });
 */
export function unstorageStore(storage: UnstorageStorage): SummaryStore {
  // Drivers and the browser's storages have the first three as well.
  const isStorage = hasFunctions(storage, 'getItem', 'setItem', 'removeItem', 'mount');
  const allowed = 'a storage that createStorage of the package unstorage returned';
  checkThat(isStorage, 'storage', storage, allowed);

  return toSummaryStore({
    get: async (key) => readEntry(await storage.getItem(key)),
    set: async (key, value, { ttlMs = Number.POSITIVE_INFINITY }) => {
      const expiresAt = Math.min(Math.ceil(Date.now() + ttlMs), Number.MAX_SAFE_INTEGER);
      const ttl = Math.max(1, Math.ceil(ttlMs / 1000));
      const entry = `expires ${expiresAt}: ${value}`;
      await storage.setItem(key, entry, Number.isFinite(ttl) ? { ttl } : {});
      return true;
    },
    delete: async (key) => storage.removeItem(key),
  });
}

/**
 * The value of what is stored, unless its time has passed or it is something else. It follows its expiry, in
 * milliseconds since 1970, because many drivers keep no time, and a word, because unstorage and some drivers would
 * parse text that looks like JSON.
 */
function readEntry(stored: unknown): string | undefined {
  const entry = typeof stored === 'string' ? /^expires (\d+): /.exec(stored) : null;
  if (entry === null || Number(entry[1]) <= Date.now()) return undefined;
  return entry.input.slice(entry[0].length);
}
