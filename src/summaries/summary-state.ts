import { openingMessages } from '../selection/legal-cuts.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import { addPrefix, type IndexedPrefix } from './prefix-index.ts';
import { retentionMs } from '../stores/retention.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import { storedReader, type StoredReader } from './stored-reader.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryStore } from '../stores/summary-store.ts';

/** The state of one conversation, as one request sees it. */
export interface SummaryState {
  /** The stored summary of the longest prefix of this conversation. At most two store reads. */
  readonly find: () => Promise<StoredSummary | undefined>;
  /** Store key of the summary of the first `count` messages that identify the conversation. */
  readonly keyOf: (count: number) => Promise<string>;
  /** The stored summary under such a key, if it is one of this conversation. */
  readonly read: (key: string) => Promise<StoredSummary | undefined>;
  /**
   * Stores a summary unless another request has stored one for the same prefix, and returns the one
   * that is in the store from then on: everybody sends the same bytes.
   */
  readonly save: (key: string, summary: StoredSummary) => Promise<StoredSummary>;
}

/** Opens the state of a conversation. `conversationId` only narrows the search: digests decide. */
export function summaryState(options: {
  readonly store: SummaryStore;
  readonly keys: StoreKeys;
  readonly identity: ConversationIdentity;
  readonly conversationId?: string | undefined;
  /** @default one that remembers nothing of other calls */
  readonly reader?: StoredReader | undefined;
}): SummaryState {
  const { store, keys, identity, conversationId, reader = storedReader() } = options;
  let scoped: Promise<string> | undefined;
  const scope = (): Promise<string> => {
    scoped ??=
      conversationId === undefined
        ? identity.prefixDigest(openingMessages).then((digest) => `content:${digest}`)
        : Promise.resolve(`id:${conversationId}`);
    return scoped;
  };
  const recordKey = async (digest: string): Promise<string> =>
    keys.key(await scope(), 'record', digest);
  const indexKey = async (): Promise<string> => keys.key(await scope(), 'index');
  const read = async (key: string): Promise<StoredSummary | undefined> => {
    const stored = await reader.summary(key, await store.get(key));
    if (stored === undefined) return undefined;
    const digest = await identity.prefixDigest(stored.record.originalMessageIds.length);
    return digest === stored.record.prefixDigest ? stored : undefined;
  };

  return {
    find: async () => {
      if (identity.indexAfter(openingMessages) === undefined || store.isEmpty?.() === true)
        return undefined;
      const key = await indexKey();
      const index = reader.index(key, await store.get(key));
      const prefix = await longestMatch(index, identity);
      return prefix && read(await recordKey(prefix.digest));
    },
    read,
    keyOf: async (count) => recordKey(await identity.prefixDigest(count)),
    save: async (key, summary) => {
      const value = JSON.stringify(summary);
      const written = await store.set(key, value, { ifAbsent: true, ttlMs: retentionMs });
      const winner = written ? summary : ((await read(key)) ?? summary);
      const { prefixDigest: digest, originalMessageIds } = summary.record;
      const count = originalMessageIds.length;
      const length = await identity.prefixLength(count);
      await addToIndex(store, reader, await indexKey(), { count, length, digest });
      return winner;
    },
  };
}

/** Adds an entry to a stored index, unless it is there. */
async function addToIndex(
  store: SummaryStore,
  reader: StoredReader,
  key: string,
  prefix: IndexedPrefix,
): Promise<void> {
  // Stores have no compare-and-swap, so a concurrent write can undo ours: look again, write again.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const index = reader.index(key, await store.get(key));
    if (index.some((entry) => entry.digest === prefix.digest)) return;
    const value = JSON.stringify(addPrefix(index, prefix));
    if (!(await store.set(key, value, { ttlMs: retentionMs }))) return;
  }
}

async function longestMatch(
  index: readonly IndexedPrefix[],
  identity: ConversationIdentity,
): Promise<IndexedPrefix | undefined> {
  const candidates = index
    // A prefix that is the whole conversation leaves no message to send.
    .filter(({ count }) => identity.indexAfter(count + 1) !== undefined)
    .toSorted((a, b) => b.count - a.count);
  for (const candidate of candidates) {
    // Reads the whole prefix where nobody has before: not for all of them.
    if ((await identity.prefixLength(candidate.count)) !== candidate.length) continue;
    // One after another on purpose: the first, longest one nearly always matches.
    if ((await identity.prefixDigest(candidate.count)) === candidate.digest) return candidate;
  }
  return undefined;
}
