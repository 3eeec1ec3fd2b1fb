import { removeArchive, renewArchives, writeArchive } from '../archive/stored-archive.ts';
import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/build-record.ts';
import { firstRestMs } from '../stores/sealed-store.ts';
import { clockMs, delay, withDeadline } from '../util/async/waiting.ts';
import { randomId } from '../util/digest.ts';
import { orAgain } from './conversation-documents.ts';
import {
  findMade,
  leastOf,
  sinceOf,
  type ConversationState,
  type Standpoint,
} from './conversation-state.ts';
import {
  claimed,
  emptyDocument,
  figuresOf,
  isErasedSince,
  isParentUndone,
  isWhole,
  livingClaims,
  putInPlace,
  released,
  saved,
  says,
  storedBounds,
  tidied,
  union,
  type ConversationDocument,
  type KeptRecord,
  type Standing,
  type WholeRecord,
  type Writing,
} from './document.ts';
import type { Course } from './flight.ts';
import { isOf } from './match-records.ts';
import type { StoredDocument } from './stored-document.ts';

/** That this process may write the next summary. */
export interface Claim {
  /** Who writes it, also where the store does not know. */
  readonly token: string;
  /** Milliseconds since the epoch at which it begins, behind all that is known to be undone. */
  readonly begunAt: number;
  /** Says that it is no more. Never rejects. */
  readonly end: () => Promise<void>;
}

