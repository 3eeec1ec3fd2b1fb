import { clockMs } from '../../foundations/util/async/waiting.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import {
  epochMs,
  lostArchives,
  type ConversationDocument,
  type KeptRecord,
  type UndoneSummary,
  emptyDocument,
  isWhole,
  keepLostArchives,
  storedBounds,
  trimDocument,
} from './document.ts';
import type { LocalCache } from './local-cache.ts';
import { parseJson } from '../../foundations/util/json.ts';
import {
  changeValue,
  type SealedAnswer,
  type SealedStore,
  type WrittenValue,
} from '../stores/sealed-store.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { cleanRecord } from '../../prompt/cleaning/clean-content.ts';
import { visibleText } from '../../prompt/cleaning/visible-text.ts';
import { summaryRecordSchema } from '../../foundations/record/record-schemas.ts';

/** Epochs of the documents of a conversation. */
export type Epochs = ReadonlyMap<string, string>;

/** Location of a conversation's documents. */
export interface DocumentsLocation {
  readonly store: SealedStore;
  readonly names: ConversationKeys;
  readonly cache: LocalCache;
}

/**
 * The documents of one conversation, as a request or an API function sees them: those of the store, and the local
 * cache. No method rejects because of the store.
 */
export class ConversationDocuments implements DocumentsLocation {
  readonly names: ConversationKeys;
  readonly store: SealedStore;
  readonly cache: LocalCache;
  /** Milliseconds for which the documents are kept at least. */
  readonly retentionMs: number;
  /** Epochs in which the request started, of the documents that it has read. */
  readonly epochs: Map<string, string>;
  /** The store's last answers about the documents. */
  readonly #answers = new Map<string, StoredDocument>();
  readonly #openedAt = Date.now();
  #isWriting = false;

  /** @param epochs - Epochs of a request that began earlier. */
  constructor({ names, store, cache }: DocumentsLocation, retentionMs: number, epochs?: Epochs) {
    this.names = names;
    this.store = store;
    this.cache = cache;
    this.retentionMs = retentionMs;
    this.epochs = new Map(epochs);
  }

  /** Returns the documents as the local cache has them. */
  async cached(): Promise<readonly ConversationDocument[]> {
    return (await this.names.all()).map((key) => this.cache.get(key));
  }

  /** Returns all records in the local cache, oldest first within each document. */
  async records(): Promise<readonly KeptRecord[]> {
    return (await this.cached()).flatMap((document) => document.records);
  }

  /** Returns all undone records in the local cache. */
  async undone(): Promise<readonly UndoneSummary[]> {
    return (await this.cached()).flatMap((document) => document.undone);
  }

  /**
   * Reads the documents from the store.
   *
   * @returns whether the store answered.
   */
  async read(store: SealedStore = this.store): Promise<boolean> {
    const answers = (await this.names.all()).map(async (key) => {
      const read = await readDocument(store, key);
      this.#mergeAnswer(key, read);
      return read.known;
    });
    return (await Promise.all(answers)).every(Boolean);
  }

  /** Changes a document in the store, and merges the result into the local cache. */
  async change(
    key: string,
    apply: DocumentChange,
    first?: StoredDocument,
    store: SealedStore = this.store,
  ): Promise<StoredDocument> {
    const read = await changeDocument(store, key, this.retentionMs, apply, first);
    this.#mergeAnswer(key, read);
    return read;
  }

