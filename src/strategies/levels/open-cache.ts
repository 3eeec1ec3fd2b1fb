import type { LanguageModel } from 'ai';
import { guardStore } from '../../stores/guard-store.ts';
import { storeKeys } from '../../stores/store-keys.ts';
import type { SummaryStore } from '../../stores/summary-store.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import type { ModelObject } from '../models/resolve-model.ts';
import type { SummarizeOptions } from './summarize-options.ts';
import { noCache, summaryCache, type SummaryCache } from './summary-cache.ts';

/** Bytes of summaries kept for a model where no store is given: those of some 20 million tokens of text. */
const maxBytes = 8 * 1024 * 1024;

/** Where no secret is given, keys are no secret either: other processes must find what this one stored. */
const publicSecret = 'ai-sdk-summarization:summarize';

/** By model object, so that what one model wrote is never taken for another's with the same name. */
const stores = new WeakMap<ModelObject, SummaryStore>();

/** Of models given by their ids, which are objects of their own every time. */
let storeOfIds: SummaryStore | undefined;

/** Makes a cache in memory that ends with whoever holds it. */
export function memoryCache(): SummaryCache {
  return summaryCache(memoryStore({ maxBytes }), storeKeys(publicSecret, ''));
}

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
  if (store === false) return noCache;
  const guarded = guardStore(store ?? storeInMemory(options.model, model));
  return summaryCache(
    guarded(() => {}),
    storeKeys(secret, namespace),
  );
}

function storeInMemory(given: LanguageModel, model: ModelObject): SummaryStore {
  if (typeof given === 'string') {
    storeOfIds ??= memoryStore({ maxBytes });
    return storeOfIds;
  }
  const known = stores.get(model);
  if (known !== undefined) return known;
  const store = memoryStore({ maxBytes });
  stores.set(model, store);
  return store;
}
