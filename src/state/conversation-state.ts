import type { ArchivePolicy } from '../archive/pack-archive.ts';
import { continuedIdentity } from '../identity/conversation-identity.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { openingMessages } from '../selection/cuts.ts';
import { sealedStore, type GuardedStore, type SealedStore } from '../stores/sealed-store.ts';
import type { StoreKeyring } from '../stores/store-keys.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import { conversationKeys, type ConversationKeys } from './conversation-keys.ts';
import {
  emptyDocument,
  isErasedSince,
  isInUse,
  isWhole,
  type ConversationDocument,
  type KeptRecord,
  type Undone,
  type WholeRecord,
} from './document.ts';
import { startFlight, type Course, type Flight } from './flight.ts';
import { findWindow } from './match-window.ts';
import type { BegunSummary, ProcessCopy } from './process-copy.ts';
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

/** Writes again what a store has lost that the process knows. */
export type WriteBack = (
  state: ConversationState,
  key: string,
  stored: ConversationDocument,
) => Promise<void>;

/** Milliseconds a call waits for a store where nothing would be paid. */
const shortTimeoutMs = 250;

/** Milliseconds in which a store is asked about a conversation once, unless paying would follow. */
const refreshMs = 5000;

/** The state of one conversation, as one request sees it. Nothing of it rejects because of the store. */
export class ConversationState {
  readonly options: ConversationStateOptions;
  readonly names: ConversationKeys;
  /** Under the current secret. */
  readonly store: SealedStore;
  /** Epochs of its documents when the request first heard of them, or behind the summary that it goes on with. */
  readonly begunIn: Map<string, string>;
  /** What the store has last said of its documents. */
  readonly lastRead: Map<string, StoredDocument> = new Map();
  /** Counts from the beginning of the conversation, also where a client sends only its end, once that was recognised. */
  identity: ConversationIdentity;
  /** The summary that it goes on with. */
  found: WholeRecord | undefined;
  /** Whether summaries are known, and none of what they stand for is sent any more. */
  #isGap = false;
  /** Whether the store has said all that it was asked. */
  #isAsked = false;
  /** Whether it was waited for in vain. */
  #isTimeUp = false;

  readonly #writeBack: WriteBack;

  constructor(options: ConversationStateOptions, writeBack: WriteBack) {
    const { identity, conversationId, keyring, times } = options;
    this.options = options;
    this.#writeBack = writeBack;
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

  /** Key of the record of the first `count` messages that identify the conversation, of which digits are its id. */
  readonly keyOf = async (count: number): Promise<string> =>
    this.names.recordKey(this.options.keyring[0], await this.identity.prefixDigest(count));

  /** Messages that the next summary stands for at least, which is one more. */
  least(): number {
    return this.found?.record.coveredMessages ?? 0;
  }

  /** The most messages that a summary may stand for: one is left to be sent. */
  #most(): number {
    return this.options.identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  }

  /** Whether a digest is that of the first messages of the conversation. */
  isOurs(prefix: Prefix): Promise<boolean> {
    return isOf(this.identity, prefix);
  }

  /** Whether the store has not failed to answer in time: nobody waits for it twice. */
  isAnswered(): boolean {
    return !this.#isTimeUp && this.options.store.isAnswering();
  }

  /** Whether the conversation has been erased since the request began, as far as this process knows. */
  isErased(): boolean {
    const { copy } = this.options;
    return [...this.begunIn].some(([key, since]) => isErasedSince(copy.get(key), since));
  }

  /** The same, when the store was asked. */
  async isErasedSince(): Promise<boolean> {
    for (const key of await this.keys()) this.#hear(key, await readDocument(this.store, key));
    return this.isErased();
  }

  /** Whether the store has a record. */
  async isStored({ coveredMessages, prefixDigest }: SummaryRecord): Promise<boolean> {
    const { document } = await readDocument(this.store, await this.documentKey(coveredMessages));
    return document?.records.some(({ record }) => record.prefixDigest === prefixDigest) === true;
  }

  /** Changes what the store has of the conversation; what stands there is known to this process then. */
  async change(
    key: string,
    apply: DocumentChange,
    first?: StoredDocument,
  ): Promise<StoredDocument> {
    const { retentionMs } = this.options.times;
    const read = await changeDocument({ store: this.store, key, retentionMs }, apply, first);
    this.#hear(key, read);
    return read;
  }

