import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { openingMessages } from '../selection/legal-cuts.ts';
import { sealedStore, type SealedStore } from '../stores/sealed-store.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import {
  emptyDocument,
  says,
  storedBounds,
  tidied,
  union,
  type ConversationDocument,
  type Standing,
  type WholeRecord,
} from './document.ts';
import {
  claimSummary,
  restoreOriginals,
  placeSummary,
  saveSummary,
  type Claim,
  type Turn,
} from './keep-summary.ts';
import { startFlight, type Course, type Flight } from './flight.ts';
import { KnownConversation } from './known-conversation.ts';
import type { BegunSummary } from './process-copy.ts';
import { readDocument } from './stored-document.ts';

/** Milliseconds a call waits for a store where nothing would be paid. */
const shortTimeoutMs = 250;
/** Milliseconds in which a store is asked about a conversation once, unless paying would follow. */
const refreshMs = 5000;

/** The state of one conversation, as one request sees it. Nothing of it rejects because of the store. */
export class ConversationState extends KnownConversation {
  /** Key of the record of the first `count` messages that identify the conversation, of which digits are its id. */
  readonly keyOf = async (count: number): Promise<string> =>
    this.names.recordKey(this.options.keyring[0], await this.identity.prefixDigest(count));

  /**
   * The longest summary of this conversation that this process knows; the store is compared with it beside the call.
   * About a conversation of which it was never asked the store is asked first, for a moment.
   */
  async find(): Promise<WholeRecord | undefined> {
    const { store, copy, identity, times, minMessages } = this.options;
    if (this.#isTooShort() || (store.isLocal && copy.isEmpty())) return undefined;
    const summary = await this.findLocally();
    // What a store in this process holds is known: it is asked for what was pushed out, before paying.
    if (store.isLocal) return summary;
    const askedAt = copy.askedAt.get((await this.keys()).at(-1) ?? '');
    const isDue = askedAt === undefined || clockMs() - askedAt >= refreshMs;
    if (!isDue) return summary;
    if (summary !== undefined || (askedAt !== undefined && !this.isGap)) {
      void askStore(this).catch(() => {});
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
    if (this.isAsked) return this.findLocally();
    // Money hangs on what is found.
    const urgent = sealedStore(store, keyring[0], {
      timeoutMs: times.storeTimeoutMs,
      isUrgent: true,
    });
    return this.#findAfterAsking(times.storeTimeoutMs, urgent);
  }

  /** Lets a prepared summary be found from now on: by this process at once, by the others when it resolves. */
  putInPlace(prepared: StoredSummary, standing: Standing): Promise<void> {
    return placeSummary(this, prepared, standing);
  }

  /** The summary that this process is writing to continue what was found. */
  async findWriting(): Promise<BegunSummary | undefined> {
    const { flights } = this.options.copy;
    if (flights.size === 0) return undefined;
    const [key] = await this.keys();
    for (const begun of flights)
      if (begun.key === key && !begun.flight.isOver() && (await this.goesOn(begun))) return begun;
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
    const epoch = (): string => this.epochOf(documentKey);
    const others = new Set<BegunSummary>();
    for (;;) {
      const next = [...flights].find(
        (each) => each.key === key && !others.has(each) && !each.flight.isOver(),
      );
      // Between the last look and the beginning nothing is waited for.
      if (next === undefined) break;
      const isSame = next.digest === digest && next.epoch() === epoch();
      if (isSame || (joins !== 'none' && (await this.goesOn(next)))) return next.flight;
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

  /**
   * Says to all processes that this one writes the summary of the first `count` messages, unless there is one that
   * continues what was found, or another process writes it.
   *
   * @returns `taken` while another process writes it.
   */
  claim(count: number, turn: Turn): Promise<Claim | StoredSummary | 'taken'> {
    return claimSummary(this, count, turn);
  }

  /**
   * Keeps a summary, and stores it unless another process has stored one of the same messages; returns the one that was
   * first: everybody sends the same bytes.
   *
   * @returns `undefined` where it is dropped because of an erasure or an undoing.
   */
  save(summary: StoredSummary, { token }: Claim): Promise<StoredSummary | undefined> {
    return saveSummary(this, summary, token);
  }

  /** Whether the store has a record. */
  async isStored({ coveredMessages, prefixDigest }: SummaryRecord): Promise<boolean> {
    const { document } = await readDocument(this.store, await this.documentKey(coveredMessages));
    return document?.records.some(({ record }) => record.prefixDigest === prefixDigest) === true;
  }

  /** Whether the conversation has been erased since it was opened; asks the store. */
  async isErasedSince(): Promise<boolean> {
    for (const key of await this.keys()) this.hear(key, await readDocument(this.store, key));
    return this.isErased();
  }

  async #findAfterAsking(timeoutMs: number, store?: SealedStore): Promise<WholeRecord | undefined> {
    const { times, onGap } = this.options;
    try {
      await withDeadline(undefined, timeoutMs, async () => askStore(this, store));
    } catch {
      // What comes later than it is waited for is known to the next call.
      this.isTimeUp = timeoutMs >= times.storeTimeoutMs;
    }
    const summary = await this.findLocally();
    if (this.isGap) onGap();
    return summary;
  }

  #isTooShort(): boolean {
    return this.options.identity.indexAfter(openingMessages + 1) === undefined;
  }

  /** Names the preparation of what continues the summary that was found, or what the conversation begins with. */
  async #preparation(): Promise<string> {
    const first = Math.max(openingMessages, Math.min(this.options.minMessages, this.most()));
    const digest = this.found?.record.prefixDigest ?? (await this.identity.prefixDigest(first));
    return `${(await this.keys())[0]} ${digest}`;
  }
}

/**
 * Asks the store what it has of a conversation, under the former secret too where nothing stands under the current one,
 * and writes again what it has lost.
 *
 * @param store - How it is asked.
 */
async function askStore(
  known: KnownConversation,
  store: Pick<SealedStore, 'read'> = known.store,
): Promise<void> {
  const answers = (await known.keys()).map(async (key, index) => {
    known.options.copy.askedAt.set(key, clockMs());
    const read = await readDocument(store, key);
    known.hear(key, read);
    if (!read.known) return false;
    if (read.document === undefined) await takeOver(known, key, index);
    await writeBack(known, key, read.document ?? emptyDocument);
    return true;
  });
  known.isAsked = (await Promise.all(answers)).every(Boolean);
}

/** Learns what stands under the former secret. */
async function takeOver(
  { options, names, store }: KnownConversation,
  key: string,
  index: number,
): Promise<void> {
  for (const former of options.keyring.slice(1)) {
    const formerKey = (await names.all(former))[index] ?? '';
    const { document } = await readDocument(store.with(former), formerKey);
    if (document !== undefined) options.copy.hear(key, document);
  }
}

/** Writes again what the store has lost: its originals first, but never what was erased, undone or has expired. */
async function writeBack(
  known: KnownConversation,
  key: string,
  stored: ConversationDocument,
): Promise<void> {
  const { copy, archive } = known.options;
  if (copy.get(key) === emptyDocument) return;
  const merged = (document: ConversationDocument): ConversationDocument => {
    const whole = tidied(union(document, copy.get(key)), Date.now(), storedBounds);
    return says(document, whole) ? document : whole;
  };
  if (merged(stored) === stored) return;
  if (archive !== undefined) await restoreOriginals(known, key, stored);
  await known.change(key, merged, known.lastRead.get(key));
}
