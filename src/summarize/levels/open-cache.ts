import { guardStore } from '../../state/guard-store.ts';
import { storeKeys } from '../../state/store-keys.ts';
import type { SummaryStore } from '../../state/summary-store.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import type { ModelObject } from '../resolve-model.ts';
import type { SummarizeOptions } from './summarize-options.ts';
import { noCache, summaryCache, type SummaryCache } from './summary-cache.ts';

/** Bytes of summaries kept for a model where no store is given: those of some 20 million tokens of text. */
const maxBytes = 8 * 1024 * 1024;

/** Where no secret is given, keys are no secret either: other processes must find what this one stored. */
const publicSecret = 'ai-sdk-summarization:summarize';

/** By model object, so that what one model wrote is never taken for another's with the same name. */
const stores = new WeakMap<ModelObject, SummaryStore>();

/** Makes a cache in memory that ends with whoever holds it. */
export function memoryCache(): SummaryCache {
  return summaryCache(memoryStore({ maxBytes }), storeKeys(publicSecret, ''));
}

/** Opens the cache that the options of `summarize` ask for. */
export function openCache(
  {
    store,
    namespace = '',
    secret = publicSecret,
  }: Pick<SummarizeOptions, 'store' | 'namespace' | 'secret'>,
  model: ModelObject,
): SummaryCache {
  if (store === false) return noCache;
  const guarded = guardStore(store ?? storeOf(model));
  return summaryCache(
    guarded(() => {}),
    storeKeys(secret, namespace),
  );
}

function storeOf(model: ModelObject): SummaryStore {
  const known = stores.get(model);
  if (known !== undefined) return known;
  const store = memoryStore({ maxBytes });
  stores.set(model, store);
  return store;
}
