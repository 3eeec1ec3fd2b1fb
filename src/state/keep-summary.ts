import { renewArchives } from '../archive/stored-archive.ts';
import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/build-record.ts';
import { firstRestMs } from '../stores/sealed-store.ts';
import { clockMs, delay, withDeadline } from '../util/async/waiting.ts';
import { randomId } from '../util/digest.ts';
import { orAgain } from './conversation-documents.ts';
import { archiveMs, claimMs, type ConversationState } from './conversation-state.ts';
import {
  claimed,
  emptyDocument,
  figuresOf,
  isErasedSince,
  isWhole,
  livingClaims,
  putInPlace,
  released,
  type ConversationDocument,
  type Standing,
  type WholeRecord,
  type Writing,
} from './document.ts';
import type { Course } from './flight.ts';

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
  const { options, begunIn, copy, lastRead } = state;
  const { isLocal } = options.store;
  const endsAt = clockMs() + patienceMs;
  const token = randomId();
  const key = await state.names.of(count);
  // A store of other processes says so itself, when it answers.
  if (isLocal) for (const each of await state.names.all()) begunIn.set(each, state.epochOf(each));
  const digest = await state.identity.prefixDigest(count);
  const leaseMs = Math.max(leastLeaseMs, timeoutsOfLease * options.times.storeTimeoutMs);
  /** Claims of others, and since when they are seen. */
  const seen = new Map<string, number>();
  let isTaken = false;
  let begunAt = 0;
  let failedPolls = 0;
  const isAwaited = async (other: Writing): Promise<boolean> => {
    // Who writes it in this process would have been joined, unless it was given up.
    if (other.token === token || copy.claims.get(other.token) === true) return false;
    return joins === 'any'
      ? other.count > state.least() && (await state.isOurs(other))
      : other.digest === digest;
  };
  const claim = (document: ConversationDocument): ConversationDocument => {
    const until = Date.now() + claimMs;
    const archiveId = options.archive && token;
    const writing = { token, count, digest, begunAt, until, archiveId };
    return isErasedSince(document, begunIn.get(key)) ? document : claimed(document, writing);
  };
  const claimUnlessTaken = async (
    document: ConversationDocument,
  ): Promise<ConversationDocument> => {
    if (document !== emptyDocument) copy.hear(key, document);
    const others = livingClaims(document, seen, clockMs(), leaseMs);
    isTaken = (await Promise.all(others.map(isAwaited))).includes(true);
    return isTaken || (await state.made(count, joins)) !== undefined ? document : claim(document);
  };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    begunAt = Math.max(Date.now(), (state.found?.begunAt ?? 0) + 1);
    for (const { undone } of await state.known())
      for (const { at } of undone) begunAt = Math.max(begunAt, at + 1);
    if (!isLocal && (isTaken || state.isAnswered())) {
      let first = seen.size === 0 ? lastRead.get(key) : undefined;
      const isKnown = await orAgain(async () => {
        const read = await state.change(key, claimUnlessTaken, first, state.urgentStore);
        first = undefined;
        return read.known;
      });
      failedPolls = isKnown ? 0 : failedPolls + 1;
      if (failedPolls > mostFailedPolls) isTaken = false;
    }
    const made = await state.made(count, joins);
    const isOver = hurry.aborted || abortSignal?.aborted === true || !isWanted();
    const restMs = Math.min(pauseMs, endsAt - clockMs());
    if (made !== undefined) return made;
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
  state: ConversationState,
  key: string,
  token: string,
  claim: (document: ConversationDocument) => ConversationDocument,
  leaseMs: number,
): Claim['end'] {
  const ending = new AbortController();
  const renew = async (): Promise<void> => {
    for (let ms = firstRestMs; ; ms = leaseMs / renewalsOfLease) {
      await delay(ms, ending.signal);
      await state.change(key, (document) => (ending.signal.aborted ? document : claim(document)));
    }
  };
  state.copy.claims.set(token, true);
  renew().catch(() => {});
  const settle = async (): Promise<boolean> =>
    (await state.bring(key)) &&
    (await state.change(key, (document) => released(document, token))).known;
  return async () => {
    ending.abort();
    if (!(await settle())) {
      await delay(firstRestMs, undefined);
      await settle();
    }
    state.copy.claims.delete(token);
  };
}

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
  const { options, identity, copy, names, found } = state;
  const { archive, times } = options;
  const { parentId, coveredMessages: count, prefixDigest } = summary.record;
  const parent = parentId !== undefined && found?.record.id === parentId ? found : undefined;
  const from = parent?.record.coveredMessages ?? 0;
  const start = Math.max(from, count - maxLastIds);
  const ids = names.hasId ? await identity.messageDigests(start, count) : [];
  const now = Date.now();
  // With an archive as long as that, which is named here alone.
  const until = now + (archive === undefined ? times.retentionMs : archiveMs(times));
  // All that it leads to are written anew before the first one has less than a retention left, a few times in all.
  const { archivesUntil: ofParent = until } = parent ?? {};
  const isDue = ofParent < now + times.retentionMs;
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
  const key = await state.names.of(count);
  const parentKey = parent === undefined ? key : await state.names.of(from);
  const waitMs = state.isAnswered() ? times.storeTimeoutMs : 0;
  const bringing = withDeadline(undefined, waitMs, () => state.bring(key, made, parentKey));
  const isStored = await bringing.catch(() => false);
  // The store may not have answered.
  copy.change(key, () => state.withMade(key, made, parentKey));
  if (parentKey !== key) {
    // Of what continues its records in another document, that holds the figures.
    const figures = { ...made, record: figuresOf(made), lastIds: undefined };
    copy.change(parentKey, () => state.withMade(parentKey, figures, key));
    // Nobody waits for a store again that has not answered.
    if (isStored) await state.bring(parentKey);
  }
  if (archive && isDue && parent?.archiveId !== undefined)
    void renewArchives(state, parent.archiveId, archiveMs(times));
  const kept = copy.get(key).records.find(({ record }) => record.prefixDigest === prefixDigest);
  return kept?.token === token ? summary : kept && isWhole(kept) ? kept : undefined;
}

/** Lets a prepared summary be found from now on: by this process at once, by the others when it resolves. */
export async function placeSummary(
  state: ConversationState,
  { record: { coveredMessages, prefixDigest } }: StoredSummary,
  standing: Standing,
): Promise<void> {
  const keys = [await state.names.of(coveredMessages), await state.names.of(0)];
  for (const key of keys)
    state.copy.change(key, (document) => putInPlace(document, prefixDigest, standing));
  for (const key of new Set(keys)) await state.bring(key);
}
