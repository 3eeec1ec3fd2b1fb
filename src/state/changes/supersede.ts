import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import type { KnownSummary } from '../lookup/known-summary.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { fieldIn, skeletonOf } from '../stored-values/skeleton.ts';
import { archivePlace } from './archive-place.ts';
import type { StatePlace } from './state-place.ts';
import { takeBackIfErased } from './take-back.ts';

/** Ancestors of a record that are kept longer at most. */
const maxAncestors = 10_000;

/**
 * Lets the texts of a record leave soon, now that another one continues it, and keeps its skeleton. A skeleton
 * has to live as long as its newest descendant: it is kept for two retention times, and all of a conversation
 * are kept anew before the oldest has less than one left. So each is written a few times in all, and not once
 * for each descendant. With an archive, texts and originals are kept like skeletons.
 */
export async function supersede(
  place: StatePlace,
  parent: KnownSummary,
  childDigest: string,
): Promise<void> {
  const { copy, home, scope, times, archive } = place;
  const { retentionMs } = times;
  const { key, keys } = parent;
  // What the store has of it, and what the new record continues.
  const summary = parent.winner ?? parent.summary;
  // It may be kept under the keys of the secret before.
  const store = place.store.with(keys);
  const { record, ancestorsUntil = Number.POSITIVE_INFINITY, parentDigest } = summary;
  const ttlMs = 2 * retentionMs;
  const textTtlMs = archive === undefined ? times.supersededTtlMs : ttlMs;
  const skeletonKey = await scope.skeletonKey(keys, record.prefixDigest);
  await Promise.all([
    store.write(skeletonKey, JSON.stringify(skeletonOf(summary, childDigest)), { ttlMs }),
    textTtlMs === 0
      ? store.remove(key)
      : store.write(key, JSON.stringify(summary), { ttlMs: textTtlMs }),
  ]);
  await takeBackIfErased(store, scope, parent, retentionMs);
  copy.keep(home, { ...parent, expiresAt: Date.now() + textTtlMs });
  if (ancestorsUntil >= Date.now() + retentionMs) return;
  let digest = parentDigest;
  for (let walked = 0; digest !== undefined && walked < maxAncestors; walked += 1) {
    const ancestorKey = await scope.skeletonKey(keys, digest);
    const { text } = await store.read(ancestorKey);
    if (text === undefined) return;
    await store.write(ancestorKey, text, { ttlMs });
    if (archive !== undefined) await renewOriginals(store, scope, { digest, text }, ttlMs);
    digest = fieldIn(text, 'parentDigest');
  }
}

async function renewOriginals(
  store: SealedStore,
  scope: StateScope,
  { digest, text }: { readonly digest: string; readonly text: string },
  ttlMs: number,
): Promise<void> {
  const { renewArchive, renewValue } = await import('../../archive/stored-archive.ts');
  await renewValue(store, await scope.recordKey(store.keys, digest), ttlMs);
  const archiveId = fieldIn(text, 'archiveId');
  if (archiveId !== undefined) await renewArchive(archivePlace(store, scope, archiveId), ttlMs);
}
