import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { readList } from '../lookup/look-up.ts';
import {
  erasePrefixes,
  markErased,
  prefixesIn,
  type IndexedPrefix,
  type PrefixIndex,
} from '../prefixes/prefix-index.ts';
import { writeList } from './write-list.ts';

/** Lists of a conversation that is being erased. */
export interface ErasedLists {
  readonly store: Pick<SealedStore, 'read' | 'write' | 'inTurn'>;
  /** What the conversation says; `undefined` where all that the lists name is to be erased. */
  readonly identity: ConversationIdentity | undefined;
  /** What the lists say from now on. */
  readonly stamp: string;
  readonly ttlMs: number;
}

/** A list as it was when it was told of the erasure. */
export interface MarkedList {
  readonly index: PrefixIndex;
  /** Whether the store confirmed it. */
  readonly isMarked: boolean;
}

/** Times that somebody else may make the list at the same moment. */
const attempts = 3;

/** Tells a list of the erasure. It goes on naming what is erased, for who has to erase again. */
export function markList(
  { store, stamp, ttlMs }: ErasedLists,
  listKey: string,
): Promise<MarkedList> {
  const mark = async (attempt: number): Promise<MarkedList> => {
    const list = await readList(store, listKey);
    const { known, index } = list;
    if (!known) return { index, isMarked: false };
    const written = await writeList({ store, listKey, ttlMs }, list, markErased(index, stamp));
    if (written === 'taken' && attempt < attempts) return mark(attempt + 1);
    return { index, isMarked: written === 'written' };
  };
  return store.inTurn(listKey, () => mark(1));
}

/**
 * Takes what was erased off a list.
 *
 * @returns `false` where the store did not confirm it, or somebody has written the list who did not know of the
 * erasure, or has begun something that was not erased with the rest.
 */
export function clearList(
  { store, identity, stamp, ttlMs }: ErasedLists,
  listKey: string,
  erased: ReadonlySet<string>,
): Promise<boolean> {
  return store.inTurn(listKey, async () => {
    const list = await readList(store, listKey);
    const { index } = list;
    if (!list.known || index.erasure !== stamp) return false;
    const own = await ownPrefixes(index, identity);
    if (!own.every(({ digest }) => erased.has(digest))) return false;
    const cleared = erasePrefixes(index, erased);
    return (await writeList({ store, listKey, ttlMs }, list, cleared)) === 'written';
  });
}

/** What a list names of a conversation. */
async function ownPrefixes(
  index: PrefixIndex,
  identity: ConversationIdentity | undefined,
): Promise<readonly IndexedPrefix[]> {
  const prefixes = prefixesIn(index);
  if (identity === undefined) return prefixes;
  const most = identity.significantBefore(Number.POSITIVE_INFINITY);
  const isOwn = await Promise.all(
    prefixes.map(
      async ({ count, digest }) => count <= most && (await identity.prefixDigest(count)) === digest,
    ),
  );
  return prefixes.filter((_, place) => isOwn[place]);
}
