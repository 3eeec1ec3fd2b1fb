import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import type { KnownSummary } from '../lookup/known-summary.ts';
import { readList } from '../lookup/look-up.ts';
import { wasErased, type Erasures } from '../lookup/was-erased.ts';
import {
  addPrefix,
  beginPrefix,
  endPrefix,
  keepErasure,
  type IndexedPrefix,
} from '../prefixes/prefix-index.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { writeList } from './write-list.ts';

/** Stores have no compare-and-swap, so another process can undo our write: look again, write again. */
const attempts = 3;

/** How a record is listed. */
export interface ListedUntil {
  /** Erasures of the lists as they were when it was begun. */
  readonly erasures: Erasures;
  /** Milliseconds that its lists are kept: as long as the archive and the skeletons that it leads to. */
  readonly ttlMs: number;
}

/** Whether a record may be written. */
export type BegunState = 'ready' | 'erased' | 'unconfirmed';

/**
 * Names a record that is about to be written: nobody looks for it yet, but erasure finds it.
 *
 * @returns `erased` when its conversation was erased since it was begun; `unconfirmed` when the store has not said
 * that it was not.
 */
export async function listBegun(
  store: Pick<SealedStore, 'read' | 'write' | 'inTurn'>,
  listKeys: readonly string[],
  prefix: IndexedPrefix,
  { erasures, ttlMs }: ListedUntil,
): Promise<BegunState> {
  const name = async (listKey: string): Promise<BegunState> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const list = await readList(store, listKey);
      if (!list.known) return 'unconfirmed';
      if (wasErased(erasures, listKey, list.index.erasure)) return 'erased';
      const begun = beginPrefix(keepErasure(list.index, erasures.get(listKey)), prefix);
      if ((await writeList({ store, listKey, ttlMs }, list, begun)) !== 'taken') return 'ready';
    }
    return 'ready';
  };
  const states = await Promise.all(
    listKeys.map((listKey) => store.inTurn(listKey, () => name(listKey))),
  );
  return (['erased', 'unconfirmed'] as const).find((state) => states.includes(state)) ?? 'ready';
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
  const add = async (listKey: string): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const list = await readList(store, listKey);
      const { known, index } = list;
      if (wasErased(erasures, listKey, index.erasure)) return false;
      const kept = keepErasure(index, erasures.get(listKey));
      const added = addPrefix(endPrefix(kept, begun), prefix);
      // Written at least once, so that the list lives as long as what it names.
      if (!known || (attempt > 0 && added === index)) return true;
      if ((await writeList({ store, listKey, ttlMs }, list, added)) === 'failed') return true;
    }
    return true;
  };
  const listed = await Promise.all(
    listKeys.map((listKey) => store.inTurn(listKey, () => add(listKey))),
  );
  return listed.every(Boolean);
}

/** Lists a record that is known once more. */
export async function listAgain(
  store: SealedStore,
  scope: Pick<StateScope, 'listKeysOf'>,
  { summary, erasures, expiresAt }: KnownSummary,
  retentionMs: number,
): Promise<void> {
  const { record, archiveId } = summary;
  const { coveredMessages: count, prefixDigest: digest } = record;
  const listKeys = await scope.listKeysOf(store.keys, count);
  const leadsOn = archiveId !== undefined || summary.parentDigest !== undefined;
  const ttlMs = expiresAt + (leadsOn ? retentionMs : 0) - Date.now();
  await listRecord(store, listKeys, { count, digest, archiveId }, { erasures, ttlMs });
}

/**
 * Lists a record that was found under its own key, where its lists do not name it: whoever wrote it has ended
 * in the middle, and nobody else would find it.
 */
export async function listFound(
  store: SealedStore,
  scope: Pick<StateScope, 'listKeysOf'>,
  found: KnownSummary,
  retentionMs: number,
): Promise<void> {
  const { coveredMessages, prefixDigest } = found.summary.record;
  const listKeys = await scope.listKeysOf(store.keys, coveredMessages);
  const lists = await Promise.all(listKeys.map((listKey) => readList(store, listKey)));
  const isListed = lists.every(
    ({ known, index }) => !known || index.entries.some(({ digest }) => digest === prefixDigest),
  );
  if (!isListed) await listAgain(store, scope, found, retentionMs);
}
