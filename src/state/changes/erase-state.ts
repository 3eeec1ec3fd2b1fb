import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { removeArchive } from '../../archive/stored-archive.ts';
import { archivePlace } from './archive-place.ts';
import { readList, readRecord } from '../lookup/look-up.ts';
import { erasePrefixes, type IndexedPrefix, type PrefixIndex } from '../prefixes/prefix-index.ts';
import type { ProcessCopy } from '../lookup/process-copy.ts';
import { fieldIn } from '../stored-values/skeleton.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { tombstone } from '../stored-values/stored-value.ts';

/** The state of a conversation, to be erased. */
export interface ErasedState {
  readonly store: SealedStore;
  readonly copy: ProcessCopy;
  readonly scope: StateScope;
  /** What the conversation says; `undefined` when only its id is known, which then names all there is. */
  readonly identity: ConversationIdentity | undefined;
  /** Milliseconds that nothing may bring back what is erased. */
  readonly ttlMs: number;
}

/**
 * Erases the records of a conversation, its skeletons, its archive and what the process knows of it. What
 * others know, and what is being made, is not stored again: tombstones stand under the keys, and the lists say
 * that there was an erasure.
 *
 * @returns How many records there were, and whether the store confirmed all of it.
 */
export async function eraseState(
  state: ErasedState,
): Promise<{ readonly records: number; readonly isConfirmed: boolean }> {
  const { store, scope, identity, ttlMs } = state;
  const { keys } = store;
  const home = await scope.homeKey(keys);
  const most = identity?.significantBefore(Number.POSITIVE_INFINITY) ?? Number.POSITIVE_INFINITY;
  const listKeys = await scope.allListKeys(keys, most);
  const lists = await Promise.all(
    listKeys.map(async (listKey) => ({ listKey, ...(await readList(store, listKey)) })),
  );
  const named = await namedDigests(state, home, most, lists);
  // What a process has left that ended in the middle of writing is named in the lists alone.
  const archives = new Set(
    lists.flatMap(({ index }) =>
      prefixesIn(index).flatMap(({ digest, archiveId }) =>
        archiveId !== undefined && named.has(digest) ? [archiveId] : [],
      ),
    ),
  );
  const digests = new Set<string>();
  for (const digest of named) await addAncestors(state, digest, { digests, archives });

  const erasure = crypto.randomUUID();
  // The lists first: whatever is being made then is not kept.
  const marked = await Promise.all(
    lists.map(async ({ listKey, known, index }) => {
      const text = JSON.stringify(erasePrefixes(index, named, erasure));
      return known && (await store.write(listKey, text, { ttlMs })) === 'written';
    }),
  );
  const removed = await Promise.all(
    [...digests].map(async (digest) => removeRecord(state, home, digest)),
  );
  const emptied = await Promise.all(
    [...archives].map((archiveId) => removeArchive(archivePlace(store, scope, archiveId))),
  );
  const isForgotten = await store.remove(await scope.announcedKey(keys));
  const isConfirmed = [...marked, ...removed, ...emptied, isForgotten].every(Boolean);
  return { records: digests.size, isConfirmed };
}

async function removeRecord(
  { store, copy, scope, ttlMs }: ErasedState,
  home: string,
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
  { copy, identity }: ErasedState,
  home: string,
  most: number,
  lists: readonly { readonly index: PrefixIndex }[],
): Promise<ReadonlySet<string>> {
  const listed = lists.flatMap(({ index }) => prefixesIn(index));
  const known = copy.digests(home);
  if (identity === undefined) return new Set([...listed.map(({ digest }) => digest), ...known]);
  const counts = new Set([
    ...listed.map(({ count }) => count),
    ...lists.flatMap(({ index }) => index.counts),
    ...copy.counts(home),
  ]);
  const own = [...counts].filter((count) => count <= most).map(identity.prefixDigest);
  return new Set(await Promise.all(own));
}

/** What a list names, and what is being written or was left in the middle. */
function prefixesIn({ entries, begun = [] }: PrefixIndex): readonly IndexedPrefix[] {
  return [...entries, ...begun];
}

/** Adds a record that is there, and those that it continues, from the newest to the oldest. */
async function addAncestors(
  { store, copy, scope }: ErasedState,
  newest: string,
  { digests, archives }: { readonly digests: Set<string>; readonly archives: Set<string> },
): Promise<void> {
  let digest: string | undefined = newest;
  while (digest !== undefined && !digests.has(digest)) {
    const answer = await readRecord(store, scope, digest, new Map());
    const skeleton = await store.read(await scope.skeletonKey(store.keys, digest));
    const mine = copy.get(await scope.homeKey(store.keys), digest);
    const isThere = answer.state !== 'absent' || skeleton.taken || mine !== undefined;
    // What another process has ended is erased here too, as far as this one still has it.
    if (!isThere || (answer.state === 'ended' && mine === undefined)) return;
    digests.add(digest);
    const stored = answer.state === 'known' ? answer.known.summary : mine?.summary;
    const archiveId = stored?.archiveId ?? fieldIn(skeleton.text ?? '', 'archiveId');
    if (archiveId !== undefined) archives.add(archiveId);
    digest =
      stored === undefined ? fieldIn(skeleton.text ?? '', 'parentDigest') : stored.parentDigest;
  }
}
