import type { StoredSummary } from '../../record/stored-summary.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';
import { isAnother, isInUse, type KnownSummary } from '../lookup/known-summary.ts';
import { readRecord } from '../lookup/look-up.ts';
import { whileSaving } from '../lookup/saving.ts';
import { beginRecord } from './begin-record.ts';
import type { IndexedPrefix } from '../prefixes/prefix-index.ts';
import { listRecord, type ListedUntil } from './list-record.ts';
import type { SentPlace } from './state-place.ts';
import { supersede } from './supersede.ts';
import type { Erasures } from '../lookup/was-erased.ts';

/** Where a record is saved. */
export interface SavePlace extends SentPlace {
  /** Erasures as they were when the summary was begun. */
  readonly erasures: Erasures;
  /** Stamps of the tombstones that stood under keys when the summary was begun. */
  readonly endings: ReadonlyMap<string, string>;
  /** Milliseconds the store is waited for. */
  readonly waitMs: number;
  /** Told where it is not kept: the conversation was erased since it was begun, or what it continues undone. */
  readonly onDropped: () => void;
  /** The summary that stood in the prompt. */
  readonly parent: KnownSummary | undefined;
}

/** Ids of summarised messages that are kept to recognise a window of a conversation by. */
const maxLastIds = 512;

/**
 * Saves a summary, see `ConversationState.save`. A store that is slow is waited for as long as a call may: what
 * this process made is then what it sends, whoever was first.
 */
export async function saveRecord(
  place: SavePlace,
  key: string,
  summary: StoredSummary,
): Promise<StoredSummary> {
  const { prefixDigest: digest, coveredMessages: count } = summary.record;
  return whileSaving(place.copy.saves, place.home, { digest, count }, save(place, key, summary));
}

async function save(place: SavePlace, key: string, summary: StoredSummary): Promise<StoredSummary> {
  const { copy, home, store, times, erasures } = place;
  const isContinued =
    summary.record.parentId !== undefined &&
    place.parent?.summary.record.id === summary.record.parentId;
  const parent = isContinued ? place.parent : undefined;
  const mine: KnownSummary = {
    summary: await withAncestors(place, summary, parent?.summary),
    key,
    keys: store.keys,
    expiresAt: Date.now() + times.retentionMs,
    erasures,
  };
  try {
    const winner = await withDeadline(undefined, place.waitMs, () =>
      share({ ...place, parent }, mine),
    );
    return winner ?? summary;
  } catch {
    copy.keep(home, mine);
    return summary;
  }
}

/**
 * Stores a summary, lists it and lets its parent go. Returns the one of another process that was first. Where
 * the store does not confirm that it has the originals, this process alone has the summary for now.
 */
async function share(place: SavePlace, made: KnownSummary): Promise<StoredSummary | undefined> {
  const { copy, home, store, times, archive, erasures, parent } = place;
  const { coveredMessages: count, prefixDigest: digest } = made.summary.record;
  const leadsOn = archive !== undefined || made.summary.parentDigest !== undefined;
  const until = { erasures, ttlMs: (leadsOn ? 2 : 1) * times.retentionMs };
  const originals = (await place.originalsOf(made.summary.record)) ?? [];
  const { state, begun, remove } = await beginRecord(place, { count, digest }, originals, until);
  if (state === 'unconfirmed') copy.keep(home, made);
  if (state === 'erased') {
    copy.forget(home, digest);
    place.onDropped();
  }
  if (state !== 'ready') {
    await remove();
    return undefined;
  }
  const { archiveId } = begun;
  const mine = { ...made, summary: { ...made.summary, archiveId } };
  const winner = await write(place, mine);
  if (winner !== mine) await remove();
  if (winner === undefined || !(await listKept(place, winner, begun, until))) {
    // Somebody erased the conversation, or undid what this continues: nobody is to find what was written.
    if (winner === mine) await Promise.all([store.remove(mine.key), remove()]);
    copy.forget(home, digest);
    place.onDropped();
    return undefined;
  }
  // What was prepared takes the place of nothing before it is due.
  if (parent !== undefined && isInUse(winner)) await supersede(place, parent, digest);
  // Where it was not waited for, it has been sent already.
  const sent = copy.get(home, digest);
  copy.keep(
    home,
    sent === undefined || winner === mine ? winner : { ...sent, winner: winner.summary },
  );
  return winner === mine ? undefined : winner.summary;
}

