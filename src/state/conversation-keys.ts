import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import { madeOnce } from '../util/async/waiting.ts';

/** Messages by which conversations without an id are told apart: two, and where there are as many, eight. */
const openings = [2, 8] as const;

/** Another one for each form of the document: what one version wrote, no other one finds. */
const formOfDocument = 'document 5';

/** Where the state of a conversation stands. */
export interface ConversationKeys {
  /** Whether a client may send only the end of the conversation. */
  readonly hasId: boolean;
  /** Keys of all documents that may hold records of it. */
  readonly all: () => Promise<readonly string[]>;
  /** Key of the document that holds records of so many messages. */
  readonly of: (count: number) => Promise<string>;
  /** The digests by which they are found again where the messages are not at hand; `undefined` with an id. */
  readonly openings: () => Promise<readonly string[] | undefined>;
  /** Of a record, of which digits are its id. */
  readonly recordKey: (digest: string) => Promise<string>;
  readonly archiveKey: (archiveId: string) => Promise<string>;
}

/**
 * The keys of a conversation. Without an id, its records stand with those of others that open alike: digests decide.
 *
 * @param identity - What it says, or the digests of its opening as a record names them.
 */
export function conversationKeys(
  keys: Pick<StoreKeys, 'key'>,
  identity: ConversationIdentity | readonly string[] | undefined,
  conversationId: string | undefined,
): ConversationKeys {
  const fields = conversationId === undefined ? ['content'] : ['id', conversationId];
  const readOpenings = async (): Promise<readonly string[] | undefined> => {
    if (conversationId !== undefined) return undefined;
    if (identity === undefined || !('prefixDigest' in identity)) return identity;
    const there = openings.filter((length) => identity.indexAfter(length) !== undefined);
    return Promise.all(there.map(identity.prefixDigest));
  };
  // Asked for again and again; signing waits for another thread.
  const all = madeOnce(async () => {
    const [first = '', ...others] = (await readOpenings()) ?? [];
    const documents = [first, ...others].map((opening) =>
      keys.key(...fields, formOfDocument, opening),
    );
    return Promise.all(documents);
  });
  return {
    hasId: conversationId !== undefined,
    openings: readOpenings,
    all,
    of: async (count) => (await all()).at(count >= openings[1] ? -1 : 0) ?? '',
    recordKey: (digest) => keys.key(...fields, 'record', digest),
    archiveKey: (archiveId) => keys.key(...fields, 'archive', archiveId),
  };
}

/** Store key of what a conversation was seeded with: erased with the conversation, not with where it comes from. */
export function seedKey(keys: Pick<StoreKeys, 'key'>, conversationId: string): Promise<string> {
  return keys.key('id', conversationId, 'seed');
}
