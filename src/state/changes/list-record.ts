import { readList } from '../lookup/look-up.ts';
import { addPrefix, type IndexedPrefix } from '../prefixes/prefix-index.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';

/** Stores have no compare-and-swap, so a concurrent write can undo ours: look again, write again. */
const attempts = 3;

/**
 * Lists a record for those who look for it.
 *
 * @param erasures - Erasures of the lists as they were when it was begun.
 * @returns `false` when its conversation was erased since then.
 */
export async function listRecord(
  store: Pick<SealedStore, 'read' | 'write'>,
  listKeys: readonly string[],
  prefix: IndexedPrefix,
  {
    erasures,
    ttlMs,
  }: {
    readonly erasures: ReadonlyMap<string, string | undefined>;
    readonly ttlMs: number;
  },
): Promise<boolean> {
  const list = async (listKey: string): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { known, index } = await readList(store, listKey);
      if (erasures.has(listKey) && known && index.erasure !== erasures.get(listKey)) return false;
      const added = addPrefix(index, prefix);
      // Written at least once, so that the list lives as long as what it names.
      if (!known || (attempt > 0 && added === index)) return true;
      if ((await store.write(listKey, JSON.stringify(added), { ttlMs })) === 'failed') return true;
    }
    return true;
  };
  const listed = await Promise.all(listKeys.map(list));
  return listed.every(Boolean);
}
