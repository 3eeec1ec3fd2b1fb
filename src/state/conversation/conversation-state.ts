import type { ArchivePolicy } from '../archive/pack-archive.ts';
import type { ConversationIdentity } from '../../prompt/identity/conversation-identity.ts';
import type { JoinPolicy } from '../../planning/plan/plan.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import type { StoredSummary } from '../../foundations/record/build-record.ts';
import { sealedStore, type GuardedStore } from '../stores/sealed-store.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import { ConversationDocuments, retryOnce, type Epochs } from './conversation-documents.ts';
import { conversationKeys } from './conversation-keys.ts';
import {
  isErasedSince,
  isInUse,
  isWhole,
  type UndoneSummary,
  type WholeRecord,
} from './document.ts';
import { startFlight, type Flight } from './flight.ts';
import { matchesPrefix, longestMatch } from './match-records.ts';
import type { SummaryInFlight, LocalCache } from './local-cache.ts';

/** Where the state of a call's conversation is kept, and how. */
export interface StatePlace {
  /** The store never throws and never hangs. */
  readonly store: GuardedStore;
  readonly cache: LocalCache;
  readonly keys: StoreKeys;
  /** Milliseconds that a call waits for the store before it pays for a summary, and that a record is kept. */
  readonly storeTimeoutMs: number;
  readonly retentionMs: number;
  /** How original messages are kept; `undefined` if they are not. */
  readonly archive?: ArchivePolicy | undefined;
  /** Id of the conversation, which only narrows the search: digests decide. */
  readonly conversationId?: string | undefined;
  /** Epochs at an earlier time, if the call was sent then: every erasure since then counts. */
  readonly epochs?: Epochs | undefined;
}

/** A conversation that is opened. */
export interface ConversationOptions extends StatePlace {
  readonly identity: ConversationIdentity;
  /** Its messages as they came, which an archive holds. */
  readonly conversation: readonly Message[];
  /** Messages below which a conversation has no summary, unless it needed one. */
  readonly minMessages: number;
  /** Called if summaries are known, but none of the messages that they cover is sent any more. */
  readonly onGap: () => void;
}

/** The documents of the conversation of one request. */
export class RequestDocuments extends ConversationDocuments {
  readonly options: ConversationOptions;
  /** The store for reads before a paid summary: it is asked even if it has just failed. */
  readonly urgentStore: ConversationDocuments['store'];
  /** The most messages that a summary may cover: one remains to be sent. */
  readonly most: number;
  #isTimeUp = false;

  constructor(options: ConversationOptions) {
    const { identity, conversationId, store, keys, cache, epochs } = options;
    const { storeTimeoutMs: timeoutMs, retentionMs } = options;
    const names = conversationKeys(keys, identity, conversationId);
    const place = { names, cache, store: sealedStore(store, keys, { timeoutMs }) };
    super(place, retentionMs, epochs);
    this.options = options;
    this.urgentStore = sealedStore(store, keys, { timeoutMs, isUrgent: true });
    this.most = identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  }

  /** Whether the store has not failed to answer in time: no request waits for it twice. */
  isAnswered(): boolean {
    return !this.#isTimeUp && this.options.store.isAnswering();
  }

  /** Notes that the store has not answered in time. */
  giveUp(): void {
    this.#isTimeUp = true;
  }

  /** Whether the local cache may have a summary: all that it has may cover more messages than there are. */
  isKnown(): boolean {
    const { leastCovered } = this.cache;
    return leastCovered < Infinity && (this.names.hasId || leastCovered <= this.most + 1);
  }
}

/** State from which a request continues. */
export interface StartState {
  readonly documents: RequestDocuments;
  /** Identity that counts from the beginning of the conversation, even of a recognized sliding window. */
  readonly identity: ConversationIdentity;
  /** The summary that the request continues. */
  readonly found: WholeRecord | undefined;
  /** Whether summaries are known, but none of the messages that they cover is sent any more. */
  readonly isGap: boolean;
  /** Epochs in which the request started; of a document without an entry, the first one that was read applies. */
  readonly epochs: Epochs;
  /** Key of the record of the first `count` significant messages; some of its digits are the record's id. */
  readonly keyOf: (count: number) => Promise<string>;
}

/** Snapshot of a conversation for one request: later answers of the store do not change it. */
export interface ConversationState extends StartState {
  /** The summary that was prepared to continue `found`: it is in no prompt before it is due. */
  readonly prepared: WholeRecord | undefined;
  /** Whether a prepared summary has counted as found. */
  readonly takesPrepared: boolean;
  /**
   * Size of the prompt when the newest summary of the conversation was undone: no other one is due before the prompt
   * has grown from there.
   */
  readonly undone: UndoneSummary | undefined;
  /** Messages covered by the summary that this process is writing to continue `found`. */
  readonly writing: number | undefined;
  /** Version that changes with every fact on which a plan depends. */
  readonly version: string;
}