  /** Merges an answer of the store into the local cache. */
  #mergeAnswer(key: string, read: StoredDocument): void {
    if (!read.known) return;
    const { document } = read;
    const { epoch } = this.cache.get(key);
    if (document !== undefined) {
      for (const id of lostArchives(document, this.cache.get(key))) void this.removeArchive(id);
      this.cache.mergeFromStore(key, document);
    }
    this.#answers.set(key, read);
    this.startEpoch(key, epoch);
  }

  /** Removes an archive. Returns whether the store confirmed it. */
  async removeArchive(archiveId: string): Promise<boolean> {
    const { removeArchive } = await import('../archive/stored-archive.ts');
    return removeArchive(this.store, archiveId);
  }

  /**
   * Starts the request in the cached epoch of a document, unless it has started before. A store that reports no erasure
   * may have lost the one in the local cache.
   *
   * @param known - The cached epoch before the store answered.
   */
  startEpoch(key: string, known?: string): void {
    const { epoch } = this.cache.get(key);
    const since = this.#openedAt - (epoch === known ? 0 : mostClockDifferenceMs);
    // The first answer came too late to tell the epoch before the erasure.
    const before = this.#isWriting && epochMs(epoch) > since ? '' : epoch;
    if (!this.epochs.has(key)) this.epochs.set(key, before);
  }

  /**
   * Notes that the request begins to write. If the store first reports a document after that, erasures since the request
   * was opened count, and of those that this process did not know, because the clocks of processes differ, those of the
   * hour before too.
   */
  beginWriting(): void {
    this.#isWriting = true;
  }

  /** Returns the store's last answer about a document; `undefined` if it was not asked or has not answered. */
  lastRead(key: string): StoredDocument | undefined {
    return this.#answers.get(key);
  }

  /** Whether the store confirms that it has a record. */
  async isStored(digest: string): Promise<boolean> {
    await this.read();
    const stored = (await this.names.all()).flatMap((key) => this.lastRead(key)?.document ?? []);
    return stored.some(({ records }) =>
      records.some(({ record }) => record.prefixDigest === digest),
    );
  }
}

/** Milliseconds by which the clocks of two processes may differ. */
const mostClockDifferenceMs = 60 * 60_000;

/** Milliseconds within which a failure is immediate: no caller has waited for it. */
const atOnceMs = 100;

/** Repeats once what a store refused immediately. */
export async function retryOnce(ask: () => Promise<boolean>): Promise<boolean> {
  const askedAt = clockMs();
  return (await ask()) || (clockMs() - askedAt < atOnceMs && (await ask()));
}

/** A document as a store has it. */
export interface StoredDocument extends SealedAnswer {
  /** The document; `undefined` if the store has none that can be read. */
  readonly document: ConversationDocument | undefined;
}

/** Reads a document. */
export async function readDocument(
  store: Pick<SealedStore, 'read'>,
  key: string,
): Promise<StoredDocument> {
  const read = await store.read(key);
  return { ...read, document: parseDocument(read.text) };
}

/**
 * Parses the text that was sealed under the key of a document; `undefined` if it is none. Its records are checked like
 * new ones, because another version of the package may have sealed them.
 */
export function parseDocument(text = ''): ConversationDocument | undefined {
  const value = parseJson(text);
  if (!isDocument(value)) return undefined;
  const records = value.records.flatMap((kept) => readRecord(kept) ?? []);
  return records.length < value.records.length ? undefined : { ...value, records };
}

function isDocument(value: unknown): value is ConversationDocument {
  return isObject(value) && Array.isArray(value['records']);
}

function readRecord(kept: KeptRecord): KeptRecord | undefined {
  if (!isWhole(kept)) return kept;
  const { data } = summaryRecordSchema.safeParse(kept.record);
  return data && { ...kept, record: cleanRecord(data, visibleText) };
}

/** Returns the changed document, or the same one if there is nothing to write. */
type DocumentChange = (
  document: ConversationDocument,
) => ConversationDocument | Promise<ConversationDocument>;

/**
 * Changes a document. Nothing is written if `apply` returns the document that it received.
 *
 * @param retentionMs - Milliseconds for which the document is kept at least.
 * @param first - The answer to an earlier read, which saves the first one.
 * @returns the document in the store afterwards; not `known` if the store did not confirm the write.
 */
export async function changeDocument(
  store: SealedStore,
  key: string,
  retentionMs: number,
  apply: DocumentChange,
  first?: SealedAnswer,
): Promise<StoredDocument> {
  let document: ConversationDocument | undefined;
  const changed = async ({ text }: SealedAnswer): Promise<WrittenValue | undefined> => {
    document = parseDocument(text);
    const before = document ?? emptyDocument;
    const applied = await apply(before);
    if (applied === before) return undefined;
    const now = Date.now();
    document = keepLostArchives(trimDocument(applied, now, storedBounds), before);
    const ttlMs = Math.max(retentionMs, ...document.records.map(({ until }) => until - now));
    return { text: JSON.stringify(document), ttlMs };
  };
  const answer = await changeValue(store, key, changed, first);
  return { ...answer, document };
}
