import type { ArchivePlace } from '../archive/stored-archive.ts';
import { clockMs } from '../util/async/waiting.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import { isErasedSince, type ConversationDocument, type KeptRecord } from './document.ts';
import type { ProcessCopy } from './process-copy.ts';
import {
  changeDocument,
  readDocument,
  type DocumentChange,
  type StoredDocument,
} from './stored-document.ts';

/** Epochs of the documents of a conversation. */
export type Epochs = ReadonlyMap<string, string>;

/** Where the documents of a conversation are. */
export interface DocumentsPlace extends ArchivePlace {
  readonly names: ConversationKeys;
  readonly copy: ProcessCopy;
}

/**
 * The documents of one conversation, as a request or a function of the API sees them: those of the store, and what this
 * process knows of them. Nothing of it rejects because of the store.
 */
export class ConversationDocuments implements DocumentsPlace {
  readonly names: ConversationKeys;
  readonly store: ArchivePlace['store'];
  readonly copy: ProcessCopy;
  /** Milliseconds that they are kept at least. */
  readonly retentionMs: number;
  /** Their epochs when they were first heard of, or behind the summary that a request goes on with. */
  readonly begunIn: Map<string, string>;
  /** What the store has last said of them. */
  readonly lastRead: Map<string, StoredDocument> = new Map();

  constructor({ names, store, copy }: DocumentsPlace, retentionMs: number, epochs?: Epochs) {
    this.names = names;
    this.store = store;
    this.copy = copy;
    this.retentionMs = retentionMs;
    this.begunIn = new Map(epochs);
  }

  /** What this process knows of them. */
  async known(): Promise<readonly ConversationDocument[]> {
    return (await this.names.all()).map((key) => this.copy.get(key));
  }

  /** All records that this process knows, those of each document the oldest first. */
  async records(): Promise<readonly KeptRecord[]> {
    return (await this.known()).flatMap((document) => document.records);
  }

  /**
   * Learns what the store has.
   *
   * @returns whether it answered.
   */
  async read(store: ArchivePlace['store'] = this.store): Promise<boolean> {
    const answers = (await this.names.all()).map(async (key) => {
      const read = await readDocument(store, key);
      this.#hear(key, read);
      return read.known;
    });
    return (await Promise.all(answers)).every(Boolean);
  }

  /** Changes what the store has of the conversation; what stands there is known to this process then. */
  async change(
    key: string,
    apply: DocumentChange,
    first?: StoredDocument,
    store: ArchivePlace['store'] = this.store,
  ): Promise<StoredDocument> {
    const read = await changeDocument(store, key, this.retentionMs, apply, first);
    this.#hear(key, read);
    return read;
  }

  /** Brings together what the process knows and what the store has said. */
  #hear(key: string, read: StoredDocument): void {
    if (!read.known) return;
    this.lastRead.set(key, read);
    if (read.document !== undefined) this.copy.hear(key, read.document);
    // A store that tells of no erasure may have lost the one that this process knows of.
    if (!this.begunIn.has(key)) this.begunIn.set(key, this.copy.get(key).epoch);
  }

  /** The epoch that the request is of, by the key of a document. */
  epochOf(key: string): string {
    return this.begunIn.get(key) ?? this.copy.get(key).epoch;
  }

  /** Whether the conversation has been erased since the request began, as far as the store says so now. */
  async isErased(store?: ArchivePlace['store']): Promise<boolean> {
    await orAgain(async () => this.read(store));
    return [...this.begunIn].some(([key, since]) => isErasedSince(this.copy.get(key), since));
  }

  /** Whether the store has said that it has a record. */
  async isStored(digest: string): Promise<boolean> {
    await this.read();
    const stored = [...this.lastRead.values()].flatMap(({ document }) => document?.records ?? []);
    return stored.some(({ record }) => record.prefixDigest === digest);
  }
}

/** Milliseconds within which a store refuses something at once: nobody has waited for it. */
const atOnceMs = 100;

/** Does once more what a store refused at once. */
export async function orAgain(ask: () => Promise<boolean>): Promise<boolean> {
  const askedAt = clockMs();
  return (await ask()) || (clockMs() - askedAt < atOnceMs && (await ask()));
}
