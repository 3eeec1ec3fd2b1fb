import type { KnownSummary, ProcessCopy } from './process-copy.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import { parentDigestIn, skeletonOf } from './skeleton.ts';
import type { StateScope } from './state-scope.ts';
import type { StateTimes } from './state-times.ts';

/** Ancestors of a record that are kept longer at most. */
const maxAncestors = 10_000;

/** Where a superseded record is. */
interface SupersededPlace {
  readonly copy: ProcessCopy;
  readonly home: string;
  readonly scope: StateScope;
  readonly store: SealedStore;
  readonly times: StateTimes;
}

/**
 * Lets the texts of a record leave soon, now that another one continues it, and keeps its skeleton. A skeleton
 * has to live as long as its newest descendant: it is kept for two retention times, and all of a conversation
 * are kept anew before the oldest has less than one left. So each is written a few times in all, and not once
 * for each descendant.
 */
export async function supersede(place: SupersededPlace, parent: KnownSummary): Promise<void> {
  const { copy, home, scope, times } = place;
  const { retentionMs, supersededTtlMs } = times;
  const { summary, key, keys } = parent;
  // It may be kept under the keys of the secret before.
  const store = place.store.with(keys);
  const { record, ancestorsUntil = Number.POSITIVE_INFINITY, parentDigest } = summary;
  const ttlMs = 2 * retentionMs;
  const skeletonKey = await scope.skeletonKey(keys, record.prefixDigest);
  await Promise.all([
    store.write(skeletonKey, JSON.stringify(skeletonOf(summary)), { ttlMs }),
    supersededTtlMs === 0
      ? store.remove(key)
      : store.write(key, JSON.stringify(summary), { ttlMs: supersededTtlMs }),
  ]);
  copy.keep(home, { ...parent, expiresAt: Date.now() + supersededTtlMs });
  if (ancestorsUntil >= Date.now() + retentionMs) return;
  let digest = parentDigest;
  for (let walked = 0; digest !== undefined && walked < maxAncestors; walked += 1) {
    const ancestorKey = await scope.skeletonKey(keys, digest);
    const { text } = await store.read(ancestorKey);
    if (text === undefined) return;
    await store.write(ancestorKey, text, { ttlMs });
    digest = parentDigestIn(text);
  }
}
