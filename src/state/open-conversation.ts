import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { LastSummarization, StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { openingMessages } from '../selection/legal-cuts.ts';
import { sealedStore, type SealedStore } from '../stores/sealed-store.ts';
import { withDeadline } from '../util/async/with-deadline.ts';
import { clockMs } from '../util/clock-ms.ts';
import {
  emptyDocument,
  says,
  storedBounds,
  tidied,
  union,
  type ConversationDocument,
  type Standing,
} from './document.ts';
import {
  claimSummary,
  restoreOriginals,
  placeSummary,
  saveSummary,
  type Claim,
  type Turn,
} from './keep-summary.ts';
import {
  KnownConversation,
  type ConversationStateOptions,
  type Epochs,
} from './known-conversation.ts';
import type { BegunSummary } from './process-copy.ts';
import { readDocument } from './stored-document.ts';

/** Milliseconds a call waits for a store where nothing would be paid. */
const shortTimeoutMs = 250;
/** Milliseconds in which a store is asked about a conversation once, unless paying would follow. */
const refreshMs = 5000;

/** A record that this process is writing. */
export interface BegunRecord {
  readonly key: string;
  readonly end: () => void;
}

/** The state of one conversation, as one request sees it. Nothing of it rejects because of the store. */
export interface ConversationState {
  /**
   * How the conversation counts: from its beginning, also where a client sends only its end. That is known
   * once a summary was found.
   */
  readonly identity: () => ConversationIdentity;
  /**
   * The longest summary of this conversation that this process knows; the store is compared with it beside
   * the call. About a conversation of which it was never asked the store is asked first, for a moment.
   */
  readonly find: () => Promise<StoredSummary | undefined>;
  /** The same as `find`, when the store was asked whatever is known: before a summary is paid for. */
  readonly findBeforePaying: () => Promise<StoredSummary | undefined>;
  /**
   * The summary that was prepared to continue what `find` found, as far as this process knows: it stands in no
   * prompt before it is due.
   */
  readonly findPrepared: () => Promise<StoredSummary | undefined>;
  /** The same, which this request goes on from as if it had been found. */
  readonly take: () => Promise<StoredSummary | undefined>;
  /** Lets a prepared summary be found from now on: by this process at once, by the others when it resolves. */
  readonly putInPlace: (prepared: StoredSummary, standing: Standing) => Promise<void>;
  /**
   * How the prompt stands where the newest summary of the conversation was undone: no other one is due before
   * it has grown from there.
   */
  readonly held: () => Promise<LastSummarization | undefined>;
  /** Epochs as they were first seen. */
  readonly epochs: () => Epochs;
  /** Whether the conversation has been erased since then, as far as the store was asked. */
  readonly isErased: () => boolean;
  /** Whether the store has not failed to answer in time in this request: nobody waits for it twice. */
  readonly isAnswered: () => boolean;
  /** The summary that this process is writing to continue what `find` found. */
  readonly findWriting: () => Promise<BegunSummary | undefined>;
  /**
   * Says in this process that a summary of so many messages is being written, unless one of the conversation is that
   * will do as well.
   *
   * @returns the key of the record that is being written, and what says that it is no more.
   */
  readonly begin: (count: number, joins: Joins) => Promise<BegunRecord>;
  /**
   * Says to all processes that this one writes the summary of the first `count` messages, unless there is one that
   * continues what `find` found, or another process writes it.
   *
   * @returns `taken` while another process writes it.
   */
  readonly claim: (count: number, turn: Turn) => Promise<Claim | StoredSummary | 'taken'>;
  /**
   * Reserves the preparation of a summary that continues what `find` found, of those of this process.
   *
   * @returns what ends it; `undefined` while somebody else has it.
   */
  readonly reservePreparation: () => Promise<(() => void) | undefined>;
  /** Resolves when nobody of this process prepares one. */
  readonly preparationEnded: () => Promise<void>;
  /** Key of the record of the first `count` messages that identify the conversation, of which digits are its id. */
  readonly keyOf: (count: number) => Promise<string>;
  /** The digests by which a record is found again without an id. */
  readonly openings: () => Promise<readonly string[] | undefined>;
  /**
   * Keeps a summary, and stores it unless another process has stored one of the same messages; returns the one that
   * was first: everybody sends the same bytes.
   *
   * @returns `undefined` where it is dropped because of an erasure or an undoing.
   */
  readonly save: (summary: StoredSummary, claim: Claim) => Promise<StoredSummary | undefined>;
  /** Whether the store has a record. */
  readonly isStored: (record: SummaryRecord) => Promise<boolean>;
  /** Whether the conversation has been erased since it was opened; asks the store. */
  readonly isErasedSince: () => Promise<boolean>;
}

/** Opens the state of a conversation. */
export function openConversation(options: ConversationStateOptions): ConversationState {
  const known = new KnownConversation(options);
  const { names } = known;
  const { copy, keyring } = options;
  return {
    identity: () => known.identity,
    epochs: () => new Map(known.begunIn),
    isErased: () => known.isErased(),
    isAnswered: () => known.isAnswered(),
    find: () => find(known),
    findBeforePaying: () => findBeforePaying(known),
    findPrepared: () => known.prepared(),
    take: async () => {
      const match = await known.prepared();
      return match && known.goOnWith(match);
    },
    held: () => known.lastUndone(),
    putInPlace: (summary, standing) => placeSummary(known, summary, standing),
    findWriting: () => findWriting(known),
    begin: (count, joins) => begin(known, count, joins),
    reservePreparation: async () => copy.reserve(await preparation(known)),
    preparationEnded: async () => copy.unreserved(await preparation(known)),
    keyOf: async (count) => names.recordKey(keyring[0], await known.identity.prefixDigest(count)),
    openings: names.openings,
    claim: (count, turn) => claimSummary(known, count, turn),
    save: (summary, { token }) => saveSummary(known, summary, token),
    isStored: (record) => isStored(known, record),
    isErasedSince: () => isErasedSince(known),
  };
}

async function find(known: KnownConversation): Promise<StoredSummary | undefined> {
  const { store, copy, identity, times, minMessages } = known.options;
  if (isTooShort(known) || (store.isLocal && copy.isEmpty())) return undefined;
  const summary = await known.findLocally();
  // What a store in this process holds is known: it is asked for what was pushed out, before paying.
  if (store.isLocal) return summary;
  const askedAt = copy.askedAt.get((await known.keys()).at(-1) ?? '');
  const isDue = askedAt === undefined || clockMs() - askedAt >= refreshMs;
  if (!isDue) return summary;
  if (summary !== undefined || (askedAt !== undefined && !known.isGap)) {
    void askStore(known).catch(() => {});
    return summary;
  }
  if (store.isEmpty() || identity.indexAfter(minMessages) === undefined) return undefined;
  return findAfterAsking(known, Math.min(shortTimeoutMs, times.storeTimeoutMs));
}

async function findBeforePaying(known: KnownConversation): Promise<StoredSummary | undefined> {
  const { store, keyring, times } = known.options;
  // A claim finds what has changed since.
  if (known.isAsked || isTooShort(known) || store.isEmpty()) return known.found;
  // Money hangs on what is found.
  const urgent = sealedStore(store, keyring[0], {
    timeoutMs: times.storeTimeoutMs,
    isUrgent: true,
  });
  return findAfterAsking(known, times.storeTimeoutMs, urgent);
}

async function findAfterAsking(
  known: KnownConversation,
  timeoutMs: number,
  store?: SealedStore,
): Promise<StoredSummary | undefined> {
  const { times, onGap } = known.options;
  try {
    await withDeadline(undefined, timeoutMs, async () => askStore(known, store));
  } catch {
    // What comes later than it is waited for is known to the next call.
    known.isTimeUp = timeoutMs >= times.storeTimeoutMs;
  }
  const summary = await known.findLocally();
  if (known.isGap) onGap();
  return summary;
}

function isTooShort({ options: { identity } }: KnownConversation): boolean {
  return identity.indexAfter(openingMessages + 1) === undefined;
}

/** Names the preparation of what continues the summary that was found, or what the conversation begins with. */
async function preparation(known: KnownConversation): Promise<string> {
  const { identity, found, options } = known;
  const first = Math.max(openingMessages, Math.min(options.minMessages, known.most()));
  const digest = found?.record.prefixDigest ?? (await identity.prefixDigest(first));
  return `${(await known.keys())[0]} ${digest}`;
}

async function isStored(
  known: KnownConversation,
  { coveredMessages, prefixDigest }: SummaryRecord,
): Promise<boolean> {
  const { document } = await readDocument(known.store, await known.keyOf(coveredMessages));
  return document?.records.some(({ record }) => record.prefixDigest === prefixDigest) === true;
}

async function isErasedSince(known: KnownConversation): Promise<boolean> {
  for (const key of await known.keys()) known.hear(key, await readDocument(known.store, key));
  return known.isErased();
}

/** The summary that this process is writing to continue what was found. */
async function findWriting(known: KnownConversation): Promise<BegunSummary | undefined> {
  const { copy } = known.options;
  if (copy.isIdle()) return undefined;
  for (const begun of copy.writing((await known.keys())[0]))
    if (await known.goesOn(begun)) return begun;
  return undefined;
}

/** Says that a summary is being written, unless one is that will do as well. */
async function begin(known: KnownConversation, count: number, joins: Joins): Promise<BegunRecord> {
  const { copy, keyring } = known.options;
  const [key] = await known.keys();
  const digest = await known.identity.prefixDigest(count);
  const documentKey = await known.keyOf(count);
  const epoch = (): string => known.epochOf(documentKey);
  const flight = `${await known.names.recordKey(keyring[0], digest)} ${epoch()}`;
  const others = new Set<BegunSummary>();
  for (;;) {
    // Between the last look and the claim nothing is waited for.
    const next = [...copy.writing(key)].find((other) => !others.has(other));
    if (joins === 'none' || next === undefined)
      return { key: flight, end: copy.begin(key, { count, digest, epoch, flight }) };
    if (await known.goesOn(next)) return { key: next.flight, end: () => {} };
    others.add(next);
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