/** Returns the messages that `found` covers: the next summary covers at least one more. */
export function coveredCount({ found }: Pick<StartState, 'found'>): number {
  return found?.record.coveredMessages ?? 0;
}

/** Derives the key of the record to continue, or of the opening: the same for all that want the same summary. */
export function nextKey({ keyOf, found, documents }: StartState): Promise<string> {
  return keyOf(found?.record.coveredMessages ?? Math.max(1, documents.options.minMessages));
}

/** Returns the epoch in which the request started, by the key of a document; `undefined` if it has read none. */
export function startEpochOf({ epochs, documents }: StartState, key: string): string | undefined {
  return epochs.get(key) ?? documents.epochs.get(key);
}

/** Whether the conversation has been erased since the request began, as far as the store reports it now. */
export async function isErased(
  state: StartState,
  store?: ConversationDocuments['store'],
): Promise<boolean> {
  const { documents } = state;
  await retryOnce(async () => documents.read(store));
  return (await documents.names.all()).some((key) =>
    isErasedSince(documents.cache.get(key), startEpochOf(state, key)),
  );
}

/** Finds the longest summary in the local cache that is prepared to replace `found`. */
export async function findPrepared(at: StartState): Promise<WholeRecord | undefined> {
  return longest(at, (kept) => !isInUse(kept) && canFollow(at, kept) && isBetween(at, kept));
}

/** Finds a summary by another writer that will do instead of the one to be written. */
export async function findSubstitute(
  at: StartState,
  digest: string,
  joins: JoinPolicy,
): Promise<WholeRecord | undefined> {
  return longest(
    at,
    (kept) =>
      kept.record.prefixDigest === digest ||
      (joins === 'any' && (isInUse(kept) || canFollow(at, kept)) && isBetween(at, kept)),
  );
}

/** Finds where the newest summary of a conversation was undone. */
export async function lastUndone({
  documents,
  identity,
}: StartState): Promise<UndoneSummary | undefined> {
  let last: UndoneSummary | undefined;
  for (const undone of await documents.undone()) {
    const isLater = undone.messageCount >= (last?.messageCount ?? 0);
    if (isLater && (await matchesPrefix(identity, undone))) last = undone;
  }
  return last;
}

/** Whether a prepared summary can replace `found`: it continues that record, or none. */
function canFollow({ found }: StartState, { parentDigest }: WholeRecord): boolean {
  return parentDigest === undefined || parentDigest === found?.record.prefixDigest;
}

/** Whether a summary covers more than `found`, and leaves a message to be sent. */
function isBetween(at: StartState, { record: { coveredMessages } }: WholeRecord): boolean {
  return coveredMessages > coveredCount(at) && coveredMessages <= at.documents.most;
}

async function longest(
  { documents, identity }: StartState,
  accepts: (kept: WholeRecord) => boolean,
): Promise<WholeRecord | undefined> {
  return longestMatch((await documents.records()).filter(isWhole).filter(accepts), identity);
}

/** Finds the summary that this process is writing to continue `found`. */
export async function findFlight(at: StartState): Promise<SummaryInFlight | undefined> {
  const { cache, names } = at.documents;
  if (cache.flights.size === 0) return undefined;
  const key = await names.of(0);
  for (const begun of cache.flights)
    if (begun.key === key && !begun.flight.isOver() && (await goesOn(at, begun))) return begun;
  return undefined;
}

/**
 * Joins the summary of the conversation that this process is writing, if it will do for the one of the first `count`
 * messages; otherwise begins a flight for that one, whose work the caller has to provide.
 */
export async function joinFlight(
  at: StartState,
  count: number,
  joins: JoinPolicy,
): Promise<{ readonly flight: Flight<StoredSummary>; readonly isOurs: boolean }> {
  const { cache, names } = at.documents;
  const key = await names.of(0);
  const digest = await at.identity.prefixDigest(count);
  const documentKey = await names.of(count);
  const epoch = (): string => epochOf(at, documentKey);
  // The loop also visits flights that begin meanwhile; nothing is awaited between the last visit and the new flight.
  for (const next of cache.flights) {
    if (next.key !== key || next.flight.isOver()) continue;
    const isSame = next.digest === digest && next.epoch() === epoch();
    if (isSame || (joins !== 'none' && (await goesOn(at, next))))
      return { flight: next.flight, isOurs: false };
  }
  const flight = startFlight<StoredSummary>(() => cache.flights.delete(begun));
  const begun = { key, count, digest, epoch, flight };
  cache.flights.add(begun);
  return { flight, isOurs: true };
}

/** Whether a summary that is being written continues `found`, and nothing was erased since it began. */
async function goesOn(at: StartState, { count, digest, epoch }: SummaryInFlight): Promise<boolean> {
  const isOfEpoch = epoch() === epochOf(at, await at.documents.names.of(count));
  return count > coveredCount(at) && isOfEpoch && matchesPrefix(at.identity, { count, digest });
}

function epochOf(at: StartState, key: string): string {
  return startEpochOf(at, key) ?? at.documents.cache.get(key).epoch;
}
