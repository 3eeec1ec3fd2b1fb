import type { ArchivePolicy } from '../archive/pack-archive.ts';
import {
  readManifest,
  removeArchive,
  writeArchive,
  type ArchivePlace,
} from '../archive/stored-archive.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { sealedStore, type GuardedStore } from '../stores/sealed-store.ts';
import type { StoreKeyring, StoreKeys } from '../stores/store-keys.ts';
import { clockMs } from '../util/clock-ms.ts';
import { randomId } from '../util/digest.ts';
import { conversationKeys, type ConversationKeys } from './conversation-keys.ts';
import {
  claimed,
  emptyDocument,
  isErasedSince,
  isWhole,
  says,
  storedBounds,
  tidied,
  union,
  type ConversationDocument,
  type KeptRecord,
  type WholeRecord,
  type Writing,
} from './document.ts';
import type { ProcessCopy } from './process-copy.ts';
import {
  changeDocument,
  readDocument,
  type DocumentChange,
  type StoredDocument,
} from './stored-document.ts';

/** How long state is kept and waited for. */
export interface StateTimes {
  /** Milliseconds a call waits for the store where paying would follow. */
  readonly storeTimeoutMs: number;
  /** Milliseconds a record is kept after it was written. */
  readonly retentionMs: number;
  /** Milliseconds the texts of a record are kept after another one took its place. */
  readonly supersededTtlMs: number;
}

/** Epochs of the documents of a conversation. */
export type Epochs = ReadonlyMap<string, string>;

/** What a conversation is opened with. */
export interface ConversationStateOptions {
  readonly store: GuardedStore;
  readonly copy: ProcessCopy;
  readonly keyring: StoreKeyring;
  readonly times: StateTimes;
  /** How originals are kept, if they are. */
  readonly archive?: ArchivePolicy | undefined;
  readonly identity: ConversationIdentity;
  /** What is sent of it. */
  readonly conversation: readonly Message[];
  /** Only narrows the search: digests decide. */
  readonly conversationId?: string | undefined;
  /** Messages below which a conversation has no summary, unless it needed one. */
  readonly minMessages: number;
  /** Epochs at an earlier time, from which on it counts as erased. */
  readonly epochs?: Epochs | undefined;
  /** Told where summaries are known, and none of what they stand for is sent any more. */
  readonly onGap: () => void;
}

/** Milliseconds after which a claim is forgotten that nobody has ended. */
export const claimMs: number = 24 * 60 * 60_000;

/**
 * The documents of one conversation, as one request sees them: those of the store, and what this process knows of them.
 * Nothing of it rejects because of the store.
 */
export class ConversationDocuments implements ArchivePlace {
  readonly options: ConversationStateOptions;
  readonly names: ConversationKeys;
  readonly stores: ArchivePlace['stores'];
  /** Epochs of its documents when the request first heard of them, or behind the summary that it goes on with. */
  readonly begunIn: Map<string, string>;
  /** What the store has last said of its documents. */
  readonly lastRead: Map<string, StoredDocument> = new Map();
  /** Counts from the beginning of the conversation, also where a client sends only its end, once that was recognised. */
  identity: ConversationIdentity;
  /** Whether the store has said all that it was asked. */
  protected isAsked = false;

  constructor(options: ConversationStateOptions) {
    this.options = options;
    this.identity = options.identity;
    this.names = conversationKeys(options.identity, options.conversationId);
    this.stores = this.#storesAsked(false);
    this.begunIn = new Map(options.epochs);
  }

