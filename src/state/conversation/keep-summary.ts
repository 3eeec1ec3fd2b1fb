import type { JoinPolicy } from '../../planning/plan/plan.ts';
import type { StoredSummary } from '../../foundations/record/build-record.ts';
import { firstBackoffMs } from '../stores/sealed-store.ts';
import { clockMs, delay, withDeadline } from '../../foundations/util/async/waiting.ts';
import { randomId } from '../../foundations/util/digest.ts';
import { retryOnce, type StoredDocument } from './conversation-documents.ts';
import {
  findSubstitute,
  coveredCount,
  startEpochOf,
  type ConversationState,
  type StartState,
} from './conversation-state.ts';
import {
  addLease,
  emptyDocument,
  figuresOf,
  isErasedSince,
  isParentUndone,
  isWhole,
  activeLeases,
  putInPlace,
  removeLease,
  addSummary,
  isUpToDate,
  storedBounds,
  trimDocument,
  mergeDocuments,
  type ConversationDocument,
  type KeptRecord,
  type PlacedSize,
  type WholeRecord,
  type Lease,
  type StoredUsage,
} from './document.ts';
import type { FlightControls } from './flight.ts';
import { matchesPrefix, shortIds } from './match-records.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';

/** The right of this process to write the next summary. */
export interface OwnLease {
  /** Token of the writer, even if the store does not know of it. */
  readonly token: string;
  /** Milliseconds since the epoch at which the writing begins: later than every known undoing. */
  readonly begunAt: number;
  /** Ends the lease. Never rejects. */
  readonly end: () => Promise<void>;
}

/** A caller that wants to write a summary. */
export interface LeaseRequest extends Pick<FlightControls, 'hurry' | 'isWanted'> {
  /** Which other summaries will do instead. */
  readonly joins: JoinPolicy;
  /** Milliseconds to wait for another process that writes it. */
  readonly patienceMs: number;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Milliseconds after which another process's lease ends without a renewal, if the store answers in time: less than a
 * call waits by default, so that a call that waits for a process that has ended makes the summary itself.
 */
const leastLeaseMs = 8000;
const timeoutsOfLease = 4;

/** Renewals of a lease in the time that it lasts. */
const renewalsOfLease = 3;

/** Milliseconds between two polls for the summary of another process: each pause is twice the last. */
const firstPauseMs = 50;
const longestPauseMs = 1000;

/** Polls in a row that may fail while the call waits for another process's lease. */
const mostFailedPolls = 2;

/** Milliseconds after which a lease that was never ended is forgotten. */
const forgottenLeaseMs = 24 * 60 * 60_000;

/**
 * Waits until this process may write the summary of the first `count` messages, and holds the lease, or until another summary
 * will do. It waits as long as the other writer renews its lease, and at most `patienceMs`; if the store cannot be
 * read, only for a writer that was alive a moment ago.
 *
 * @returns the other summary, so that none need be written, or the lease.
 */
export async function acquireLease(
  state: ConversationState,
  count: number,
  { joins, patienceMs, hurry, isWanted, abortSignal }: LeaseRequest,
): Promise<OwnLease | WholeRecord> {
  const { documents } = state;
  const { cache, names, options } = documents;
  const { isLocal } = options.store;
  const endsAt = clockMs() + patienceMs;
  const token = randomId();
  const key = await names.of(count);
  // A store of several processes begins its documents when it answers.
  if (isLocal) for (const each of await names.all()) documents.startEpoch(each);
  const digest = await state.identity.prefixDigest(count);
  const leaseMs = Math.max(leastLeaseMs, timeoutsOfLease * options.storeTimeoutMs);
  /** Claims of other writers, and since when they have been seen. */
  const seen = new Map<string, number>();
  let isTaken = false;
  let begunAt = 0;
  let failedPolls = 0;
  const isAwaited = async (other: Lease): Promise<boolean> => {
    // A writer in this process would have been joined, unless it was given up.
    if (other.token === token || cache.leases.get(other.token) === true) return false;
    return joins === 'any'
      ? other.count > coveredCount(state) && (await matchesPrefix(state.identity, other))
      : other.digest === digest;
  };
  const withLease = (document: ConversationDocument): ConversationDocument => {
    const until = Date.now() + forgottenLeaseMs;
    const archiveId = options.archive && token;
    const writing = { token, count, digest, begunAt, until, archiveId };
    return isErasedSince(document, startEpochOf(state, key))
      ? document
      : addLease(document, writing);
  };
  const made = async () => findSubstitute(state, digest, joins);
  const leaseUnlessTaken = async (
    document: ConversationDocument,
  ): Promise<ConversationDocument> => {
    if (document !== emptyDocument) cache.mergeFromStore(key, document);
    const others = activeLeases(document, seen, clockMs(), leaseMs);
    isTaken = (await Promise.all(others.map(isAwaited))).includes(true);
    return isTaken || (await made()) !== undefined ? document : withLease(document);
  };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    begunAt = Math.max(Date.now(), (state.found?.begunAt ?? 0) + 1);
    for (const { at } of await documents.undone()) begunAt = Math.max(begunAt, at + 1);
    if (!isLocal && (isTaken || documents.isAnswered())) {
      let first = seen.size === 0 ? documents.lastRead(key) : undefined;
      const isKnown = await retryOnce(async () => {
        const read = await documents.change(key, leaseUnlessTaken, first, documents.urgentStore);
        first = undefined;
        return read.known;
      });
      failedPolls = isKnown ? 0 : failedPolls + 1;
      if (failedPolls > mostFailedPolls) isTaken = false;
    }
    const stored = await made();
    const isOver = hurry.aborted || abortSignal?.aborted === true || !isWanted();
    const restMs = Math.min(pauseMs, endsAt - clockMs());
    if (stored !== undefined) return stored;
    if (!isTaken || isOver || restMs <= 0) {
      documents.beginWriting();
      const end = isLocal ? async () => {} : renewLease(state, key, token, withLease, leaseMs);
      return { token, begunAt, end };
    }
    await withDeadline([hurry, abortSignal], restMs, (signal) => delay(restMs, signal)).catch(
      () => {},
    );
  }
}