  /**
   * The longest summary of this conversation that this process knows; the store is compared with it beside the call.
   * About a conversation of which it was never asked the store is asked first, for a moment.
   */
  async find(): Promise<WholeRecord | undefined> {
    const { store, copy, identity, times, minMessages } = this.options;
    if (this.#isTooShort() || (store.isLocal && copy.isEmpty())) return undefined;
    const summary = await this.#findLocally();
    // What a store in this process holds is known: it is asked for what was pushed out, before paying.
    if (store.isLocal) return summary;
    const askedAt = copy.askedAt.get((await this.keys()).at(-1) ?? '');
    if (askedAt !== undefined && clockMs() - askedAt < refreshMs) return summary;
    if (summary !== undefined || (askedAt !== undefined && !this.#isGap)) {
      void this.#ask().catch(() => {});
      return summary;
    }
    if (store.isEmpty() || identity.indexAfter(minMessages) === undefined) return undefined;
    return this.#findAfterAsking(Math.min(shortTimeoutMs, times.storeTimeoutMs));
  }

  /** The same, when the store was asked whatever is known: before a summary is paid for. */
  async findBeforePaying(): Promise<WholeRecord | undefined> {
    const { store, keyring, times } = this.options;
    if (this.#isTooShort() || store.isEmpty()) return this.found;
    // Of what it has said beside the call, the request goes on; a claim finds what has changed since.
    if (this.#isAsked) return this.#findLocally();
    // Money hangs on what is found.
    const urgent = { timeoutMs: times.storeTimeoutMs, isUrgent: true };
    return this.#findAfterAsking(urgent.timeoutMs, sealedStore(store, keyring[0], urgent));
  }

  /** The prepared summary, which this request goes on from as if it had been found. */
  async take(): Promise<WholeRecord | undefined> {
    const prepared = await this.#prepared();
    return prepared && this.#goOnWith(prepared);
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
      const continues = isInUse(kept) || this.#canFollow(kept);
      return joins === 'any' && continues && covered > this.least() && covered <= this.#most();
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
    for (const undone of (await this.keys()).flatMap((key) => copy.get(key).undone)) {
      const isLater =
        undone.count <= this.#most() + 1 && undone.messageCount >= (last?.messageCount ?? 0);
      if (isLater && (await this.isOurs(undone))) last = undone;
    }
    return last;
  }

  /** The summary that this process is writing to continue what was found. */
  async findWriting(): Promise<BegunSummary | undefined> {
    const { flights } = this.options.copy;
    if (flights.size === 0) return undefined;
    const [key] = await this.keys();
    for (const begun of flights)
      if (begun.key === key && !begun.flight.isOver() && (await this.#goesOn(begun))) return begun;
    return undefined;
  }

  /** Resolves when what this process prepares or writes to continue what was found has ended. */
  async written(): Promise<void> {
    await this.options.copy.preparing.get(await this.#preparation())?.ended;
    await (
      await this.findWriting()
    )?.flight.ended;
  }

  /**
   * The summary that this process is writing of the conversation, if it will do as well as one of the first `count`
   * messages; else that one is begun.
   */
  async flight(
    count: number,
    joins: Joins,
    work: (course: Course) => Promise<StoredSummary>,
  ): Promise<Flight<StoredSummary>> {
    const { flights } = this.options.copy;
    const [key] = await this.keys();
    const digest = await this.identity.prefixDigest(count);
    const documentKey = await this.documentKey(count);
    const epoch = (): string => this.#epochOf(documentKey);
    const others = new Set<BegunSummary>();
    for (;;) {
      const next = [...flights].find(
        (each) => each.key === key && !others.has(each) && !each.flight.isOver(),
      );
      // Between the last look and the beginning nothing is waited for.
      if (next === undefined) break;
      const isSame = next.digest === digest && next.epoch() === epoch();
      if (isSame || (joins !== 'none' && (await this.#goesOn(next)))) return next.flight;
      others.add(next);
    }
    const flight = startFlight(work, () => flights.delete(begun));
    const begun = { key, count, digest, epoch, flight };
    flights.add(begun);
    return flight;
  }

  /**
   * Prepares what continues the summary that was found, unless this process does so already.
   *
   * @returns what says when that has ended.
   */
  async prepare(work: () => Promise<void>): Promise<Pick<Flight<void>, 'ended'> | undefined> {
    const { preparing } = this.options.copy;
    const name = await this.#preparation();
    if (preparing.get(name)?.isOver() === false) return undefined;
    const flight = startFlight(work, () => preparing.delete(name));
    preparing.set(name, flight);
    return flight;
  }

  #isTooShort(): boolean {
    return this.options.identity.indexAfter(openingMessages + 1) === undefined;
  }

  /** Names the preparation of what continues the summary that was found, or what the conversation begins with. */
  async #preparation(): Promise<string> {
    const first = Math.max(openingMessages, Math.min(this.options.minMessages, this.#most()));
    const digest = this.found?.record.prefixDigest ?? (await this.identity.prefixDigest(first));
    return `${(await this.keys())[0]} ${digest}`;
  }

  /** The epoch that the request is of, by the key of a document. */
  #epochOf(key: string): string {
    return this.begunIn.get(key) ?? this.options.copy.get(key).epoch;
  }

  /** Whether a summary that is being written goes on from what was found: not with what was erased since. */
  async #goesOn({ count, digest, epoch }: BegunSummary): Promise<boolean> {
    const isOfEpoch = epoch() === this.#epochOf(await this.documentKey(count));
    return count > this.least() && isOfEpoch && this.isOurs({ count, digest });
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

  async #findAfterAsking(timeoutMs: number, store?: SealedStore): Promise<WholeRecord | undefined> {
    const { times, onGap } = this.options;
    try {
      await withDeadline(undefined, timeoutMs, async () => this.#ask(store));
    } catch {
      // What comes later than it is waited for is known to the next call.
      this.#isTimeUp = timeoutMs >= times.storeTimeoutMs;
    }
    const summary = await this.#findLocally();
    if (this.#isGap) onGap();
    return summary;
  }

  /** Compares what the store has with what this process knows: it learns the one, and the other is written again. */
  async #ask(store: SealedStore = this.store): Promise<void> {
    const { copy, keyring } = this.options;
    const answers = (await this.keys()).map(async (key, index) => {
      copy.askedAt.set(key, clockMs());
      const read = await this.#readWithOthers(store, key);
      this.#hear(key, read);
      if (!read.known) return false;
      for (const former of read.document === undefined ? keyring.slice(1) : []) {
        const formerKey = (await this.names.all(former))[index] ?? '';
        const { document } = await readDocument(store.with(former), formerKey);
        if (document !== undefined) copy.hear(key, document);
      }
      await this.#writeBack(this, key, read.document ?? emptyDocument);
      return true;
    });
    this.#isAsked = (await Promise.all(answers)).every(Boolean);
  }

  /** Fifty requests that come at once would take all connections of a pool for the same answer. */
  async #readWithOthers(store: SealedStore, key: string): Promise<StoredDocument> {
    const { reading } = this.options.copy;
    // A store that has just failed is asked only where money hangs on it.
    const name = store === this.store ? key : `urgent ${key}`;
    const read =
      reading.get(name) ?? readDocument(store, key).finally(() => void reading.delete(name));
    reading.set(name, read);
    return read;
  }

  /** The longest summary of the conversation that this process knows, which the request goes on with. */
  async #findLocally(): Promise<WholeRecord | undefined> {
    this.found = undefined;
    this.identity = this.options.identity;
    const found = await this.#longest(
      (kept) => isInUse(kept) && kept.record.coveredMessages <= this.#most(),
    );
    if (found !== undefined) return this.#goOnWith(found);
    return this.names.hasId ? this.#findInWindow() : undefined;
  }

  /** Whether a prepared summary can take the place of what was found: it continues that, or stands on its own. */
  #canFollow({ parentDigest }: WholeRecord): boolean {
    return parentDigest === undefined || parentDigest === this.found?.record.prefixDigest;
  }

  async #prepared(): Promise<Known | undefined> {
    return this.#longest(
      (kept) =>
        !isInUse(kept) &&
        this.#canFollow(kept) &&
        kept.record.coveredMessages > this.least() &&
        kept.record.coveredMessages <= this.#most(),
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
    const { known: kept, count: sentOfIt, isGap } = await findWindow(inUse, sent, isUser);
    this.#isGap = isGap;
    if (kept === undefined) return undefined;
    const { coveredMessages: count, prefixDigest: digest } = kept.record;
    this.identity = continuedIdentity(sent, sentOfIt, { count, digest });
    return this.#goOnWith({ kept, epoch });
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

async function isOf(identity: ConversationIdentity, { count, digest }: Prefix): Promise<boolean> {
  return (
    identity.indexAfter(count) !== undefined && (await identity.prefixDigest(count)) === digest
  );
}