/** Lists what stands in the store now; `false` where that, or what it continues, was ended since it was begun. */
async function listKept(
  place: SavePlace,
  kept: KnownSummary,
  begun: IndexedPrefix,
  until: ListedUntil,
): Promise<boolean> {
  const { scope, store, parent } = place;
  if (parent !== undefined && (await isEnded(place, parent))) return false;
  const { record, archiveId } = kept.summary;
  const { coveredMessages: count, prefixDigest: digest } = record;
  const listKeys = await scope.listKeysOf(store.keys, count);
  if (!(await listRecord(store, listKeys, { count, digest, archiveId }, until, begun)))
    return false;
  // An erasure whose word in a list was just written over has left tombstones.
  const left = [kept, ...(parent === undefined ? [] : [parent])];
  const ended = await Promise.all(left.map(async (each) => isEnded(place, each)));
  return !ended.some(Boolean);
}

async function isEnded(
  { scope, store }: SavePlace,
  { keys, summary, erasures }: KnownSummary,
): Promise<boolean> {
  const { prefixDigest } = summary.record;
  return (await readRecord(store.with(keys), scope, prefixDigest, erasures)).state === 'ended';
}

/** Writes a summary where there is none. Returns what is there; `undefined`: it was taken away meanwhile. */
async function write(
  { scope, store, times, erasures, endings }: SavePlace,
  mine: KnownSummary,
): Promise<KnownSummary | undefined> {
  const ttlMs = times.retentionMs;
  const text = JSON.stringify(mine.summary);
  if ((await store.write(mine.key, text, { ifAbsent: true, ttlMs })) !== 'taken') return mine;
  const answer = await readRecord(store, scope, mine.summary.record.prefixDigest, erasures);
  // Some clients send a command again after a lost connection, and then find what they wrote themselves.
  if (answer.state === 'known') return isOurs(answer.known, mine) ? mine : answer.known;
  if (answer.state === 'ended' && endings.get(mine.key) !== answer.stamp) return undefined;
  // A tombstone of before this summary was begun, or what nobody can read.
  if (answer.state !== 'unknown') await store.write(mine.key, text, { ttlMs });
  return mine;
}

/** Whether it was written with this attempt: not by another process, nor by a look-up of this one. */
function isOurs(known: KnownSummary, mine: KnownSummary): boolean {
  return !isAnother(known, mine) && known.summary.archiveId === mine.summary.archiveId;
}

/** Adds what leads to the ancestors of a summary, and what a window of its conversation is recognised by. */
async function withAncestors(
  { scope, store, archive, times: { retentionMs } }: SavePlace,
  summary: StoredSummary,
  parent: StoredSummary | undefined,
): Promise<StoredSummary> {
  const ids = [...(parent?.lastIds ?? []), ...summary.record.originalMessageIds];
  const listed = scope.hasId
    ? { ...summary, lastIds: ids.slice(-maxLastIds) }
    : {
        ...summary,
        listKeys: await scope.listKeysOf(store.keys, summary.record.coveredMessages),
      };
  if (parent === undefined) return listed;
  const kept = 2 * retentionMs;
  const { ancestorsUntil = Number.POSITIVE_INFINITY, record } = parent;
  // Its skeleton is written now; its originals were with it.
  const ofParent = kept + (archive === undefined ? Date.now() : record.timestamp);
  // Those that would end before this record does are written again with it.
  const isRenewed = ancestorsUntil < Date.now() + retentionMs;
  const ofOthers = isRenewed ? Date.now() + kept : ancestorsUntil;
  return {
    ...listed,
    parentDigest: record.prefixDigest,
    ancestorsUntil: Math.min(ofParent, ofOthers),
  };
}
