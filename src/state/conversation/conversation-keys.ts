import type { ConversationIdentity } from '../../prompt/identity/conversation-identity.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import { makeOnce } from '../../foundations/util/async/waiting.ts';

/** Messages that tell conversations without an id apart: the first two, and the first eight if there are as many. */
const openings = [2, 8] as const;

/** Version of the document format: no version finds the documents of another. */
const formOfDocument = 'document 6';

/** Store keys of a conversation's state. */
export interface ConversationKeys {
  /** Whether a client may send only the end of the conversation. */
  readonly hasId: boolean;
  /** Keys of all documents that may hold records of it. */
  readonly all: () => Promise<readonly string[]>;
  /** Key of the document that holds records of `count` messages. */
  readonly of: (count: number) => Promise<string>;
  /** Digests by which the documents are found without the messages; `undefined` with an id. */
  readonly openings: () => Promise<readonly string[] | undefined>;
  /** Key of a record; some of its digits are the record's id. */
  readonly recordKey: (digest: string) => Promise<string>;
}

/**
 * Derives the keys of a conversation. Without an id, it shares documents with conversations that open alike: digests
 * tell their records apart.
 *
 * @param identity - Identity of the messages, or the digests of their opening as a record names them.
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
  // Derived once: signing waits for another thread.
  const all = makeOnce(async () => {
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
  };
}

/** Derives the store key of a conversation's seed, which is erased with the conversation, not with its source. */
export function seedKey(keys: Pick<StoreKeys, 'key'>, conversationId: string): Promise<string> {
  return keys.key('id', conversationId, 'seed');
}
