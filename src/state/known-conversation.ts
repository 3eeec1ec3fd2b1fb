import type { ArchivePolicy } from '../archive/stored-archive.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { sealedStore, type GuardedStore, type SealedStore } from '../stores/sealed-store.ts';
import type { StoreKeyring } from '../stores/store-keys.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import { continuedIdentity } from '../identity/continued-identity.ts';
import type { Joins } from '../planning/plan.ts';
import { conversationKeys, type ConversationKeys } from './conversation-keys.ts';
import {
  isErasedSince,
  isInUse,
  isWhole,
  type KeptRecord,
  type Undone,
  type WholeRecord,
} from './document.ts';
import { findWindow } from './match-window.ts';
import type { BegunSummary, ProcessCopy } from './process-copy.ts';
import { changeDocument, type DocumentChange, type StoredDocument } from './stored-document.ts';

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

/** Lengths of records of which the digest is compared. */
const maxCompared = 64;

/** What one request knows of its conversation, and all that changes while it runs. */
export class KnownConversation {
  readonly options: ConversationStateOptions;
  readonly names: ConversationKeys;
  /** Under the current secret. */
  readonly store: SealedStore;
  /** Epochs of its documents when the request first heard of them, or behind the summary that it goes on with. */
  readonly begunIn: Map<string, string>;
  /** What the store has last said of its documents. */
  readonly lastRead: Map<string, StoredDocument> = new Map();
  /** Claims of others, and since when. */
  readonly seen: Map<string, number> = new Map();
  /** What had been undone when it began to write a summary. */
  readonly undoneBefore: Set<string> = new Set();
  /** Counts from the beginning of the conversation, also where a client sends only its end, once that was recognised. */
  identity: ConversationIdentity;
  /** The summary that it goes on with. */
  found: WholeRecord | undefined;
  /** Whether summaries are known, and none of what they stand for is sent any more. */
  isGap = false;
  /** Whether the store has said all that it was asked. */
  isAsked = false;
  /** Whether it was waited for in vain. */
  isTimeUp = false;

  constructor(options: ConversationStateOptions) {
    const { identity, conversationId, keyring, times } = options;
    this.options = options;
    this.identity = identity;
    this.names = conversationKeys(identity, conversationId);
    this.store = sealedStore(options.store, keyring[0], { timeoutMs: times.storeTimeoutMs });
    this.begunIn = new Map(options.epochs);
  }

  /** Keys of all its documents. */
  keys(): ReturnType<ConversationKeys['all']> {
    return this.names.all(this.options.keyring[0]);
  }

  /** Key of the document that holds records of so many messages. */
  documentKey(count: number): Promise<string> {
    return this.names.of(this.options.keyring[0], count);
  }

  /** Messages that the next summary stands for at least, which is one more. */
  least(): number {
    return this.found?.record.coveredMessages ?? 0;
  }

  /** The most messages that a summary may stand for: one is left to be sent. */
  most(): number {
    return this.options.identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  }

  /** Whether a digest is that of the first messages of the conversation. */
  isOurs({ count, digest }: Prefix): Promise<boolean> {
    return isOf(this.identity, { count, digest });
  }

  /** The epoch that the request is of, by the key of a document. */
  epochOf(key: string): string {
    return this.begunIn.get(key) ?? this.options.copy.get(key).epoch;
  }

  /** Whether a summary that is being written goes on from what was found: not with what was erased since. */
  async goesOn({ count, digest, epoch }: BegunSummary): Promise<boolean> {
    const isOfEpoch = epoch() === this.epochOf(await this.documentKey(count));
    return count > this.least() && isOfEpoch && this.isOurs({ count, digest });
  }

  /** Whether the store has not failed to answer in time: nobody waits for it twice. */
  isAnswered(): boolean {
    return !this.isTimeUp && this.options.store.isAnswering();
  }

  /** Whether the conversation has been erased since the request began, as far as this process knows. */
  isErased(): boolean {
    const { copy } = this.options;
    return [...this.begunIn].some(([key, since]) => isErasedSince(copy.get(key), since));
  }

  /** Brings together what the process knows and what the store has said. */
  hear(key: string, read: StoredDocument): void {
    if (!read.known) return;
    const { copy } = this.options;
    this.lastRead.set(key, read);
    if (read.document !== undefined) copy.hear(key, read.document);
    // A store that tells of no erasure may have lost the one that this process knows of.
    if (!this.begunIn.has(key)) this.begunIn.set(key, copy.get(key).epoch);
  }

  /** Changes what the store has of the conversation. */
  async change(
    key: string,
    apply: DocumentChange,
    first?: StoredDocument,
  ): Promise<StoredDocument> {
    const { retentionMs } = this.options.times;
    const read = await changeDocument({ store: this.store, key, retentionMs }, apply, first);
    this.hear(key, read);
    return read;
  }

