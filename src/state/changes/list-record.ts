import { readList } from '../lookup/look-up.ts';
import { addPrefix, beginPrefix, endPrefix, type IndexedPrefix } from '../prefixes/prefix-index.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';

/** Stores have no compare-and-swap, so another process can undo our write: look again, write again. */
const attempts = 3;

/** How a record is listed. */
export interface ListedUntil {
  /** Erasures of the lists as they were when it was begun. */
  readonly erasures: ReadonlyMap<string, string | undefined>;
  readonly ttlMs: number;
}

/**
 * Names a record that is about to be written: nobody looks for it yet, but erasure finds it.
 *
 * @returns `false` when its conversation was erased since it was begun.
 */
export async function listBegun(
  store: Pick<SealedStore, 'read' | 'write' | 'inTurn'>,
  listKeys: readonly string[],
  prefix: IndexedPrefix,
  { erasures, ttlMs }: ListedUntil,
): Promise<boolean> {
  const named = await Promise.all(
    listKeys.map((listKey) =>
      store.inTurn(listKey, async () => {
        const { known, index } = await readList(store, listKey);
        if (!known) return true;
        if (erasures.has(listKey) && index.erasure !== erasures.get(listKey)) return false;
        await store.write(listKey, JSON.stringify(beginPrefix(index, prefix)), { ttlMs });
        return true;
      }),
    ),
  );
  return named.every(Boolean);
}

/**
 * Lists a record for those who look for it.
 *
 * @param begun - What was named before it was written.
 * @returns `false` when its conversation was erased since it was begun.
 */
export async function listRecord(
  store: Pick<SealedStore, 'read' | 'write' | 'inTurn'>,
  listKeys: readonly string[],
  prefix: IndexedPrefix,
  { erasures, ttlMs }: ListedUntil,
  begun: IndexedPrefix = prefix,
): Promise<boolean> {
  const list = async (listKey: string): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { known, index } = await readList(store, listKey);
      if (erasures.has(listKey) && known && index.erasure !== erasures.get(listKey)) return false;
      const added = addPrefix(endPrefix(index, begun), prefix);
      // Written at least once, so that the list lives as long as what it names.
      if (!known || (attempt > 0 && added === index)) return true;
      if ((await store.write(listKey, JSON.stringify(added), { ttlMs })) === 'failed') return true;
    }
    return true;
  };
  const listed = await Promise.all(
    listKeys.map((listKey) => store.inTurn(listKey, () => list(listKey))),
  );
  return listed.every(Boolean);
}
