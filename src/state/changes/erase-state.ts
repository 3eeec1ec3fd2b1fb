import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { removeArchive } from '../../archive/stored-archive.ts';
import { archivePlace } from './archive-place.ts';
import { clearList, markList, type MarkedList } from './erase-lists.ts';
import { readRecord } from '../lookup/look-up.ts';
import { prefixesIn } from '../prefixes/prefix-index.ts';
import type { ProcessCopy } from '../lookup/process-copy.ts';
import { fieldIn } from '../stored-values/skeleton.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { tombstone } from '../stored-values/stored-value.ts';
import { randomId } from '../../hash/random-id.ts';

/** The state of a conversation, to be erased. */
export interface ErasedState {
  readonly store: SealedStore;
  readonly copy: ProcessCopy;
  readonly scope: StateScope;
  /** What the conversation says; `undefined` when only its id is known, which then names all there is. */
  readonly identity: ConversationIdentity | undefined;
  /** Milliseconds that nothing may bring back what is erased. */
  readonly ttlMs: number;
  /** `undefined` where it is not known who keeps its trees. */
  readonly trees: ErasedTrees | undefined;
}

/** Trees of summaries of a conversation. */
export interface ErasedTrees {
  /** Ids of those that records need not name. */
  readonly ids: readonly string[];
  /** Says whether the tree is gone. */
  readonly remove: (treeId: string) => Promise<boolean>;
}

/** What was erased of a conversation. */
export interface ErasedRecords {
  readonly records: number;
  /** Whether everything is gone as far as the store says. */
  readonly isConfirmed: boolean;
  /** Ids of trees that records named, and that nobody could remove. */
  readonly treesLeft: readonly string[];
}

/** The same, with what one erasure goes by. */
interface Erasure extends ErasedState {
  readonly home: string;
  readonly listKeys: readonly string[];
  /** What its lists say from now on. */
  readonly stamp: string;
}

/** Stores have no compare-and-swap, so another process can undo our write: look again, erase again. */
const attempts = 3;

/**
 * Erases the records of a conversation, its skeletons, its archive and what the process knows of it. What
 * others know, and what is being made, is not stored again: tombstones stand under the keys, and the lists say
 * that there was an erasure.
 *
 * Trees go before the records that name them: who erases again finds what was left.
 */
export async function eraseState(state: ErasedState): Promise<ErasedRecords> {
  const { store, scope, identity } = state;
  const most = identity?.significantBefore(Number.POSITIVE_INFINITY) ?? Number.POSITIVE_INFINITY;
  const erasure = {
    ...state,
    home: await scope.homeKey(store.keys),
    listKeys: await scope.allListKeys(store.keys, most),
    stamp: randomId(),
  };
  const erased: Found = { digests: new Set(), archives: new Set(), trees: new Set() };
  let isConfirmed = false;
  for (let attempt = 0; attempt < attempts && !isConfirmed; attempt += 1) {
    // The lists first: whatever is being made then is not kept.
    const lists = await Promise.all(erasure.listKeys.map((listKey) => markList(erasure, listKey)));
    const named = await namedDigests(erasure, lists);
    const isRemoved = await removeNamed(erasure, named, lists, erased);
    if (!isRemoved || !lists.every(({ isMarked }) => isMarked)) break;
    // Named until all of it is gone, for who has to erase again.
    const cleared = await Promise.all(
      erasure.listKeys.map((listKey) => clearList(erasure, listKey, named)),
    );
    isConfirmed = cleared.every(Boolean);
  }
  const isForgotten = await store.remove(await scope.announcedKey(store.keys));
  return {
    records: erased.digests.size,
    isConfirmed: isConfirmed && isForgotten,
    treesLeft: state.trees === undefined ? [...erased.trees] : [],
  };
}

/** What there is of a conversation: digests of records, ids of archives and trees. */
type Found = Readonly<Record<'digests' | 'archives' | 'trees', Set<string>>>;

