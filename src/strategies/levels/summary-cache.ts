import { guardedStore } from '../../stores/guard/guarded-store.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { retentionMs } from '../../stores/retention.ts';
import { sealedStore } from '../../stores/seal/sealed-store.ts';
import { storeKeyring, type StoreKeyring, type StoreKeys } from '../../stores/seal/store-keys.ts';
import type { SummaryStore } from '../../stores/summary-store.ts';
import { listCache, lookedUp } from '../../util/maps/cache-figures.ts';
import type { ModelObject } from '../models/resolve-model.ts';
import type { SummarizeOptions } from './summarize-options.ts';

/** Bytes of summaries kept for a model where no store is given: those of some 20 million tokens of text. */
const maxCacheBytes = 8 * 1024 * 1024;

/** Where no secret is given, keys are no secret either: other processes must find what this one stored. */
const publicSecret = 'ai-sdk-summarization:summarize';

/**
 * Gives the summary that is kept for a question as `accept` reads it, or the one `write` makes, which is then kept.
 *
 * @param accept - Given what was kept, which may be anything; `undefined` when that is not to be used.
 */
export type SummaryCache = (
  question: readonly string[],
  write: () => Promise<string>,
  accept: (kept: string) => Promise<string | undefined>,
) => Promise<string>;

/** Milliseconds that a summary which would be paid for again is waited for. */
const storeTimeoutMs = 2000;

/** Summaries that this process has put into such caches. */
let written = 0;
const size = (): number => written;

function summaryCache(store: SummaryStore, keyring: StoreKeyring): SummaryCache {
  listCache('chunks', size);
  const guarded = guardedStore(store)({ onFault: () => {} });
  return async (question, write, accept) => {
    for (const keys of keyring) {
      const sealed = sealedStore(guarded, keys, storeTimeoutMs);
      const { text } = await sealed.read(await cacheKey(keys, question));
      const known = text === undefined ? undefined : await accept(text);
      if (known !== undefined) return lookedUp('chunks', known) ?? known;
    }
    lookedUp('chunks', undefined);
    const summary = await write();
    const [keys] = keyring;
    const sealed = sealedStore(guarded, keys, storeTimeoutMs);
    await sealed.write(await cacheKey(keys, question), summary, { ttlMs: retentionMs });
    written += 1;
    return summary;
  };
}

function cacheKey(keys: StoreKeys, question: readonly string[]): Promise<string> {
  return keys.key('summary', ...question);
}

/** By model object, so that what one model wrote is never taken for another's with the same name. */
const stores = new WeakMap<object, SummaryStore>();

/** Stands for all models given by their ids, which are objects of their own every time. */
const modelsOfIds = {};

/**
 * Opens the cache that the options of `summarize` ask for.
 *
 * @param model - What `options.model` stands for.
 */
export function openCache(
  options: Pick<SummarizeOptions, 'model' | 'store' | 'namespace' | 'secret'>,
  model: ModelObject,
): SummaryCache {
  const { store, namespace = '', secret = publicSecret } = options;
  if (store === false) return (_question, write) => write();
  const holder = typeof options.model === 'string' ? modelsOfIds : model;
  return summaryCache(store ?? storeInMemory(holder), storeKeyring({ secret, namespace }));
}

function storeInMemory(holder: object): SummaryStore {
  const store = stores.get(holder) ?? memoryStore({ maxBytes: maxCacheBytes });
  stores.set(holder, store);
  return store;
}
