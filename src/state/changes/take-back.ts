import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { readList } from '../lookup/look-up.ts';
import type { KnownSummary } from '../lookup/known-summary.ts';
import { wasErased } from '../lookup/was-erased.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { tombstone } from '../stored-values/stored-value.ts';

/**
 * Takes away again what was written over a record while its conversation was erased: stores have no
 * compare-and-swap, so it may stand where the erasure had left a tombstone.
 *
 * @param ttlMs - Milliseconds that nothing may bring it back.
 * @returns Whether it was erased.
 */
export async function takeBackIfErased(
  store: SealedStore,
  scope: Pick<StateScope, 'listKeysOf' | 'skeletonKey'>,
  { summary, key, erasures }: KnownSummary,
  ttlMs: number,
): Promise<boolean> {
  const { coveredMessages, prefixDigest } = summary.record;
  const isErasedIn = async (listKey: string): Promise<boolean> => {
    const { index } = await readList(store, listKey);
    return wasErased(erasures, listKey, index.erasure);
  };
  const listKeys = await scope.listKeysOf(store.keys, coveredMessages);
  const isErased = (await Promise.all(listKeys.map(isErasedIn))).some(Boolean);
  if (isErased)
    await Promise.all([
      store.write(key, tombstone('erased'), { ttlMs }),
      store.remove(await scope.skeletonKey(store.keys, prefixDigest)),
    ]);
  return isErased;
}