/**
 * Renews the lease of this process, even if the store has not confirmed it. The returned function ends the lease; if
 * the store does not have the summary by then, it is written once more after a pause.
 */
function renewLease(
  state: StartState,
  key: string,
  token: string,
  withLease: (document: ConversationDocument) => ConversationDocument,
  leaseMs: number,
): OwnLease['end'] {
  const { documents } = state;
  const ending = new AbortController();
  const renew = async (): Promise<void> => {
    for (let ms = firstBackoffMs; ; ms = leaseMs / renewalsOfLease) {
      await delay(ms, ending.signal);
      await documents.change(key, (each) => (ending.signal.aborted ? each : withLease(each)));
    }
  };
  documents.cache.leases.set(token, true);
  renew().catch(() => {});
  const settle = async (): Promise<boolean> =>
    (await reconcile(state, key)) &&
    (await documents.change(key, (document) => removeLease(document, token))).known;
  return async () => {
    ending.abort();
    if (!(await settle())) {
      await delay(firstBackoffMs, undefined);
      await settle();
    }
    documents.cache.leases.delete(token);
  };
}

/** Factor by which an archive is kept longer than its record: it outlasts the records that lead to it. */
const retentionsOfArchive = 2;

/** The most digests of covered messages that are kept to recognize a sliding window. */
const maxLastIds = 512;

/**
 * Caches and stores a summary, its original messages first, unless another process has stored one of the same messages.
 * Returns the first one, so that all processes send the same bytes.
 *
 * @returns `undefined` if the summary is dropped because of an erasure or an undoing.
 */
