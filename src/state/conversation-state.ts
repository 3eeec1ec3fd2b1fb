import type { ArchivePolicy } from '../archive/pack-archive.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/build-record.ts';
import { sealedStore, type GuardedStore } from '../stores/sealed-store.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import { ConversationDocuments, orAgain, type Epochs } from './conversation-documents.ts';
import { conversationKeys } from './conversation-keys.ts';
import { isErasedSince, isInUse, isWhole, type Undone, type WholeRecord } from './document.ts';
import { startFlight, type Flight } from './flight.ts';
import { isOf, longestOf } from './match-records.ts';
import type { BegunSummary, ProcessCopy } from './process-copy.ts';

/** What a conversation is opened with. */
export interface ConversationOptions {
  readonly store: GuardedStore;
  readonly copy: ProcessCopy;
  readonly keys: StoreKeys;
  /** How long a call waits for the store where paying would follow, and a record is kept after it was written. */
  readonly options: { readonly storeTimeoutMs: number; readonly retentionMs: number };
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

/** The documents of the conversation of one request. */
export class RequestDocuments extends ConversationDocuments {
  readonly options: ConversationOptions;
  /** The store where money hangs on what is found: one that has just failed is asked all the same. */
  readonly urgentStore: ConversationDocuments['store'];
  /** The most messages that a summary may stand for: one is left to be sent. */
  readonly most: number;
  #isTimeUp = false;

  constructor(options: ConversationOptions) {
    const { identity, conversationId, store, keys, copy, epochs } = options;
    const { storeTimeoutMs: timeoutMs, retentionMs } = options.options;
    const names = conversationKeys(keys, identity, conversationId);
    const place = { names, copy, store: sealedStore(store, keys, { timeoutMs }) };
    super(place, retentionMs, epochs);
    this.options = options;
    this.urgentStore = sealedStore(store, keys, { timeoutMs, isUrgent: true });
    this.most = identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  }

  /** Whether the store has not failed to answer in time: nobody waits for it twice. */
  isAnswered(): boolean {
    return !this.#isTimeUp && this.options.store.isAnswering();
  }

  /** Says that it was waited for in vain. */
  giveUp(): void {
    this.#isTimeUp = true;
  }