  /** @param isUrgent - Whether money hangs on what is found. */
  #storesAsked(isUrgent: boolean): ArchivePlace['stores'] {
    const { store, keyring, times } = this.options;
    const timeoutMs = times.storeTimeoutMs;
    const asked = (keys: StoreKeys) => sealedStore(store, keys, { timeoutMs, isUrgent });
    const [current, ...former] = keyring;
    return [asked(current), ...former.map(asked)];
  }

  /** Keys of all its documents. */
  keys(): Promise<readonly string[]> {
    return this.names.all(this.options.keyring[0]);
  }

  /** Key of the document that holds records of so many messages. */
  documentKey(count: number): Promise<string> {
    return this.names.of(this.options.keyring[0], count);
  }

  /** Key of the record of the first `count` messages that identify the conversation, of which digits are its id. */
  readonly keyOf = async (count: number): Promise<string> =>
    this.names.recordKey(this.options.keyring[0], await this.identity.prefixDigest(count));

  /** Whether a digest is that of the first messages of the conversation. */
  isOurs(prefix: Pick<Writing, 'count' | 'digest'>): Promise<boolean> {
    return isOf(this.identity, prefix);
  }

  /** The epoch that the request is of, by the key of a document. */
  epochOf(key: string): string {
    return this.begunIn.get(key) ?? this.options.copy.get(key).epoch;
  }

  /** Whether the conversation has been erased since the request began, as far as the store says so now. */
  async isErased(): Promise<boolean> {
    const { copy } = this.options;
    for (const key of await this.keys()) await this.read(key);
    return [...this.begunIn].some(([key, since]) => isErasedSince(copy.get(key), since));
  }

  /** Whether the store has a record. */
  async isStored({ coveredMessages, prefixDigest }: SummaryRecord): Promise<boolean> {
    const key = await this.documentKey(coveredMessages);
    const { document } = await this.read(key);
    return document?.records.some(({ record }) => record.prefixDigest === prefixDigest) === true;
  }

  /** Reads what the store has of the conversation; it is known to this process then. */
  async read(key: string): Promise<StoredDocument> {
    const read = await readDocument(this.stores[0], key);
    this.#hear(key, read);
    return read;
  }

  /** Changes what the store has of the conversation; what stands there is known to this process then. */
  async change(
    key: string,
    apply: DocumentChange,
    first?: StoredDocument,
  ): Promise<StoredDocument> {
    const { retentionMs } = this.options.times;
    const place = { store: this.stores[0], key, retentionMs };
    const read = await changeDocument(place, apply, first);
    this.#hear(key, read);
    return read;
  }

  /** Brings together what the process knows and what the store has said. */
  #hear(key: string, read: StoredDocument): void {
    if (!read.known) return;
    const { copy } = this.options;
    this.lastRead.set(key, read);
    if (read.document !== undefined) copy.hear(key, read.document);
    // A store that tells of no erasure may have lost the one that this process knows of.
    if (!this.begunIn.has(key)) this.begunIn.set(key, copy.get(key).epoch);
  }

  /** Compares what the store has with what this process knows: it learns the one, and the other is written again. */
  protected async ask(isUrgent: boolean): Promise<void> {
    const { copy } = this.options;
    const [current, ...former] = isUrgent ? this.#storesAsked(true) : this.stores;
    const answers = (await this.keys()).map(async (key, index) => {
      copy.askedAt.set(key, clockMs());
      // Fifty requests that come at once would take all connections of a pool for the same answer; a store that has
      // just failed is asked only where money hangs on it.
      const name = `${isUrgent} ${key}`;
      const asking =
        copy.reading.get(name) ??
        readDocument(current, key).finally(() => void copy.reading.delete(name));
      copy.reading.set(name, asking);
      const read = await asking;
      this.#hear(key, read);
      if (!read.known) return false;
      for (const store of read.document === undefined ? former : []) {
        const formerKey = (await this.names.all(store.keys))[index] ?? '';
        const { document } = await readDocument(store, formerKey);
        if (document !== undefined) copy.hear(key, document);
      }
      await this.#writeBack(key, read.document ?? emptyDocument);
      return true;
    });
    this.isAsked = (await Promise.all(answers)).every(Boolean);
  }

  /** Writes again what the store has lost: its originals first, but never what was erased, undone or has expired. */
  async #writeBack(key: string, stored: ConversationDocument): Promise<void> {
    const { copy, archive } = this.options;
    const whole = (document: ConversationDocument): ConversationDocument => {
      const merged = tidied(union(document, copy.get(key)), Date.now(), storedBounds);
      return says(document, merged) ? document : merged;
    };
    if (whole(stored) === stored) return;
    const held = new Set(stored.records.map(({ record }) => record.prefixDigest));
    const lost = copy.get(key).records.filter(({ record }) => !held.has(record.prefixDigest));
    for (const kept of archive === undefined ? [] : lost.filter(isWhole)) {
      if (await readManifest(this, kept.archiveId)) continue;
      const again = { ...kept, archiveId: randomId() };
      if ((await this.keepOriginals(key, again, undefined)) !== 'kept') continue;
      copy.change(key, ({ records, ...rest }) => ({
        ...rest,
        records: records.map((each) =>
          each.token === kept.token ? { ...each, archiveId: again.archiveId } : each,
        ),
      }));
    }
    await this.change(key, whole, this.lastRead.get(key));
  }

  /**
   * Writes what a record newly stands for, which comes before the record itself, once the document names its archive:
   * nobody would find what a process leaves that ends in between.
   *
   * @param parent - Id of the archive of what the record continues.
   * @returns `none` where no originals are kept or not all of them are sent; `erased` where the archive cannot be named
   * for that reason; `failed` where the store did not confirm all of it.
   */
  async keepOriginals(
    key: string,
    { record, from, token, archiveId = '' }: WholeRecord,
    parent: string | undefined,
  ): Promise<'kept' | 'none' | 'erased' | 'failed'> {
    const { coveredMessages: count, prefixDigest: digest } = record;
    const { identity, options, lastRead } = this;
    const start = identity.indexAfter(from);
    const isSent = from >= identity.significantBefore(0) && (await this.isOurs({ count, digest }));
    if (options.archive === undefined || start === undefined || !isSent) return 'none';
    const isNamed = ({ document }: StoredDocument): boolean =>
      document?.writing.some((each) => each.archiveId === archiveId) === true;
    // A claim has named it, where the store knows of one.
    let read = lastRead.get(key);
    if (read === undefined || !isNamed(read)) {
      const writing = { token, count, digest, until: Date.now() + claimMs, archiveId };
      const naming = (document: ConversationDocument): ConversationDocument =>
        isErasedSince(document, this.begunIn.get(key)) ? document : claimed(document, writing);
      read = await this.change(key, naming, read);
      if (!isNamed(read)) return read.known ? 'erased' : 'failed';
    }
    const messages = options.conversation.slice(start, identity.indexAfter(count));
    const { packArchive } = await import('../archive/pack-archive.ts');
    const packed = { record, parent, from, parts: await packArchive(messages, options.archive) };
    if (await writeArchive(this, archiveId, packed, archiveMs(options.times))) return 'kept';
    await removeArchive(this, archiveId);
    return 'failed';
  }
}

/** Milliseconds that an archive is kept after it was written: longer than the records that lead to it. */
export function archiveMs({ retentionMs }: StateTimes): number {
  return 2 * retentionMs;
}

/** Whether a digest is that of the first messages of a conversation. */
async function isOf(
  identity: ConversationIdentity,
  { count, digest }: Pick<Writing, 'count' | 'digest'>,
): Promise<boolean> {
  return (
    identity.indexAfter(count) !== undefined && (await identity.prefixDigest(count)) === digest
  );
}

/** Lengths of records of which the digest is compared. */
const maxCompared = 64;

/** The longest of records that stands for the first messages of a conversation. */
export async function longestOf<Kept extends KeptRecord>(
  records: readonly Kept[],
  identity: ConversationIdentity,
): Promise<Kept | undefined> {
  const lengths = new Set<number>();
  const longestFirst = records.toSorted(
    (one, other) => other.record.coveredMessages - one.record.coveredMessages,
  );
  for (const kept of longestFirst) {
    const { coveredMessages: count, prefixDigest: digest } = kept.record;
    if (lengths.add(count).size > maxCompared) return undefined;
    if (await isOf(identity, { count, digest })) return kept;
  }
  return undefined;
}
