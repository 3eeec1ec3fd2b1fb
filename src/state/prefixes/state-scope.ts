import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import { openingMessages } from '../../selection/legal-cuts.ts';
import type { StoreKeys } from '../../stores/seal/store-keys.ts';
import { allPoints, octavePoints, readPoints, writtenPoints } from './index-points.ts';

/**
 * Where the records of a conversation stand. With an id, one list names them all. Without, they are listed
 * under the digests of its beginning, at several lengths: see {@link readPoints}.
 */
export interface StateScope {
  /** Whether a client may send only the end of the conversation. */
  readonly hasId: boolean;
  /** Keys of the lists that may name records of at most `most` messages. */
  readonly listKeys: (keys: StoreKeys, most: number) => Promise<readonly string[]>;
  /** Keys of few lists, one of which names each record of at most `most` messages. */
  readonly octaveKeys: (keys: StoreKeys, most: number) => Promise<readonly string[]>;
  /** Keys of all lists that name records of at most `most` messages. */
  readonly allListKeys: (keys: StoreKeys, most: number) => Promise<readonly string[]>;
  /** Keys of the lists that are to name a record of `count` messages. */
  readonly listKeysOf: (keys: StoreKeys, count: number) => Promise<readonly string[]>;
  /** What the process files this conversation, and those that open alike, under. */
  readonly homeKey: (keys: StoreKeys) => Promise<string>;
  readonly recordKey: (keys: StoreKeys, digest: string) => Promise<string>;
  readonly skeletonKey: (keys: StoreKeys, digest: string) => Promise<string>;
  /** Of the places at which models were told of a summary to come, of conversations that open alike. */
  readonly announcedKey: (keys: StoreKeys) => Promise<string>;
  /** Of what is being written to continue the record of a digest, or a conversation that begins with what it is of. */
  readonly writingKey: (keys: StoreKeys, digest: string) => Promise<string>;
  /** Of what an archive consists of, or of a part of it. */
  readonly archiveKey: (keys: StoreKeys, archiveId: string, part?: number) => Promise<string>;
}

/** `conversationId` only narrows the search: digests decide. */
export function stateScope(
  identity: ConversationIdentity,
  conversationId: string | undefined,
): StateScope {
  const fields = conversationId === undefined ? ['content'] : ['id', conversationId];
  const keyOf =
    (kind: string) =>
    (keys: StoreKeys, digest: string): Promise<string> =>
      keys.key(...fields, kind, digest);
  const archiveKey: StateScope['archiveKey'] = (keys, archiveId, part) =>
    keys.key(...fields, 'archive', archiveId, ...(part === undefined ? [] : [String(part)]));
  const ofRecord = {
    recordKey: keyOf('record'),
    skeletonKey: keyOf('skeleton'),
    writingKey: keyOf('writing'),
    archiveKey,
  };
  if (conversationId !== undefined) {
    const homeKey = (keys: StoreKeys): Promise<string> => keys.key(...fields, 'list');
    const listKeys = async (keys: StoreKeys): Promise<readonly string[]> => [await homeKey(keys)];
    const announcedKey = (keys: StoreKeys): Promise<string> => keys.key(...fields, 'announced');
    const everywhere = { octaveKeys: listKeys, allListKeys: listKeys, listKeysOf: listKeys };
    return { hasId: true, listKeys, ...everywhere, homeKey, announcedKey, ...ofRecord };
  }
  const opening = (): Promise<string> => identity.prefixDigest(openingMessages);
  const keysAt = (keys: StoreKeys, points: readonly number[]): Promise<readonly string[]> =>
    Promise.all(
      points.map(async (point) => keyOf('list')(keys, await identity.prefixDigest(point))),
    );
  return {
    hasId: false,
    listKeys: (keys, most) => keysAt(keys, readPoints(most)),
    octaveKeys: (keys, most) => keysAt(keys, octavePoints(most)),
    allListKeys: (keys, most) => keysAt(keys, allPoints(most)),
    listKeysOf: (keys, count) => keysAt(keys, writtenPoints(count)),
    homeKey: async (keys) => keyOf('opening')(keys, await opening()),
    announcedKey: async (keys) => keyOf('announced')(keys, await opening()),
    ...ofRecord,
  };
}
