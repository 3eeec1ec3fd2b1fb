import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import {
  emptyIndex,
  parsePrefixIndex,
  type PrefixIndex,
  type UndonePrefix,
} from '../prefixes/prefix-index.ts';
import { maxNewest } from './process-copy.ts';
import type { KnownSummary } from './known-summary.ts';
import type * as Parser from '../stored-values/parse-stored-value.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import type { StoredValue } from '../stored-values/stored-value.ts';
import type { Erasures } from './was-erased.ts';

/** What a store holds under the key of a record. */
export type RecordAnswer =
  | { readonly state: 'unknown' | 'absent' | 'unreadable' }
  | { readonly state: 'ended'; readonly stamp: string }
  | { readonly state: 'known'; readonly known: KnownSummary };

/** What a store says of a conversation. */
export interface LookUpAnswer {
  /** Erasures of the lists it was asked for. */
  readonly erasures: Erasures;
  /** The records of prefixes that were asked for, the longest first. */
  readonly prefixes: ReadonlyMap<string, RecordAnswer>;
  /** Digests of all prefixes that the lists name. */
  readonly listed: ReadonlySet<string>;
  /** What was undone of the conversation and of those that open like it. */
  readonly undone: readonly UndonePrefix[];
  /** The newest records of the conversation, the newest last, where it has an id. */
  readonly newest: readonly KnownSummary[];
}

/** Records that are read at once, so that a look-up takes two round trips and at most 16 keys. */
const maxRecords = 6;
/** Lengths of which the digest is compared with those of lists. */
const maxCompared = 32;
/**
 * Listed prefixes of this conversation that are read: the longest, which may be prepared and not be due, the one
 * before, and one more should that have left.
 */
const maxMatches = 3;

/**
 * Asks a store about a conversation: what is listed for its beginning, then the records.
 *
 * @param most - The most messages that a record may stand for.
 * @param also - Digest of a prefix whose record is wanted in any case.
 */
export async function lookUp(
  store: SealedStore,
  scope: StateScope,
  identity: ConversationIdentity,
  { most, also }: { readonly most: number; readonly also?: string | undefined },
): Promise<LookUpAnswer> {
  // Loads while the store answers.
  void loadParser().catch(() => {});
  const listKeys = await scope.listKeys(store.keys, most);
  const lists = await Promise.all(
    listKeys.map(async (listKey) => ({ listKey, ...(await readList(store, listKey)) })),
  );
  const erasures = new Map(
    lists.flatMap(({ listKey, known, index }) => (known ? [[listKey, index.erasure]] : [])),
  );
  const indexes = lists.map(({ index }) => index);
  const wanted = new Set(also === undefined ? [] : [also]);
  for (const digest of await candidates(indexes, identity, most)) wanted.add(digest);
  const newest = scope.hasId
    ? indexes.flatMap(({ entries }) => entries.slice(-maxNewest).map(({ digest }) => digest))
    : [];
  const digests = [...new Set([...[...wanted].slice(0, maxRecords), ...newest])];
  const answers = new Map(
    await Promise.all(
      digests.map(
        async (digest) => [digest, await readRecord(store, scope, digest, erasures)] as const,
      ),
    ),
  );
  return {
    erasures,
    prefixes: new Map([...answers].filter(([digest]) => wanted.has(digest))),
    listed: new Set(indexes.flatMap(({ entries }) => entries.map(({ digest }) => digest))),
    undone: indexes.flatMap((index) => index.undone ?? []),
    newest: newest.flatMap((digest) => {
      const answer = answers.get(digest);
      return answer?.state === 'known' ? [answer.known] : [];
    }),
  };
}

/** A list of prefixes as it stands in a store. */
export interface StoredList {
  /** Whether the store answered. */
  readonly known: boolean;
  /** Whether something stands there, readable or not. */
  readonly taken: boolean;
  readonly index: PrefixIndex;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Reads a list of prefixes; one that cannot be read is empty. */
export async function readList(
  store: Pick<SealedStore, 'read'>,
  listKey: string,
): Promise<StoredList> {
  const { known, taken, text, expiresAt = 0 } = await store.read(listKey);
  const index = text === undefined ? emptyIndex : parsePrefixIndex(text);
  return { known, taken, index, expiresAt };
}

/** Digests of prefixes that have a record, and of those that may have one that fell out of a list. */
async function candidates(
  indexes: readonly PrefixIndex[],
  identity: ConversationIdentity,
  most: number,
): Promise<readonly string[]> {
  const entries = indexes.flatMap((index) => index.entries);
  const listed = new Set(entries.map(({ digest }) => digest));
  const matches: string[] = [];
  for (const count of descending(entries, most).slice(0, maxCompared)) {
    const digest = await identity.prefixDigest(count);
    if (listed.has(digest)) matches.push(digest);
    if (matches.length === maxMatches) break;
  }
  const fallen = indexes.flatMap((index) => index.counts).map((count) => ({ count }));
  const guesses = descending(fallen, most).slice(0, maxRecords);
  return [...matches, ...(await Promise.all(guesses.map(identity.prefixDigest)))];
}

function descending(prefixes: readonly { readonly count: number }[], most: number): number[] {
  const counts = new Set(prefixes.map(({ count }) => count).filter((count) => count <= most));
  return [...counts].toSorted((a, b) => b - a);
}

/** Reads the record of a prefix. */
export async function readRecord(
  store: Pick<SealedStore, 'keys' | 'read'>,
  scope: Pick<StateScope, 'recordKey'>,
  digest: string,
  erasures: KnownSummary['erasures'],
): Promise<RecordAnswer> {
  const { keys } = store;
  const key = await scope.recordKey(keys, digest);
  const { known, taken, text, expiresAt = 0 } = await store.read(key);
  if (!known) return { state: 'unknown' };
  if (!taken) return { state: 'absent' };
  const value = text === undefined ? undefined : await parse(key, text);
  if (value?.ending !== undefined) return { state: 'ended', stamp: value.stamp };
  if (value?.summary.record.prefixDigest !== digest) return { state: 'unreadable' };
  return { state: 'known', known: { summary: value.summary, key, keys, expiresAt, erasures } };
}

async function parse(key: string, text: string): Promise<StoredValue | undefined> {
  const { parseStoredValue } = await loadParser();
  return parseStoredValue(key, text);
}

/** The schema, and with it the library it is written in, loads when a store is asked for the first time. */
function loadParser(): Promise<typeof Parser> {
  return import('../stored-values/parse-stored-value.ts');
}