/** Somebody who wants to write a summary. */
export interface Turn extends Pick<Course, 'hurry' | 'isWanted'> {
  /** Which other summary will do as well. */
  readonly joins: Joins;
  /** Milliseconds for which another process is waited for that writes it. */
  readonly patienceMs: number;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Milliseconds after which another's claim has ended that is not renewed, where the store answers in time: less than a
 * call waits by default, so that who asks behind a process that has ended makes the summary.
 */
const leastLeaseMs = 8000;
const timeoutsOfLease = 4;

/** Times that it is renewed while it lasts. */
const renewalsOfLease = 3;

/** Milliseconds between two looks for what another process writes: they double. */
const firstPauseMs = 50;
const longestPauseMs = 1000;

/** Polls in a row that may fail while another's claim is waited for. */
const mostFailedPolls = 2;

/** Milliseconds after which a claim is forgotten that nobody has ended. */
const claimMs = 24 * 60 * 60_000;

/**
 * Waits until this process may write the summary of the first `count` messages, and says so to all others, or until
 * there is one that continues what was found: as long as the one lives that writes it, and never longer than there is
 * patience. Who cannot read does not wait for another's, unless that was seen to live a moment ago.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is the claim
export async function takeTurn(
  state: ConversationState,
  count: number,
  { joins, patienceMs, hurry, isWanted, abortSignal }: Turn,
): Promise<Claim | StoredSummary> {
  const { documents } = state;
  const { copy, names, options } = documents;
  const { isLocal } = options.store;
  const endsAt = clockMs() + patienceMs;
  const token = randomId();
  const key = await names.of(count);
  // A store of other processes says so itself, when it answers.
  if (isLocal) for (const each of await names.all()) documents.begin(each);
  const digest = await state.identity.prefixDigest(count);
  const leaseMs = Math.max(leastLeaseMs, timeoutsOfLease * options.options.storeTimeoutMs);
  /** Claims of others, and since when they are seen. */
  const seen = new Map<string, number>();
  let isTaken = false;
  let begunAt = 0;
  let failedPolls = 0;
  const isAwaited = async (other: Writing): Promise<boolean> => {
    // Who writes it in this process would have been joined, unless it was given up.
    if (other.token === token || copy.claims.get(other.token) === true) return false;
    return joins === 'any'
      ? other.count > leastOf(state) && (await isOf(state.identity, other))
      : other.digest === digest;
  };
  const claim = (document: ConversationDocument): ConversationDocument => {
    const until = Date.now() + claimMs;
    const archiveId = options.archive && token;
    const writing = { token, count, digest, begunAt, until, archiveId };
    return isErasedSince(document, sinceOf(state, key)) ? document : claimed(document, writing);
  };
  const made = async () => findMade(state, digest, joins);
  const claimUnlessTaken = async (
    document: ConversationDocument,
  ): Promise<ConversationDocument> => {
    if (document !== emptyDocument) copy.hear(key, document);
    const others = livingClaims(document, seen, clockMs(), leaseMs);
    isTaken = (await Promise.all(others.map(isAwaited))).includes(true);
    return isTaken || (await made()) !== undefined ? document : claim(document);
  };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    begunAt = Math.max(Date.now(), (state.found?.begunAt ?? 0) + 1);
    for (const { undone } of await documents.known())
      for (const { at } of undone) begunAt = Math.max(begunAt, at + 1);
    if (!isLocal && (isTaken || documents.isAnswered())) {
      let first = seen.size === 0 ? documents.lastRead(key) : undefined;
      const isKnown = await orAgain(async () => {
        const read = await documents.change(key, claimUnlessTaken, first, documents.urgentStore);
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
      const end = isLocal ? async () => {} : beginTurn(state, key, token, claim, leaseMs);
      return { token, begunAt, end };
    }
    await withDeadline([hurry, abortSignal], restMs, (signal) => delay(restMs, signal)).catch(
      () => {},
    );
  }
}

/**
 * Says again and again that this process writes, also where the store has not confirmed that it was said; what it returns
 * says that it has ended. What the store does not have by then it is given once more when it has rested.
 */
function beginTurn(
  state: Standpoint,
  key: string,
  token: string,
  claim: (document: ConversationDocument) => ConversationDocument,
  leaseMs: number,
): Claim['end'] {
  const { documents } = state;
  const ending = new AbortController();
  const renew = async (): Promise<void> => {
    for (let ms = firstRestMs; ; ms = leaseMs / renewalsOfLease) {
      await delay(ms, ending.signal);
      await documents.change(key, (each) => (ending.signal.aborted ? each : claim(each)));
    }
  };
  documents.copy.claims.set(token, true);
  renew().catch(() => {});
  const settle = async (): Promise<boolean> =>
    (await bring(state, key)) &&
    (await documents.change(key, (document) => released(document, token))).known;
  return async () => {
    ending.abort();
    if (!(await settle())) {
      await delay(firstRestMs, undefined);
      await settle();
    }
    documents.copy.claims.delete(token);
  };
}

/** Times as long as a record that its archive is kept: longer than the records that lead to it. */
const retentionsOfArchive = 2;

/** Digests of covered messages that are kept to recognize a window by. */
const maxLastIds = 512;

/**
 * Keeps a summary, and stores it, with its originals first, unless another process has stored one of the same messages;
 * returns the one that was first: everybody sends the same bytes.
 *
 * @returns `undefined` where it is dropped because of an erasure or an undoing.
 */
export async function saveSummary(
  state: ConversationState,
  summary: StoredSummary,
  { token, begunAt }: Pick<Claim, 'token' | 'begunAt'>,
): Promise<StoredSummary | undefined> {
  const { documents, identity, found } = state;
  const { copy, names } = documents;
  const { archive, options } = documents.options;
  const { retentionMs, storeTimeoutMs } = options;
  const archiveMs = retentionsOfArchive * retentionMs;
  const { parentId, coveredMessages: count, prefixDigest } = summary.record;
  const parent = parentId !== undefined && found?.record.id === parentId ? found : undefined;
  const from = parent?.record.coveredMessages ?? 0;
  const start = Math.max(from, count - maxLastIds);
  const ids = names.hasId ? await identity.messageDigests(start, count) : [];
  const now = Date.now();
  // With an archive as long as that, which is named here alone.
  const until = now + (archive === undefined ? retentionMs : archiveMs);
  // All that it leads to are written anew before the first one has less than a retention left, a few times in all.
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
  const bringing = withDeadline(undefined, waitMs, () => bring(state, key, made, parentKey));
  const isStored = await bringing.catch(() => false);
  // The store may not have answered.
  copy.change(key, () => withMade(state, key, made, parentKey));
  if (parentKey !== key) {
    // Of what continues its records in another document, that holds the figures.
    const figures = { ...made, record: figuresOf(made), lastIds: undefined };
    copy.change(parentKey, () => withMade(state, parentKey, figures, key));
    // Nobody waits for a store again that has not answered.
    if (isStored) await bring(state, parentKey);
  }
  if (archive && isDue && parent?.archiveId !== undefined)
    void renewArchives(documents, parent.archiveId, archiveMs);
  const kept = copy.get(key).records.find(({ record }) => record.prefixDigest === prefixDigest);
  return kept?.token === token ? summary : kept && isWhole(kept) ? kept : undefined;
}

/** Lets a prepared summary be found from now on: by this process at once, by the others when it resolves. */
export async function placeSummary(
  state: ConversationState,
  { record: { coveredMessages, prefixDigest } }: StoredSummary,
  standing: Standing,
): Promise<void> {
  const { copy, names } = state.documents;
  const keys = [await names.of(coveredMessages), await names.of(0)];
  for (const key of keys)
    copy.change(key, (document) => putInPlace(document, prefixDigest, standing));
  for (const key of new Set(keys)) await bring(state, key);
}

/**
 * Writes what this process knows and the store does not have, each with its originals first, but never what was erased,
 * undone or has expired.
 *
 * @param made - What this process is to know when the store has it, unless that has one of the same messages.
 * @param parentKey - Key of the document that holds what that continues.
 * @returns whether the store says so.
 */
export async function bring(
  at: Standpoint,
  key: string,
  made?: WholeRecord,
  parentKey: string = key,
): Promise<boolean> {
  const { documents } = at;
  const { copy } = documents;
  const isRead = documents.lastRead(key) !== undefined && parentKey === key;
  if (!isRead && !(await documents.read())) return false;
  const merged = (stored: ConversationDocument): ConversationDocument => {
    const known = made === undefined ? copy.get(key) : withMade(at, key, made, parentKey);
    const both = tidied(union(stored, known), Date.now(), storedBounds);
    return says(stored, both) ? stored : both;
  };
  const { document: stored = emptyDocument } = documents.lastRead(key) ?? {};
  const whole = merged(stored);
  const held = new Set(stored.records.map(({ record }) => record.prefixDigest));
  const brought = whole.records
    .filter(isWhole)
    .filter(({ record }) => !held.has(record.prefixDigest));
  for (const kept of brought) if (!(await keepOriginals(at, key, kept, merged))) return false;
  const written = made === undefined || brought.includes(made) ? brought : [...brought, made];
  const bringing = (document: ConversationDocument): ConversationDocument => {
    let both = merged(document);
    for (const { token } of brought) if (!hasToken(both, token)) both = released(both, token);
    return both;
  };
  if (!(await documents.change(key, bringing, documents.lastRead(key))).known) return false;
  // Erased, undone or written by another one meanwhile. What has merely no room keeps its archive, to which others lead.
  for (const kept of written) {
    const { token, archiveId } = kept;
    const left = withMade(at, key, kept, kept === made ? parentKey : key);
    if (archiveId !== undefined && !hasToken(left, token))
      await removeArchive(documents, archiveId);
  }
  return true;
}

/**
 * What this process knows with what it has made, unless that, or what it continues, was erased or undone since it was
 * begun.
 *
 * @param beside - Key of another document that may tell of that.
 */
function withMade(
  at: Standpoint,
  key: string,
  made: KeptRecord,
  beside: string,
): ConversationDocument {
  const { copy } = at.documents;
  const isRefused = [key, beside].some((of) => {
    const document = copy.get(of);
    return isParentUndone(made, document.undone) || isErasedSince(document, sinceOf(at, of));
  });
  const document = copy.get(key);
  return isRefused ? document : saved(document, made);
}

/**
 * Writes what a record newly stands for, which comes before the record itself, once the document names its archive:
 * nobody would find what a process leaves that ends in between.
 *
 * @returns whether the record can follow: not where the store did not confirm what has to be there before.
 */
async function keepOriginals(
  at: Standpoint,
  key: string,
  { record, from, token, archiveId, parentDigest, begunAt }: WholeRecord,
  merged: (stored: ConversationDocument) => ConversationDocument,
): Promise<boolean> {
  const { coveredMessages: count, prefixDigest: digest } = record;
  const { documents, identity } = at;
  const { archive, conversation } = documents.options;
  if (archive === undefined || archiveId === undefined) return true;
  const start = identity.indexAfter(from);
  const isSent = from >= identity.significantBefore(0) && (await isOf(identity, { count, digest }));
  if (start === undefined || !isSent) return true;
  const isNamed = ({ document }: Partial<StoredDocument> = {}): boolean =>
    document?.writing.some((each) => each.archiveId === archiveId) === true;
  // A claim has named it, where the store knows of one.
  if (!isNamed(documents.lastRead(key))) {
    const writing = { token, count, digest, begunAt, until: Date.now() + claimMs, archiveId };
    const naming = (document: ConversationDocument): ConversationDocument =>
      hasToken(merged(document), token) ? claimed(document, writing) : document;
    const read = await documents.change(key, naming, documents.lastRead(key));
    if (!isNamed(read)) return read.known;
  }
  const messages = conversation.slice(start, identity.indexAfter(count));
  const policy = { ...archive, ttlMs: retentionsOfArchive * documents.retentionMs };
  const parent = (await documents.records()).find(
    (each) => each.record.prefixDigest === parentDigest,
  );
  const archived = { record, parent: parent?.archiveId, from };
  // A store that refuses it is asked for less at once.
  const place = { names: documents.names, store: documents.urgentStore };
  if (await writeArchive(place, archiveId, archived, messages, policy)) return true;
  await removeArchive(documents, archiveId);
  return false;
}

function hasToken({ records }: ConversationDocument, token: string): boolean {
  return records.some((kept) => kept.token === token);
}
