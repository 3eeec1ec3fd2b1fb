import type { ArchivePolicy } from '../archive/pack-archive.ts';
import { removeArchive, writeArchive } from '../archive/stored-archive.ts';
import { continuedIdentity, type ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/build-record.ts';
import { sealedStore, type GuardedStore } from '../stores/sealed-store.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import { clockMs, withDeadline } from '../util/async/waiting.ts';
import { ConversationDocuments, orAgain, type Epochs } from './conversation-documents.ts';
import { conversationKeys } from './conversation-keys.ts';
import {
  claimed,
  emptyDocument,
  isErasedSince,
  isInUse,
  isParentUndone,
  isWhole,
  released,
  saved,
  says,
  storedBounds,
  tidied,
  union,
  type ConversationDocument,
  type KeptRecord,
  type Undone,
  type WholeRecord,
  type Writing,
} from './document.ts';
import { type Flight, startFlight } from './flight.ts';
import { isOf, leastOverlap, longestOf, matchWindow } from './match-records.ts';
import type { BegunSummary, ProcessCopy } from './process-copy.ts';
import type { StoredDocument } from './stored-document.ts';

/** How long state is kept and waited for. */
export interface StateTimes {
  /** Milliseconds a call waits for the store where paying would follow. */
  readonly storeTimeoutMs: number;
  /** Milliseconds a record is kept after it was written. */
  readonly retentionMs: number;
}

/** What a conversation is opened with. */
export interface ConversationStateOptions {
  readonly store: GuardedStore;
  readonly copy: ProcessCopy;
  readonly keys: StoreKeys;
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

/** Milliseconds a call waits for a store where nothing would be paid. */
const shortTimeoutMs = 250;

/** Milliseconds in which a store is asked about a conversation once, unless paying would follow. */
const refreshMs = 5000;

/** Milliseconds after which a claim is forgotten that nobody has ended. */
export const claimMs: number = 24 * 60 * 60_000;

/** Of what has been erased or undone since it was found. */
const pastEpoch = '-';

/** The state of one conversation, as one request sees it: what it goes on with, and what is being made of it. */
export class ConversationState extends ConversationDocuments {
  readonly options: ConversationStateOptions;
  /** The store where money hangs on what is found: one that has just failed is asked all the same. */
  readonly urgentStore: ConversationDocuments['store'];
  /** Counts from the beginning of the conversation, also where a client sends only its end, once that was recognised. */
  identity: ConversationIdentity;
  /** The summary that it goes on with. */
  found: WholeRecord | undefined;
  /** The most messages that a summary may stand for: one is left to be sent. */
  readonly #most: number;
  /** Whether summaries are known, and none of what they stand for is sent any more. */
  #isGap = false;
  /** Whether it was waited for in vain. */
  #isTimeUp = false;
  /** Whether the store has said all that it was asked. */
  #isAsked = false;

  constructor(options: ConversationStateOptions) {
    const { identity, conversationId, keys, copy, times, epochs } = options;
    const names = conversationKeys(keys, identity, conversationId);
    super({ names, copy, store: storeOf(options, false) }, times.retentionMs, epochs);
    this.options = options;
    this.urgentStore = storeOf(options, true);
    this.identity = identity;
    this.#most = identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  }

  /** Key of the record of the first `count` messages that identify the conversation, of which digits are its id. */
  readonly keyOf = async (count: number): Promise<string> =>
    this.names.recordKey(await this.identity.prefixDigest(count));

  /** Of what the next summary continues, or a conversation begins with: all who want that one name it so. */
  nextKey(): Promise<string> {
    return this.keyOf(this.least() === 0 ? Math.max(1, this.options.minMessages) : this.least());
  }

  /** Whether a digest is that of the first messages of the conversation. */
  isOurs(prefix: Pick<Writing, 'count' | 'digest'>): Promise<boolean> {
    return isOf(this.identity, prefix);
  }

  /** Messages that the next summary stands for at least, which is one more. */
  least(): number {
    return this.found?.record.coveredMessages ?? 0;
  }

  /** Whether the store has not failed to answer in time: nobody waits for it twice. */
  isAnswered(): boolean {
    return !this.#isTimeUp && this.options.store.isAnswering();
  }

  /** Whether this process may know anything of it: all that it knows may stand for more messages than there are. */
  isKnown(): boolean {
    const { leastCovered } = this.copy;
    return leastCovered < Infinity && (this.names.hasId || leastCovered <= this.#most + 1);
  }

  /**
   * The longest summary of this conversation that this process knows; the store is compared with it beside the call.
   * About a conversation of which it was never asked the store is asked first, for a moment.
   */
  async find(): Promise<WholeRecord | undefined> {
    const { store, copy, identity, times, minMessages } = this.options;
    if (store.isLocal && !this.isKnown()) return undefined;
    const summary = await this.#findLocally();
    // What a store in this process holds is known: it is asked for what was pushed out, before paying.
    if (store.isLocal) return summary;
    const askedAt = copy.askedAt.get((await this.names.all()).at(-1) ?? '');
    if (askedAt !== undefined && clockMs() - askedAt < refreshMs) return summary;
    if (summary !== undefined || (askedAt !== undefined && !this.#isGap)) {
      this.#ask(false).catch(() => {});
      return summary;
    }
    // Of what is known by its id a few messages may be sent, the last ones.
    const least = this.names.hasId ? leastOverlap + 1 : minMessages;
    if (identity.indexAfter(least) === undefined) return undefined;
    return this.#findAfterAsking(Math.min(shortTimeoutMs, times.storeTimeoutMs), false);
  }

  /** The same, when the store was asked whatever is known: before a summary is paid for. */
  async findBeforePaying(): Promise<WholeRecord | undefined> {
    // Of what it has said beside the call, the request goes on; a claim finds what has changed since.
    if (this.#isAsked) return this.#findLocally();
    return this.#findAfterAsking(this.options.times.storeTimeoutMs, true);
  }

  /** The prepared summary, which this request goes on from as if it had been found. */
  async take(): Promise<WholeRecord | undefined> {
    const prepared = await this.findPrepared();
    return prepared && this.#goOnWith(prepared);
  }

  /**
   * The summary that was prepared to continue what was found, as far as this process knows: it stands in no prompt
   * before it is due.
   */
  async findPrepared(): Promise<WholeRecord | undefined> {
    return this.#longest(
      (kept) => !isInUse(kept) && this.#canFollow(kept) && this.#isBetween(kept),
    );
  }

  /** What there is already of what is to be written, by somebody else. */
  async made(count: number, joins: Joins): Promise<WholeRecord | undefined> {
    const digest = await this.identity.prefixDigest(count);
    return this.#longest(
      (kept) =>
        kept.record.prefixDigest === digest ||
        (joins === 'any' && (isInUse(kept) || this.#canFollow(kept)) && this.#isBetween(kept)),
    );
  }

  /**
   * How the prompt stands where the newest summary of the conversation was undone: no other one is due before it has
   * grown from there.
   */
  async held(): Promise<Undone | undefined> {
    let last: Undone | undefined;
    for (const undone of (await this.known()).flatMap((document) => document.undone)) {
      const isLater = undone.messageCount >= (last?.messageCount ?? 0);
      if (isLater && (await this.isOurs(undone))) last = undone;
    }
    return last;
  }

  /** The summary that this process is writing to continue what was found. */
  async findWriting(): Promise<BegunSummary | undefined> {
    const { flights } = this.copy;
    if (flights.size === 0) return undefined;
    const key = await this.names.of(0);
    for (const begun of flights)
      if (begun.key === key && !begun.flight.isOver() && (await this.#goesOn(begun))) return begun;
    return undefined;
  }

  /** Resolves when what this process writes to continue what was found has ended. */
  async written(): Promise<void> {
    const writing = await this.findWriting();
    await writing?.flight.ended;
  }

  /**
   * The summary that this process is writing of the conversation, if it will do as well as one of the first `count`
   * messages; else the flight of that one, which is ours to give its work to.
   */
  async flight(
    count: number,
    joins: Joins,
  ): Promise<{ readonly flight: Flight<StoredSummary>; readonly isOurs: boolean }> {
    const { flights } = this.copy;
    const key = await this.names.of(0);
    const digest = await this.identity.prefixDigest(count);
    const documentKey = await this.names.of(count);
    const epoch = (): string => this.epochOf(documentKey);
    // What begins meanwhile is looked at too; between the last look and the beginning nothing is waited for.
    for (const next of flights) {
      if (next.key !== key || next.flight.isOver()) continue;
      const isSame = next.digest === digest && next.epoch() === epoch();
      if (isSame || (joins !== 'none' && (await this.#goesOn(next))))
        return { flight: next.flight, isOurs: false };
    }
    const flight = startFlight<StoredSummary>(() => flights.delete(begun));
    const begun = { key, count, digest, epoch, flight };
    flights.add(begun);
    return { flight, isOurs: true };
  }

  /** Compares what the store has with what this process knows: it learns the one, and the other is written again. */
  async #ask(isUrgent: boolean): Promise<void> {
    for (const key of await this.names.all()) this.copy.askedAt.set(key, clockMs());
    this.#isAsked = await (isUrgent
      ? orAgain(async () => this.read(this.urgentStore))
      : this.read());
    const read = (await this.names.all()).filter((key) => this.lastRead.has(key));
    await Promise.all(read.map((key) => this.bring(key)));
  }

  /**
   * Writes what this process knows and the store does not have, each with its originals first, but never what was erased,
   * undone or has expired.
   *
   * @param made - What this process is to know when the store has it, unless that has one of the same messages.
   * @param parentKey - Key of the document that holds what that continues.
   * @returns whether the store says so.
   */
  async bring(key: string, made?: WholeRecord, parentKey: string = key): Promise<boolean> {
    const { copy, lastRead } = this;
    const isRead = lastRead.has(key) && parentKey === key;
    if (!isRead && !(await this.read())) return false;
    const merged = (stored: ConversationDocument): ConversationDocument => {
      const known = made === undefined ? copy.get(key) : this.withMade(key, made, parentKey);
      const both = tidied(union(stored, known), Date.now(), storedBounds);
      return says(stored, both) ? stored : both;
    };
    const { document: stored = emptyDocument } = lastRead.get(key) ?? {};
    const whole = merged(stored);
    const held = new Set(stored.records.map(({ record }) => record.prefixDigest));
    const brought = whole.records
      .filter(isWhole)
      .filter(({ record }) => !held.has(record.prefixDigest));
    for (const kept of brought) if (!(await this.#keepOriginals(key, kept, merged))) return false;
    const written = made === undefined || brought.includes(made) ? brought : [...brought, made];
    const bringing = (document: ConversationDocument): ConversationDocument => {
      let both = merged(document);
      for (const { token } of brought) if (!hasToken(both, token)) both = released(both, token);
      return both;
    };
    if (!(await this.change(key, bringing, lastRead.get(key))).known) return false;
    // Erased, undone or written by another one meanwhile. What has merely no room keeps its archive, to which others lead.
    for (const kept of written) {
      const { token, archiveId } = kept;
      const left = this.withMade(key, kept, kept === made ? parentKey : key);
      if (archiveId !== undefined && !hasToken(left, token)) await removeArchive(this, archiveId);
    }
    return true;
  }

  /**
   * What this process knows with what it has made, unless that, or what it continues, was erased or undone since it was
   * begun.
   *
   * @param beside - Key of another document that may tell of that.
   */
  withMade(key: string, made: KeptRecord, beside: string): ConversationDocument {
    const isRefused = [key, beside].some((of) => {
      const document = this.copy.get(of);
      return isParentUndone(made, document.undone) || isErasedSince(document, this.begunIn.get(of));
    });
    const document = this.copy.get(key);
    return isRefused ? document : saved(document, made);
  }

  /**
   * Writes what a record newly stands for, which comes before the record itself, once the document names its archive:
   * nobody would find what a process leaves that ends in between.
   *
   * @returns whether the record can follow: not where the store did not confirm what has to be there before.
   */
  async #keepOriginals(
    key: string,
    { record, from, token, archiveId, parentDigest, begunAt }: WholeRecord,
    merged: (stored: ConversationDocument) => ConversationDocument,
  ): Promise<boolean> {
    const { coveredMessages: count, prefixDigest: digest } = record;
    const { identity, lastRead } = this;
    const { archive, conversation, times } = this.options;
    if (archive === undefined || archiveId === undefined) return true;
    const start = identity.indexAfter(from);
    const isSent = from >= identity.significantBefore(0) && (await this.isOurs({ count, digest }));
    if (start === undefined || !isSent) return true;
    const isNamed = ({ document }: Partial<StoredDocument> = {}): boolean =>
      document?.writing.some((each) => each.archiveId === archiveId) === true;
    // A claim has named it, where the store knows of one.
    if (!isNamed(lastRead.get(key))) {
      const writing = { token, count, digest, begunAt, until: Date.now() + claimMs, archiveId };
      const naming = (document: ConversationDocument): ConversationDocument =>
        hasToken(merged(document), token) ? claimed(document, writing) : document;
      const read = await this.change(key, naming, lastRead.get(key));
      if (!isNamed(read)) return read.known;
    }
    const messages = conversation.slice(start, identity.indexAfter(count));
    const policy = { ...archive, ttlMs: archiveMs(times) };
    const parent = (await this.records()).find((each) => each.record.prefixDigest === parentDigest);
    const archived = { record, parent: parent?.archiveId, from };
    // A store that refuses it is asked for less at once.
    const place = { names: this.names, store: this.urgentStore };
    if (await writeArchive(place, archiveId, archived, messages, policy)) return true;
    await removeArchive(this, archiveId);
    return false;
  }

  /** Whether a summary that is being written goes on from what was found: not with what was erased since. */
  async #goesOn({ count, digest, epoch }: BegunSummary): Promise<boolean> {
    const isOfEpoch = epoch() === this.epochOf(await this.names.of(count));
    return count > this.least() && isOfEpoch && this.isOurs({ count, digest });
  }

  async #findAfterAsking(timeoutMs: number, isUrgent: boolean): Promise<WholeRecord | undefined> {
    const { times, onGap } = this.options;
    try {
      await withDeadline(undefined, timeoutMs, () => this.#ask(isUrgent));
    } catch {
      // What comes later than it is waited for is known to the next call.
      this.#isTimeUp = timeoutMs >= times.storeTimeoutMs;
    }
    const summary = await this.#findLocally();
    if (this.#isGap) onGap();
    return summary;
  }

  /** The longest summary of the conversation that this process knows, which the request goes on with. */
  async #findLocally(): Promise<WholeRecord | undefined> {
    this.found = undefined;
    this.identity = this.options.identity;
    // Looked at once: what is heard of meanwhile would be taken for one of a window, and be continued by other names.
    const known = await this.records();
    const inUse = known.filter(isWhole).filter(isInUse);
    const sent = inUse.filter(({ record }) => record.coveredMessages <= this.#most);
    const found = await longestOf(sent, this.identity);
    if (found !== undefined) return this.#goOnWith(found);
    return this.names.hasId ? this.#findInWindow(inUse) : undefined;
  }

  /** Whether a prepared summary can take the place of what was found: it continues that, or stands on its own. */
  #canFollow({ parentDigest }: WholeRecord): boolean {
    return parentDigest === undefined || parentDigest === this.found?.record.prefixDigest;
  }

  /** Whether it stands for more than what was found, and leaves something to be sent. */
  #isBetween({ record: { coveredMessages } }: WholeRecord): boolean {
    return coveredMessages > this.least() && coveredMessages <= this.#most;
  }

  async #longest(accepts: (kept: WholeRecord) => boolean): Promise<WholeRecord | undefined> {
    const records = (await this.records()).filter(isWhole);
    return longestOf(records.filter(accepts), this.identity);
  }

  /** Goes on with a summary: what the request does is begun behind it, unless it has been erased while it was compared. */
  async #goOnWith(kept: WholeRecord): Promise<WholeRecord> {
    const key = await this.names.of(kept.record.coveredMessages);
    const { epoch, records } = this.copy.get(key);
    const isThere = records.some(({ token }) => token === kept.token);
    if (this.options.epochs?.has(key) !== true) this.begunIn.set(key, isThere ? epoch : pastEpoch);
    this.found = kept;
    return kept;
  }

  /** The summary whose last messages are the first ones that are sent. */
  async #findInWindow(inUse: readonly WholeRecord[]): Promise<WholeRecord | undefined> {
    const { identity: sent, conversation } = this.options;
    const isUser = (place: number): boolean =>
      conversation[(sent.indexAfter(place + 1) ?? 0) - 1]?.role === 'user';
    const total = sent.significantBefore(Number.POSITIVE_INFINITY);
    this.#isGap = inUse.length > 0;
    // Answers that were asked for anew may have had summaries of their own: the one that applies may be an older one.
    for (const kept of inUse.toReversed()) {
      const match = matchWindow(kept.lastIds ?? [], await sent.messageDigests(0, total), isUser);
      this.#isGap &&= match === 'gap';
      if (typeof match !== 'number' || match >= total) continue;
      const { coveredMessages: count, prefixDigest: digest } = kept.record;
      this.identity = continuedIdentity(sent, match, { count, digest });
      return this.#goOnWith(kept);
    }
    return undefined;
  }
}

function hasToken({ records }: ConversationDocument, token: string): boolean {
  return records.some((kept) => kept.token === token);
}

/** @param isUrgent - Whether money hangs on what is found. */
function storeOf(
  { store, keys, times }: ConversationStateOptions,
  isUrgent: boolean,
): ConversationDocuments['store'] {
  return sealedStore(store, keys, { timeoutMs: times.storeTimeoutMs, isUrgent });
}

/** Milliseconds that an archive is kept after it was written: longer than the records that lead to it. */
export function archiveMs({ retentionMs }: StateTimes): number {
  return 2 * retentionMs;
}