  /** The prepared summary, which this request goes on from as if it had been found. */
  async take(): Promise<WholeRecord | undefined> {
    const prepared = await this.#prepared();
    return prepared && this.#goOnWith(prepared);
  }

  /** The longest summary of the conversation that this process knows, which the request goes on with. */
  async findLocally(): Promise<WholeRecord | undefined> {
    this.found = undefined;
    this.identity = this.options.identity;
    const found = await this.#longest(
      (kept) => isInUse(kept) && kept.record.coveredMessages <= this.most(),
    );
    if (found !== undefined) return this.#goOnWith(found);
    return this.names.hasId ? this.#findInWindow() : undefined;
  }

  /**
   * The summary that was prepared to continue what was found, as far as this process knows: it stands in no prompt
   * before it is due.
   */
  async findPrepared(): Promise<WholeRecord | undefined> {
    return (await this.#prepared())?.kept;
  }

  /** What there is already of what is to be written, by somebody else. */
  async made(count: number, joins: Joins): Promise<WholeRecord | undefined> {
    const digest = await this.identity.prefixDigest(count);
    const made = await this.#longest((kept) => {
      const { coveredMessages: covered, prefixDigest } = kept.record;
      if (prefixDigest === digest) return true;
      const continues = isInUse(kept) || kept.parentDigest === this.found?.record.prefixDigest;
      return joins === 'any' && continues && covered > this.least() && covered <= this.most();
    });
    return made?.kept;
  }

  /**
   * How the prompt stands where the newest summary of the conversation was undone: no other one is due before it has
   * grown from there.
   */
  async held(): Promise<Undone | undefined> {
    const { copy } = this.options;
    if (copy.isEmpty()) return undefined;
    let last: Undone | undefined;
    const total = this.identity.significantBefore(Number.POSITIVE_INFINITY);
    for (const undone of (await this.keys()).flatMap((key) => copy.get(key).undone)) {
      const isLater = undone.count <= total && undone.messageCount >= (last?.messageCount ?? 0);
      if (isLater && (await this.isOurs(undone))) last = undone;
    }
    return last;
  }

  async #prepared(): Promise<Known | undefined> {
    const total = this.identity.significantBefore(Number.POSITIVE_INFINITY);
    return this.#longest(
      (kept) =>
        !isInUse(kept) &&
        kept.parentDigest === this.found?.record.prefixDigest &&
        kept.record.coveredMessages > this.least() &&
        kept.record.coveredMessages < total,
    );
  }

  async #longest(accepts: (kept: WholeRecord) => boolean): Promise<Known | undefined> {
    const { copy } = this.options;
    if (copy.isEmpty()) return undefined;
    const known = (await this.keys()).flatMap((key) => {
      const { epoch, records } = copy.get(key);
      return records.filter(isWhole).map((kept) => ({ kept, epoch }));
    });
    const accepted = known.map(({ kept }) => kept).filter(accepts);
    const longest = await longestOf(accepted, this.identity);
    return known.find(({ kept }) => kept === longest);
  }

  /** Goes on with a summary: what the request does is begun behind it. */
  async #goOnWith({ kept, epoch }: Known): Promise<WholeRecord> {
    const key = await this.documentKey(kept.record.coveredMessages);
    if (this.options.epochs?.has(key) !== true) this.begunIn.set(key, epoch);
    this.found = kept;
    return kept;
  }

  /** The summary whose last messages are the first ones that are sent. */
  async #findInWindow(): Promise<WholeRecord | undefined> {
    const { identity: sent, conversation, copy } = this.options;
    const [key] = await this.keys();
    const { epoch, records } = copy.get(key);
    const inUse = records.filter(isWhole).filter(isInUse);
    const isUser = (place: number): boolean =>
      conversation[(sent.indexAfter(place + 1) ?? 0) - 1]?.role === 'user';
    const window = await findWindow(inUse, sent, isUser);
    this.isGap = window.isGap;
    if (window.known === undefined) return undefined;
    const { coveredMessages: count, prefixDigest: digest } = window.known.record;
    this.identity = continuedIdentity(sent, window.count, { count, digest });
    return this.#goOnWith({ kept: window.known, epoch });
  }
}

/** A summary with the epoch that it was found in: while it is compared, an erasure may be heard of. */
interface Known {
  readonly kept: WholeRecord;
  readonly epoch: string;
}

/** Messages that a conversation begins with. */
interface Prefix {
  readonly count: number;
  readonly digest: string;
}

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

async function isOf(identity: ConversationIdentity, { count, digest }: Prefix): Promise<boolean> {
  return (
    identity.indexAfter(count) !== undefined && (await identity.prefixDigest(count)) === digest
  );
}