export async function saveSummary(
  state: ConversationState,
  summary: StoredSummary,
  { token, begunAt }: Pick<OwnLease, 'token' | 'begunAt'>,
): Promise<StoredSummary | undefined> {
  const { documents, identity, found } = state;
  const { cache, names } = documents;
  const { archive, retentionMs, storeTimeoutMs } = documents.options;
  const archiveMs = retentionsOfArchive * retentionMs;
  const { parentId, coveredMessages: count, prefixDigest } = summary.record;
  const parent = parentId !== undefined && found?.record.id === parentId ? found : undefined;
  const from = parent?.record.coveredMessages ?? 0;
  const start = Math.max(from, count - maxLastIds);
  const ids = names.hasId ? shortIds(await identity.messageDigests(start, count)) : [];
  const now = Date.now();
  // A record with an archive is kept as long as the archive, because only the record names it.
  const until = now + (archive === undefined ? retentionMs : archiveMs);
  // All archives of the chain are renewed before the first has less than a retention left, a few times in all.
  const { archivesUntil: ofParent = until } = parent ?? {};
  const isDue = ofParent < now + retentionMs;
  const made: WholeRecord = {
    ...summary,
    lastIds: names.hasId ? [...(parent?.lastIds ?? []), ...ids].slice(-maxLastIds) : undefined,
    from,
    parentDigest: parent?.record.prefixDigest,
    parentBegunAt: parent?.begunAt,
    token,
    begunAt,
    until,
    ...(archive && { archiveId: token, archivesUntil: isDue ? until : ofParent }),
  };
  const key = await names.of(count);
  const parentKey = parent === undefined ? key : await names.of(from);
  const waitMs = documents.isAnswered() ? storeTimeoutMs : 0;
  const reconciling = withDeadline(undefined, waitMs, () => reconcile(state, key, made, parentKey));
  const isStored = await reconciling.catch(() => false);
  // The store may not have answered.
  cache.change(key, () => withMade(state, key, made, parentKey));
  if (parentKey !== key) {
    // The parent's document holds the figures of a record in another document that continues the parent.
    const figures = { ...made, record: figuresOf(made), lastIds: undefined };
    cache.change(parentKey, () => withMade(state, parentKey, figures, key));
    // A store that has not answered is not waited for again.
    if (isStored) await reconcile(state, parentKey);
  }
  if (archive && isDue && parent?.archiveId !== undefined) {
    const { renewArchives } = await import('../archive/stored-archive.ts');
    void renewArchives(documents.store, parent.archiveId, archiveMs);
  }
  const kept = cache.get(key).records.find(({ record }) => record.prefixDigest === prefixDigest);
  return kept?.token === token ? summary : kept && isWhole(kept) ? kept : undefined;
}

/** Puts a prepared summary in place: for this process at once, for the others when the promise resolves. */
export async function placeSummary(
  state: ConversationState,
  { record: { coveredMessages, prefixDigest } }: StoredSummary,
  size: PlacedSize,
): Promise<void> {
  const { cache, names } = state.documents;
  const keys = [await names.of(coveredMessages), await names.of(0)];
  for (const key of keys) cache.change(key, (document) => putInPlace(document, prefixDigest, size));
  for (const key of new Set(keys)) await reconcile(state, key);
}

/**
 * Writes back what this process knows and the store does not have, original messages before their record, but nothing
 * that was erased, undone or has expired.
 *
 * @param made - A new summary to write, unless the store has one of the same messages.
 * @param parentKey - Key of the document that holds the parent of `made`.
 * @returns whether the store confirmed it.
 */
export async function reconcile(
  at: StartState,
  key: string,
  made?: WholeRecord,
  parentKey: string = key,
): Promise<boolean> {
  const { documents } = at;
  const { cache } = documents;
  const isRead = documents.lastRead(key) !== undefined && parentKey === key;
  if (!isRead && !(await documents.read())) return false;
  const merged = (stored: ConversationDocument): ConversationDocument => {
    const local = made === undefined ? cache.get(key) : withMade(at, key, made, parentKey);
    const both = trimDocument(mergeDocuments(stored, local), Date.now(), storedBounds);
    return isUpToDate(stored, both) ? stored : both;
  };
  const { document: stored = emptyDocument } = documents.lastRead(key) ?? {};
  const whole = merged(stored);
  const storedDigests = new Set(stored.records.map(({ record }) => record.prefixDigest));
  const additions = whole.records
    .filter(isWhole)
    .filter(({ record }) => !storedDigests.has(record.prefixDigest));
  for (const kept of additions) if (!(await keepOriginals(at, key, kept, merged))) return false;
  const written = made === undefined || additions.includes(made) ? additions : [...additions, made];
  const withAdditions = (document: ConversationDocument): ConversationDocument => {
    let both = merged(document);
    for (const { token } of additions) if (!hasToken(both, token)) both = removeLease(both, token);
    return both;
  };
  if (!(await documents.change(key, withAdditions, documents.lastRead(key))).known) return false;
  // Archives of records that were erased, undone or written by another process meanwhile are removed. A record that
  // merely had no room keeps its archive, to which other records lead.
  for (const kept of written) {
    const { token, archiveId } = kept;
    const document = withMade(at, key, kept, kept === made ? parentKey : key);
    if (archiveId !== undefined && !hasToken(document, token))
      await documents.removeArchive(archiveId);
  }
  return true;
}

/**
 * Returns the cached document with a new record, unless the record or its parent was erased or undone since the writing
 * began.
 *
 * @param beside - Key of another document that may tell of an erasure or undoing.
 */
