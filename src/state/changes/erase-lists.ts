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

/** Tells a list of the erasure. It goes on naming what is erased, for who has to erase again. */
export function markList(
  { store, stamp, ttlMs }: ErasedLists,
  listKey: string,
): Promise<MarkedList> {
  return store.inTurn(listKey, async () => {
    const { known, index } = await readList(store, listKey);
    const text = JSON.stringify(markErased(index, stamp));
    const isMarked = known && (await store.write(listKey, text, { ttlMs })) === 'written';
    return { index, isMarked };
  });
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
    const { known, index } = await readList(store, listKey);
    if (!known || index.erasure !== stamp) return false;
    const own = await ownPrefixes(index, identity);
    if (!own.every(({ digest }) => erased.has(digest))) return false;
    const text = JSON.stringify(erasePrefixes(index, erased));
    return (await store.write(listKey, text, { ttlMs })) === 'written';
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
