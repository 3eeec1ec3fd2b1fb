import { continuedIdentity } from '../../prompt/identity/conversation-identity.ts';
import { clockMs, withDeadline } from '../../foundations/util/async/waiting.ts';
import { retryOnce } from './conversation-documents.ts';
import {
  findPrepared,
  findFlight,
  lastUndone,
  type ConversationState,
  type RequestDocuments,
  type StartState,
} from './conversation-state.ts';
import { isInUse, isWhole, type UndoneSummary, type WholeRecord } from './document.ts';
import { reconcile } from './keep-summary.ts';
import { leastOverlap, longestMatch, matchWindow, shortIds } from './match-records.ts';

/** Milliseconds that a call waits for a store if no paid summary depends on it. */
const shortTimeoutMs = 250;

/** Milliseconds in which a store is asked about a conversation once, except before a paid summary. */
const refreshMs = 5000;

/** Epoch of a summary that has been erased or undone since it was found. */
const pastEpoch = '-';

/**
 * Reads a conversation from the local cache, which is reconciled with the store in parallel to the call. The call waits
 * for the store if nothing is known and the store was never asked, or before a paid summary (`isPaying`).
 *
 * @param reading - `takesPrepared`: whether a prepared summary counts as found.
 */
export async function readConversation(
  documents: RequestDocuments,
  reading: { readonly isPaying?: boolean; readonly takesPrepared?: boolean } = {},
): Promise<ConversationState> {
  const { isPaying = false, takesPrepared = false } = reading;
  const { cache, names, options } = documents;
  const { store, identity, minMessages, onGap } = options;
  if (store.isLocal && !isPaying && !documents.isKnown()) return emptyState(documents);
  const state = await readHere(documents, takesPrepared);
  const keys = await names.all();
  // Set before the read, so that only one of several simultaneous calls asks.
  const setAsked = (): void => {
    for (const key of keys) cache.askedAt.set(key, clockMs());
  };
  if (isPaying) {
    // The request continues from the store's answer to an earlier read; a lease finds later changes.
    if (keys.every((key) => documents.lastRead(key) !== undefined)) return state;
  } else {
    // The cache knows what a store in this process holds; evicted documents are read before a paid summary.
    if (store.isLocal) return state;
    const askedAt = cache.askedAt.get(keys.at(-1) ?? '');
    if (askedAt !== undefined && clockMs() - askedAt < refreshMs) return state;
    if (state.found !== undefined || (askedAt !== undefined && !state.isGap)) {
      setAsked();
      ask(state, false).catch(() => {});
      return state;
    }
    // The client may send only the last few messages of a conversation with an id.
    const least = names.hasId ? leastOverlap + 1 : minMessages;
    if (identity.indexAfter(least) === undefined) return state;
  }
  setAsked();
  const { storeTimeoutMs } = options;
  const timeoutMs = isPaying ? storeTimeoutMs : Math.min(shortTimeoutMs, storeTimeoutMs);
  try {
    await withDeadline(undefined, timeoutMs, () => ask(state, isPaying));
  } catch {
    // An answer after the deadline is known to the next call.
    if (timeoutMs >= storeTimeoutMs) documents.giveUp();
  }
  const heard = await readHere(documents, takesPrepared);
  if (heard.isGap) onGap();
  return heard;
}

/** Returns only what this process is writing, for a call that is not ours to change or an unknown conversation. */
export async function emptyState(documents: RequestDocuments): Promise<ConversationState> {
  return stateAt(standpoint(documents), false, undefined, undefined);
}

async function stateAt(
  at: StartState,
  takesPrepared: boolean,
  prepared: WholeRecord | undefined,
  undone: UndoneSummary | undefined,
): Promise<ConversationState> {
  const version = [at.found?.token, prepared?.token, undone?.digest, undone?.at].join(' ');
  const writing = (await findFlight(at))?.count;
  return { ...at, prepared, takesPrepared, undone, writing, version };
}

/** Reconciles the local cache with the store: reads the store, and writes back what it lacks. */
async function ask(at: StartState, isUrgent: boolean): Promise<void> {
  const { documents } = at;
  const { urgentStore } = documents;
  const keys = await documents.names.all();
  await (isUrgent ? retryOnce(async () => documents.read(urgentStore)) : documents.read());
  const read = keys.filter((key) => documents.lastRead(key) !== undefined);
  await Promise.all(read.map((key) => reconcile(at, key)));
}

/** Reads the local cache. */
async function readHere(
  documents: RequestDocuments,
  takesPrepared: boolean,
): Promise<ConversationState> {
  // Read once: a record that arrives between the two searches would be matched as that of a sliding window, and be
  // continued under other keys.
  const inUse = (await documents.records()).filter(isWhole).filter(isInUse);
  const sent = inUse.filter(({ record }) => record.coveredMessages <= documents.most);
  const found = await longestMatch(sent, documents.options.identity);
  const at =
    found === undefined
      ? await findInWindow(documents, inUse)
      : await behind(standpoint(documents), found);
  const undone = await lastUndone(at);
  const prepared = await findPrepared(at);
  if (!takesPrepared || prepared === undefined) return stateAt(at, takesPrepared, prepared, undone);
  const from = await behind(at, prepared);
  return stateAt(from, takesPrepared, await findPrepared(from), undone);
}

function standpoint(
  documents: RequestDocuments,
  identity = documents.options.identity,
): StartState {
  const { names } = documents;
  const keyOf = async (count: number) => names.recordKey(await identity.prefixDigest(count));
  const epochs = new Map(documents.epochs);
  return { documents, identity, found: undefined, isGap: false, epochs, keyOf };
}

/** Continues with a summary, in the epoch of its document, unless it has been erased while it was compared. */
async function behind(at: StartState, found: WholeRecord): Promise<StartState> {
  const { cache, names, options } = at.documents;
  const key = await names.of(found.record.coveredMessages);
  const { epoch, records } = cache.get(key);
  const isThere = records.some(({ token }) => token === found.token);
  const epochs = new Map(at.epochs);
  if (options.epochs?.has(key) !== true) epochs.set(key, isThere ? epoch : pastEpoch);
  return { ...at, found, epochs };
}

/** Continues with the summary whose last covered messages begin the window, if the client may send one. */
async function findInWindow(
  documents: RequestDocuments,
  inUse: readonly WholeRecord[],
): Promise<StartState> {
  const { identity: sent, conversation } = documents.options;
  const isUser = (place: number): boolean =>
    conversation[(sent.indexAfter(place + 1) ?? 0) - 1]?.role === 'user';
  const total = documents.most + 1;
  const known = documents.names.hasId ? inUse : [];
  let isGap = known.length > 0;
  // Regenerated answers may have had summaries of their own: the one that applies may be older.
  for (const kept of known.toReversed()) {
    const window = shortIds(await sent.messageDigests(0, total));
    const match = matchWindow(kept.lastIds ?? [], window, isUser);
    isGap &&= match === 'gap';
    if (typeof match !== 'number' || match >= total) continue;
    const { coveredMessages: count, prefixDigest: digest } = kept.record;
    const identity = continuedIdentity(sent, match, { count, digest });
    return behind(standpoint(documents, identity), kept);
  }
  return { ...standpoint(documents), isGap };
}
