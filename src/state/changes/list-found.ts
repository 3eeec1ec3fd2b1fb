import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { readList } from '../lookup/look-up.ts';
import type { KnownSummary } from '../lookup/process-copy.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { listRecord } from './list-record.ts';

/**
 * Lists a record that was found under its own key, where its lists do not name it: whoever wrote it has ended
 * in the middle, and nobody else would find it.
 */
export async function listFound(
  store: SealedStore,
  scope: Pick<StateScope, 'listKeysOf'>,
  { summary, expiresAt }: KnownSummary,
  erasures: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const { record, archiveId } = summary;
  const { coveredMessages: count, prefixDigest: digest } = record;
  const listKeys = await scope.listKeysOf(store.keys, count);
  const lists = await Promise.all(listKeys.map((listKey) => readList(store, listKey)));
  const isListed = lists.every(
    ({ known, index }) => !known || index.entries.some((entry) => entry.digest === digest),
  );
  if (isListed) return;
  const ttlMs = expiresAt - Date.now();
  await listRecord(store, listKeys, { count, digest, archiveId }, { erasures, ttlMs });
}
