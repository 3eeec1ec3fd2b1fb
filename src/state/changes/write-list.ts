import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import type { StoredList } from '../lookup/look-up.ts';
import type { PrefixIndex } from '../prefixes/prefix-index.ts';

/** Where a list is written. */
export interface ListPlace {
  readonly store: Pick<SealedStore, 'write'>;
  readonly listKey: string;
  /** Milliseconds that it is kept at least. */
  readonly ttlMs: number;
}

/**
 * Writes a list anew, for no shorter than it stood: others are named in it. Where there was none, it is not written
 * over what has come meanwhile, which an erasure may be.
 */
export function writeList(
  { store, listKey, ttlMs: leastMs }: ListPlace,
  { taken, expiresAt }: StoredList,
  index: PrefixIndex,
): ReturnType<SealedStore['write']> {
  const ttlMs = Math.max(leastMs, expiresAt - Date.now());
  return store.write(listKey, JSON.stringify(index), { ttlMs, ifAbsent: !taken });
}
