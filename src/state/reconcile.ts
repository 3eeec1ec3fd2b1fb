import { takeBackIfErased } from './changes/take-back.ts';
import { beginRecord } from './changes/begin-record.ts';
import { listAgain } from './changes/list-record.ts';
import { inUse } from './changes/prepared-summary.ts';
import type { SentPlace } from './changes/state-place.ts';
import { isAnother, isInUse, type KnownSummary } from './lookup/known-summary.ts';
import type { LookUpAnswer } from './lookup/look-up.ts';
import { wasErased } from './lookup/was-erased.ts';

/**
 * Brings the copy of this process and the store together: what is new to the copy is kept, what the store
 * has lost is written again, its originals first, but never what was erased, undone or has expired. Of two summaries of the same
 * messages that of the store is continued by the next one; until then what this process sends stays.
 *
 * @returns What the store has.
 */
export async function reconcile(
  place: SentPlace,
  answer: LookUpAnswer,
): Promise<readonly KnownSummary[]> {
  const { copy, home } = place;
  copy.undo(home, answer.undone);
  const stored: KnownSummary[] = [];
  for (const [digest, record] of answer.prefixes) {
    const mine = copy.get(home, digest);
    if (record.state === 'known') stored.push(record.known);
    if (mine === undefined) continue;
    if (record.state === 'ended' || isErased(mine, answer)) copy.forget(home, digest);
    else if (record.state === 'absent' || record.state === 'unreadable')
      await writeAgain(place, mine, record.state === 'absent');
    else if (record.state === 'known' && !answer.listed.has(digest))
      await listAgain(place.store, place.scope, mine, place.times.retentionMs);
  }
  // The newest last, as what was kept last counts as the newest.
  stored.push(...answer.newest);
  for (const known of stored) {
    const { prefixDigest } = known.summary.record;
    const mine = copy.get(home, prefixDigest);
    // What stands in a prompt anywhere is in its place everywhere.
    if (mine === undefined || (isInUse(known) && !isInUse(mine))) copy.keep(home, known);
    else if (isAnother(known, mine)) copy.keep(home, { ...mine, winner: known.summary });
    if (mine !== undefined && isInUse(mine) && !isInUse(known))
      await writeInUse(place, known, mine);
  }
  return stored;
}

/** Whether a conversation was erased since a summary of it became known. */
function isErased({ erasures }: KnownSummary, answer: LookUpAnswer): boolean {
  return [...answer.erasures].some(([key, erasure]) => wasErased(erasures, key, erasure));
}

async function writeAgain(place: SentPlace, known: KnownSummary, ifAbsent: boolean): Promise<void> {
  const { store, scope, times } = place;
  const first = await archivedFirst(place, known);
  if (first === undefined) return;
  const { archived, remove } = first;
  const ttlMs = known.expiresAt - Date.now();
  await store.write(known.key, JSON.stringify(archived.summary), { ifAbsent, ttlMs });
  await listAgain(store, scope, archived, times.retentionMs);
  if (await takeBackIfErased(store, scope, archived, times.retentionMs)) await remove?.();
}

/** A summary that is to be written, and what takes its originals away that were written for it. */
interface ArchivedSummary {
  readonly archived: KnownSummary;
  readonly remove?: (() => Promise<void>) | undefined;
}

/** A summary whose originals the store has, as far as this call can see to it; `undefined`: not yet. */
async function archivedFirst(
  place: SentPlace,
  known: KnownSummary,
): Promise<ArchivedSummary | undefined> {
  const { copy, home, store, scope, archive, originalsOf } = place;
  const { summary, erasures } = known;
  if (archive === undefined) return { archived: known };
  const { archiveId } = summary;
  // Whatever took the record away may have taken its originals too.
  const isKept =
    archiveId !== undefined &&
    (await store.read(await scope.archiveKey(store.keys, archiveId))).taken;
  if (isKept) return { archived: known };
  const originals = await originalsOf(summary.record);
  // What no client sends any more is not to be had.
  if (originals === undefined) return { archived: known };
  const { coveredMessages: count, prefixDigest: digest } = summary.record;
  const until = { erasures, ttlMs: known.expiresAt + place.times.retentionMs - Date.now() };
  const { state, begun, remove } = await beginRecord(place, { count, digest }, originals, until);
  if (state !== 'ready') {
    await remove();
    return undefined;
  }
  const archived = { ...known, summary: { ...summary, archiveId: begun.archiveId } };
  copy.keep(home, archived);
  return { archived, remove };
}

async function writeInUse(
  { store, scope, times }: SentPlace,
  known: KnownSummary,
  mine: KnownSummary,
): Promise<void> {
  const text = JSON.stringify(inUse(known.summary, mine.summary));
  await store.write(known.key, text, { ttlMs: known.expiresAt - Date.now() });
  await takeBackIfErased(store, scope, known, times.retentionMs);
}
