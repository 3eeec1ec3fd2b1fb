import { removeArchive, renewValue } from '../../archive/stored-archive.ts';
import type { StoredSummary } from '../../record/stored-summary.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { archivePlace } from './archive-place.ts';
import { readList, readRecord } from '../lookup/look-up.ts';
import { undoPrefix, type UndonePrefix } from '../prefixes/prefix-index.ts';
import type { ProcessCopy } from '../lookup/process-copy.ts';
import type { KnownSummary } from '../lookup/known-summary.ts';
import { fieldIn } from '../stored-values/skeleton.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { tombstone } from '../stored-values/stored-value.ts';
import { writeList } from './write-list.ts';

/** A record that is to be undone. */
export interface UndonePlace {
  /** With the secret that it was stored under. */
  readonly store: SealedStore;
  readonly copy: ProcessCopy;
  readonly scope: StateScope;
  readonly digest: string;
  /** Milliseconds that nothing may bring it back, and that its parent is kept anew. */
  readonly ttlMs: number;
}

/** What came of it. */
export type UndoneRecord =
  | { readonly state: 'unknown' | 'unconfirmed' | 'absent' | 'ended' | 'continued' }
  | {
      readonly state: 'undone';
      /** The record that applies now. */
      readonly parent: SummaryRecord | undefined;
      /** Whether there was one, and its text has left. */
      readonly isParentGone: boolean;
    };

/** Stores have no compare-and-swap: look again, write again. */
const undoAttempts = 3;

/**
 * Takes the newest record of a conversation away and puts its parent in its place. The lists come first, which
 * remember how large the prompt may be before the next summary is due; whatever fails in the middle, it can be
 * undone again.
 */
export async function undoRecord(place: UndonePlace): Promise<UndoneRecord> {
  const { store, copy, scope, digest, ttlMs } = place;
  const key = await scope.recordKey(store.keys, digest);
  const answer = await readRecord(store, scope, digest, new Map());
  const homes = copy.homesOf(key);
  const [home] = homes;
  const mine = home === undefined ? undefined : copy.get(home, digest);
  const known = answer.state === 'known' ? answer.known : mine;
  if (answer.state === 'ended' || answer.state === 'unknown') {
    // Another process was first: this one does not go on with it either.
    if (answer.state === 'ended') for (const each of homes) copy.forget(each, digest);
    return { state: answer.state };
  }
  if (known === undefined) return { state: 'absent' };
  if (await isContinued(place)) return { state: 'continued' };
  const { summary } = known;
  const { parentDigest, archiveId } = summary;
  const parent = parentDigest === undefined ? undefined : await keepAnew(place, parentDigest);
  const undone = undonePrefixOf(summary);
  const listKeys = summary.listKeys ?? (await scope.allListKeys(store.keys, 0));
  const listed = await Promise.all(
    listKeys.map((listKey) =>
      store.inTurn(listKey, () => listAsUndone(store, listKey, undone, ttlMs)),
    ),
  );
  const isRemoved =
    archiveId === undefined || (await removeArchive(archivePlace(store, scope, archiveId)));
  if (!isRemoved || !listed.every(Boolean)) return { state: 'unconfirmed' };
  if ((await store.write(key, tombstone('undone'), { ttlMs })) !== 'written')
    return { state: 'unconfirmed' };
  for (const each of homes) {
    copy.forget(each, digest);
    copy.undo(each, [undone]);
    if (parent !== undefined) copy.keep(each, parent);
  }
  return {
    state: 'undone',
    parent: parent?.summary.record,
    isParentGone: parentDigest !== undefined && parent === undefined,
  };
}

/** Whether another record that is still there took its place. */
async function isContinued({ store, scope, digest }: UndonePlace): Promise<boolean> {
  const { text = '' } = await store.read(await scope.skeletonKey(store.keys, digest));
  const child = fieldIn(text, 'childDigest');
  if (child === undefined) return false;
  const { state } = await readRecord(store, scope, child, new Map());
  if (state !== 'absent') return state !== 'ended';
  return (await store.read(await scope.skeletonKey(store.keys, child))).taken;
}

/** Keeps the parent as long as a new record: its text was to leave soon. */
async function keepAnew(
  { store, scope, ttlMs }: UndonePlace,
  parentDigest: string,
): Promise<KnownSummary | undefined> {
  await renewValue(store, await scope.recordKey(store.keys, parentDigest), ttlMs);
  const answer = await readRecord(store, scope, parentDigest, new Map());
  return answer.state === 'known' ? answer.known : undefined;
}

function undonePrefixOf({ record, lastSummarization, ratioIfUndone }: StoredSummary): UndonePrefix {
  const { coveredMessages: count, prefixDigest: digest } = record;
  const { depth, messageCount, tokenRatio } = lastSummarization;
  return { count, digest, depth, messageCount, tokenRatio: ratioIfUndone ?? tokenRatio };
}

/** Takes a record off a list, which remembers it as undone. */
async function listAsUndone(
  store: SealedStore,
  listKey: string,
  undone: UndonePrefix,
  ttlMs: number,
): Promise<boolean> {
  for (let attempt = 0; attempt < undoAttempts; attempt += 1) {
    const list = await readList(store, listKey);
    const { known, index } = list;
    if (!known) return false;
    const isListed = index.entries.some(({ digest }) => digest === undone.digest);
    const isUndone = index.undone?.some(({ digest }) => digest === undone.digest) === true;
    if (isUndone && !isListed) return true;
    const written = await writeList({ store, listKey, ttlMs }, list, undoPrefix(index, undone));
    if (written === 'failed') return false;
  }
  return true;
}