function withMade(
  at: StartState,
  key: string,
  made: KeptRecord,
  beside: string,
): ConversationDocument {
  const { cache } = at.documents;
  const isRefused = [key, beside].some((of) => {
    const document = cache.get(of);
    return isParentUndone(made, document.undone) || isErasedSince(document, startEpochOf(at, of));
  });
  const document = cache.get(key);
  return isRefused ? document : addSummary(document, made);
}

/**
 * Archives the messages that a record newly covers, before the record itself, and once the document names the archive:
 * otherwise nobody would find the archive of a process that ends in between.
 *
 * @returns whether the record can follow: not if the store did not confirm what has to precede it.
 */
async function keepOriginals(
  at: StartState,
  key: string,
  { record, from, token, archiveId, parentDigest, begunAt }: WholeRecord,
  merged: (stored: ConversationDocument) => ConversationDocument,
): Promise<boolean> {
  const { coveredMessages: count, prefixDigest: digest } = record;
  const { documents, identity } = at;
  const { archive, conversation } = documents.options;
  if (archive === undefined || archiveId === undefined) return true;
  const start = identity.indexAfter(from);
  const isSent =
    from >= identity.significantBefore(0) && (await matchesPrefix(identity, { count, digest }));
  if (start === undefined || !isSent) return true;
  const namesArchive = ({ document }: Partial<StoredDocument> = {}): boolean =>
    document?.writing.some((each) => each.archiveId === archiveId) === true;
  // The lease names the archive, if the store has the lease.
  if (!namesArchive(documents.lastRead(key))) {
    const until = Date.now() + forgottenLeaseMs;
    const writing = { token, count, digest, begunAt, until, archiveId };
    const naming = (document: ConversationDocument): ConversationDocument =>
      hasToken(merged(document), token) ? addLease(document, writing) : document;
    const read = await documents.change(key, naming, documents.lastRead(key));
    if (!read.known) return false;
    if (!namesArchive(read)) return true;
  }
  const messages = conversation.slice(start, identity.indexAfter(count));
  const policy = { ...archive, ttlMs: retentionsOfArchive * documents.retentionMs };
  const parent = (await documents.records()).find(
    (each) => each.record.prefixDigest === parentDigest,
  );
  const archived = { record, parent: parent?.archiveId, from };
  // After a refusal, the urgent store is asked for a smaller archive at once.
  const { writeArchive } = await import('../archive/stored-archive.ts');
  return writeArchive(documents.urgentStore, archiveId, archived, messages, policy);
}

function hasToken({ records }: ConversationDocument, token: string): boolean {
  return records.some((kept) => kept.token === token);
}

/** The most reported sizes that a document has. */
const maxUsages = 4;

/** Names the model of a reported size. */
export function modelName({ provider, modelId }: ModelIdentity): string {
  return `${provider} ${modelId}`;
}

/** Lists the reported sizes in the local cache, which the store's documents have been merged into. */
export async function storedUsages({
  documents,
}: Pick<StartState, 'documents'>): Promise<readonly StoredUsage[]> {
  return (await documents.cached()).flatMap(({ usages }) =>
    Array.isArray(usages) ? usages.filter(isUsage) : [],
  );
}

/** Whether a stored value is a reported size: another version of the package may have written it. */
function isUsage(value: unknown): value is StoredUsage {
  const { usage, prompt, model }: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  if (typeof prompt !== 'string' || typeof model !== 'string' || !isObject(usage)) return false;
  const figures = Object.values(usage);
  const isOfFigures = figures.every((figure) => typeof figure === 'number' && figure >= 0);
  return isOfFigures && Number(usage['inputTokens']) > 0 && 'answerCharacters' in usage;
}

/**
 * Stores a reported size, unless one that differs by less than `leastChange` is stored: processes that have seen nothing
 * of the conversation know the size of its next prompt. A conversation that was erased meanwhile gets none.
 */
export async function keepUsage(
  state: StartState,
  messages: number,
  added: StoredUsage,
  leastChange: number,
): Promise<void> {
  const { documents } = state;
  const isAlike = ({ model, recordId, usage }: StoredUsage): boolean =>
    model === added.model &&
    recordId === added.recordId &&
    Math.abs(usage.inputTokens - added.usage.inputTokens) < leastChange;
  if ((await storedUsages(state)).some(isAlike)) return;
  const key = await documents.names.of(messages);
  const since = startEpochOf(state, key);
  await documents.change(
    key,
    (document) => {
      if (isErasedSince(document, since)) return document;
      return { ...document, usages: [...(document.usages ?? []), added].slice(-maxUsages) };
    },
    documents.lastRead(key),
  );
}
