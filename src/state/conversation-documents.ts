import type { ArchivePlace } from '../archive/stored-archive.ts';
import { clockMs } from '../util/async/waiting.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import type { ConversationDocument, KeptRecord } from './document.ts';
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

/** What was heard of a document. */
interface Heard {
  /** What the store has last said of it. */
  readonly last: StoredDocument | undefined;
  /** Its epoch when it was first heard of. */
  readonly since: string;
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
  readonly #heard: Map<string, Heard>;

  /** @param epochs - Those that the request is of, where it has begun before. */
  constructor(
    { names, store, copy }: DocumentsPlace,
    retentionMs: number,
    epochs: Epochs = new Map(),
  ) {
    this.names = names;
    this.store = store;
    this.copy = copy;
    this.retentionMs = retentionMs;
    this.#heard = new Map([...epochs].map(([key, since]) => [key, { last: undefined, since }]));
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
    if (read.document !== undefined) this.copy.hear(key, read.document);
    this.begin(key, read);
  }

  /**
   * Has the request begin in the epoch that this process knows of a document, unless it has begun before. A store that
   * tells of no erasure may have lost the one that this process knows of.
   */
  begin(key: string, last: StoredDocument | undefined = this.lastRead(key)): void {
    this.#heard.set(key, { last, since: this.since(key) ?? this.copy.get(key).epoch });
  }

  /** What the store has last said of a document; `undefined` where it was not asked, or has not answered. */
  lastRead(key: string): StoredDocument | undefined {
    return this.#heard.get(key)?.last;
  }

  /** The epoch in which the request has begun, as far as it has heard of one. */
  since(key: string): string | undefined {
    return this.#heard.get(key)?.since;
  }

  /** The epochs in which the request has begun, of the documents that it has heard of. */
  epochs(): Epochs {
    return new Map([...this.#heard].map(([key, { since }]) => [key, since]));
  }

  /** Whether the store has said that it has a record. */
  async isStored(digest: string): Promise<boolean> {
    await this.read();
    const stored = (await this.names.all()).flatMap((key) => this.lastRead(key)?.document ?? []);
    return stored.some(({ records }) =>
      records.some(({ record }) => record.prefixDigest === digest),
    );
  }
}

/** Milliseconds within which a store refuses something at once: nobody has waited for it. */
const atOnceMs = 100;

/** Does once more what a store refused at once. */
export async function orAgain(ask: () => Promise<boolean>): Promise<boolean> {
  const askedAt = clockMs();
  return (await ask()) || (clockMs() - askedAt < atOnceMs && (await ask()));
}