/** Removes the records of digests and those that they continue; says whether the store confirmed all of it. */
async function removeNamed(
  erasure: Erasure,
  named: ReadonlySet<string>,
  lists: readonly MarkedList[],
  erased: Found,
): Promise<boolean> {
  const { store, scope } = erasure;
  // What a process has left that ended in the middle of writing is named in the lists alone.
  const archives = new Set(
    lists.flatMap(({ index }) =>
      prefixesIn(index).flatMap(({ digest, archiveId }) =>
        archiveId !== undefined && named.has(digest) ? [archiveId] : [],
      ),
    ),
  );
  const digests = new Set<string>();
  const { trees } = erased;
  for (const digest of named) await addAncestors(erasure, digest, { digests, archives, trees });
  for (const digest of digests) erased.digests.add(digest);
  const emptied = await Promise.all([
    ...[...archives].map((archiveId) => removeArchive(archivePlace(store, scope, archiveId))),
    ...(erasure.trees === undefined
      ? []
      : [...new Set([...erasure.trees.ids, ...trees])].map(erasure.trees.remove)),
  ]);
  if (!emptied.every(Boolean)) return false;
  // The oldest first: what leads to a record stays until the record is gone.
  for (const digest of [...digests].toReversed())
    if (!(await removeRecord(erasure, digest))) return false;
  return true;
}

async function removeRecord(
  { store, copy, scope, home, ttlMs }: Erasure,
  digest: string,
): Promise<boolean> {
  const { keys } = store;
  copy.forget(home, digest);
  const key = await scope.recordKey(keys, digest);
  const written = await store.write(key, tombstone('erased'), { ttlMs });
  const isRemoved = await store.remove(await scope.skeletonKey(keys, digest));
  return isRemoved && written === 'written';
}

/** Digests of the prefixes of this conversation that lists name, or that the process knows. */
async function namedDigests(
  { copy, home, identity }: Erasure,
  lists: readonly MarkedList[],
): Promise<ReadonlySet<string>> {
  const listed = lists.flatMap(({ index }) => prefixesIn(index));
  const known = copy.digests(home);
  if (identity === undefined) return new Set([...listed.map(({ digest }) => digest), ...known]);
  const counts = new Set([
    ...listed.map(({ count }) => count),
    ...lists.flatMap(({ index }) => index.counts),
    ...copy.counts(home),
  ]);
  const most = identity.significantBefore(Number.POSITIVE_INFINITY);
  const own = [...counts].filter((count) => count <= most).map(identity.prefixDigest);
  return new Set(await Promise.all(own));
}

/** Adds a record that is there, and those that it continues, from the newest to the oldest. */
async function addAncestors(
  { store, copy, scope, home }: Erasure,
  newest: string,
  { digests, archives, trees }: Found,
): Promise<void> {
  let digest: string | undefined = newest;
  while (digest !== undefined && !digests.has(digest)) {
    const answer = await readRecord(store, scope, digest, new Map());
    const skeleton = await store.read(await scope.skeletonKey(store.keys, digest));
    const mine = copy.get(home, digest);
    const isThere = answer.state !== 'absent' || skeleton.taken || mine !== undefined;
    // What another process has ended is erased here too, as far as this one still has it, or anything is left of it.
    const isOver = answer.state === 'ended' && !skeleton.taken && mine === undefined;
    if (!isThere || isOver) return;
    digests.add(digest);
    const stored = answer.state === 'known' ? answer.known.summary : mine?.summary;
    const archiveId = stored?.archiveId ?? fieldIn(skeleton.text ?? '', 'archiveId');
    if (archiveId !== undefined) archives.add(archiveId);
    const treeId = stored?.treeId ?? fieldIn(skeleton.text ?? '', 'treeId');
    if (treeId !== undefined) trees.add(treeId);
    digest =
      stored === undefined ? fieldIn(skeleton.text ?? '', 'parentDigest') : stored.parentDigest;
  }
}