  /** Whether this process may know anything of it: all that it knows may stand for more messages than there are. */
  isKnown(): boolean {
    const { leastCovered } = this.copy;
    return leastCovered < Infinity && (this.names.hasId || leastCovered <= this.most + 1);
  }
}

/** What a request goes on from. */
export interface Standpoint {
  readonly documents: RequestDocuments;
  /** Counts from the beginning of the conversation, also where a client sends only its end, once that was recognised. */
  readonly identity: ConversationIdentity;
  /** The summary that it goes on with. */
  readonly found: WholeRecord | undefined;
  /** Epochs that it is of; of documents that are not named: those that were first heard of. */
  readonly epochs: Epochs;
  /** Key of the record of the first `count` messages that identify the conversation, of which digits are its id. */
  readonly keyOf: (count: number) => Promise<string>;
}

/** What a request knows of its conversation: a value, which nothing changes that is heard later. */
export interface ConversationState extends Standpoint {
  /** The summary that was prepared to continue what was found: it stands in no prompt before it is due. */
  readonly prepared: WholeRecord | undefined;
  /** Whether a prepared summary has counted as found. */
  readonly takesPrepared: boolean;
  /**
   * How the prompt stood where the newest summary of the conversation was undone: no other one is due before it has
   * grown from there.
   */
  readonly undone: Undone | undefined;
  /** Messages that the summary stands for that this process is writing to continue what was found. */
  readonly writing: number | undefined;
  /** The same as long as a store has no more to say that a plan depends on. */
  readonly version: string;
}

/** Messages that the next summary stands for at least, which is one more. */
export function leastOf({ found }: Pick<Standpoint, 'found'>): number {
  return found?.record.coveredMessages ?? 0;
}

/** Of what the next summary continues, or a conversation begins with: all who want that one name it so. */
export function nextKey({ keyOf, found, documents }: Standpoint): Promise<string> {
  return keyOf(found?.record.coveredMessages ?? Math.max(1, documents.options.minMessages));
}

/** The epoch that a request is of, by the key of a document; `undefined` where it has heard of none. */
export function sinceOf({ epochs, documents }: Standpoint, key: string): string | undefined {
  return epochs.get(key) ?? documents.since(key);
}

/** Whether the conversation has been erased since the request began, as far as the store says so now. */
export async function isErased(
  state: Standpoint,
  store?: ConversationDocuments['store'],
): Promise<boolean> {
  const { documents } = state;
  await orAgain(async () => documents.read(store));
  return (await documents.names.all()).some((key) =>
    isErasedSince(documents.copy.get(key), sinceOf(state, key)),
  );
}

/** The longest summary that is prepared to take the place of what was found, as far as this process knows. */
export async function findPrepared(at: Standpoint): Promise<WholeRecord | undefined> {
  return longest(at, (kept) => !isInUse(kept) && canFollow(at, kept) && isBetween(at, kept));
}

/** What there is already of what is to be written, by somebody else. */
export async function findMade(
  at: Standpoint,
  digest: string,
  joins: Joins,
): Promise<WholeRecord | undefined> {
  return longest(
    at,
    (kept) =>
      kept.record.prefixDigest === digest ||
      (joins === 'any' && (isInUse(kept) || canFollow(at, kept)) && isBetween(at, kept)),
  );
}

/** Where the newest summary of a conversation was undone. */
export async function lastUndone({ documents, identity }: Standpoint): Promise<Undone | undefined> {
  let last: Undone | undefined;
  for (const undone of (await documents.known()).flatMap((document) => document.undone)) {
    const isLater = undone.messageCount >= (last?.messageCount ?? 0);
    if (isLater && (await isOf(identity, undone))) last = undone;
  }
  return last;
}

/** Whether a prepared summary can take the place of what was found: it continues that, or stands on its own. */
function canFollow({ found }: Standpoint, { parentDigest }: WholeRecord): boolean {
  return parentDigest === undefined || parentDigest === found?.record.prefixDigest;
}

/** Whether it stands for more than what was found, and leaves something to be sent. */
function isBetween(at: Standpoint, { record: { coveredMessages } }: WholeRecord): boolean {
  return coveredMessages > leastOf(at) && coveredMessages <= at.documents.most;
}

async function longest(
  { documents, identity }: Standpoint,
  accepts: (kept: WholeRecord) => boolean,
): Promise<WholeRecord | undefined> {
  return longestOf((await documents.records()).filter(isWhole).filter(accepts), identity);
}

/** The summary that this process is writing to continue what was found. */
export async function findWriting(at: Standpoint): Promise<BegunSummary | undefined> {
  const { copy, names } = at.documents;
  if (copy.flights.size === 0) return undefined;
  const key = await names.of(0);
  for (const begun of copy.flights)
    if (begun.key === key && !begun.flight.isOver() && (await goesOn(at, begun))) return begun;
  return undefined;
}

/**
 * The summary that this process is writing of the conversation, if it will do as well as one of the first `count`
 * messages; else the flight of that one, which is ours to give its work to.
 */
export async function joinFlight(
  at: Standpoint,
  count: number,
  joins: Joins,
): Promise<{ readonly flight: Flight<StoredSummary>; readonly isOurs: boolean }> {
  const { copy, names } = at.documents;
  const key = await names.of(0);
  const digest = await at.identity.prefixDigest(count);
  const documentKey = await names.of(count);
  const epoch = (): string => epochOf(at, documentKey);
  // What begins meanwhile is looked at too; between the last look and the beginning nothing is waited for.
  for (const next of copy.flights) {
    if (next.key !== key || next.flight.isOver()) continue;
    const isSame = next.digest === digest && next.epoch() === epoch();
    if (isSame || (joins !== 'none' && (await goesOn(at, next))))
      return { flight: next.flight, isOurs: false };
  }
  const flight = startFlight<StoredSummary>(() => copy.flights.delete(begun));
  const begun = { key, count, digest, epoch, flight };
  copy.flights.add(begun);
  return { flight, isOurs: true };
}

/** Whether a summary that is being written goes on from what was found: not with what was erased since. */
async function goesOn(at: Standpoint, { count, digest, epoch }: BegunSummary): Promise<boolean> {
  const isOfEpoch = epoch() === epochOf(at, await at.documents.names.of(count));
  return count > leastOf(at) && isOfEpoch && isOf(at.identity, { count, digest });
}

function epochOf(at: Standpoint, key: string): string {
  return sinceOf(at, key) ?? at.documents.copy.get(key).epoch;
}
