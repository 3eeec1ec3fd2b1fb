import { removeArchive, renewArchives } from '../archive/stored-archive.ts';
import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { delay, withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import { randomId } from '../util/digest.ts';
import { archiveMs, claimMs } from './conversation-documents.ts';
import type { ConversationState } from './conversation-state.ts';
import {
  claimed,
  emptyDocument,
  isErasedSince,
  isInUse,
  isRefused,
  livingClaims,
  putInPlace,
  released,
  saved,
  superseded,
  union,
  type ConversationDocument,
  type SaveTerms,
  type Standing,
  type Undone,
  type WholeRecord,
  type Writing,
} from './document.ts';
import type { Course } from './flight.ts';

/** That this process may write the next summary. */
export interface Claim {
  /** Who writes it, also where the store does not know. */
  readonly token: string;
  /** What had been undone before it was begun. */
  readonly undone: readonly Undone[];
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

/**
 * Waits until this process may write the summary of the first `count` messages, and says so to all others, or until
 * there is one that continues what was found: as long as the one lives that writes it, and never longer than there is
 * patience. Who cannot read does not wait for another's.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is the claim
export async function takeTurn(
  state: ConversationState,
  count: number,
  { joins, patienceMs, hurry, isWanted, abortSignal }: Turn,
): Promise<Claim | StoredSummary> {
  const { options, begunIn, lastRead } = state;
  const endsAt = clockMs() + patienceMs;
  const token = randomId();
  const key = await state.documentKey(count);
  const digest = await state.identity.prefixDigest(count);
  const leaseMs = Math.max(leastLeaseMs, timeoutsOfLease * options.times.storeTimeoutMs);
  /** Claims of others, and since when they are seen. */
  const seen = new Map<string, number>();
  let isTaken = false;
  const isAwaited = async (other: Writing): Promise<boolean> =>
    joins === 'any'
      ? other.count > state.least() && (await state.isOurs(other))
      : other.digest === digest;
  const claiming = async (document: ConversationDocument): Promise<ConversationDocument> => {
    const others = livingClaims(document, seen, clockMs(), leaseMs);
    isTaken = (await Promise.all(others.map(isAwaited))).includes(true);
    if (isTaken || isErasedSince(document, begunIn.get(key))) return document;
    const until = Date.now() + claimMs;
    return claimed(document, { token, count, digest, until, archiveId: options.archive && token });
  };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const undone = (await state.keys()).flatMap((each) => options.copy.get(each).undone);
    let end: Claim['end'] | undefined;
    isTaken = false;
    if (!options.store.isLocal && state.isAnswered()) {
      const first = seen.size === 0 ? lastRead.get(key) : undefined;
      const { document } = await state.change(key, claiming, first);
      const isOurs = document?.writing.some((each) => each.token === token) === true;
      if (isOurs) end = renewed(state, key, token, leaseMs / renewalsOfLease);
    }
    const made = await state.made(count, joins);
    if (made !== undefined) void end?.();
    const isOver = hurry.aborted || abortSignal?.aborted === true || !isWanted();
    const restMs = Math.min(pauseMs, endsAt - clockMs());
    if (made !== undefined || !isTaken || isOver || !state.isAnswered() || restMs <= 0)
      return made ?? { token, undone, end: async () => end?.() };
    await withDeadline([hurry, abortSignal], restMs, (signal) => delay(restMs, signal)).catch(
      () => {},
    );
  }
}

/** Says again and again that this process still writes; what it returns says that it has ended. */
function renewed(state: ConversationState, key: string, token: string, everyMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const later = (): void => {
    timer = setTimeout(() => void renew(), everyMs);
  };
  const renew = async (): Promise<void> => {
    const until = Date.now() + claimMs;
    await state.change(key, (document) => ({
      ...document,
      writing: document.writing.map((each) => (each.token === token ? { ...each, until } : each)),
    }));
    if (!isOver) later();
  };
  later();
  return async (): Promise<void> => {
    isOver = true;
    clearTimeout(timer);
    await state.change(key, (document) => released(document, token));
  };
}

/**
 * Keeps a summary, and stores it, with its originals first, unless another process has stored one of the same messages;
 * returns the one that was first: everybody sends the same bytes.
 *
 * @returns `undefined` where it is dropped because of an erasure or an undoing.
 */
// oxlint-disable-next-line max-lines-per-function -- the steps of one change, in their order
export async function saveSummary(
  state: ConversationState,
  summary: StoredSummary,
  { token, undone }: Pick<Claim, 'token' | 'undone'>,
): Promise<StoredSummary | undefined> {
  const { copy, times } = state.options;
  const { parentId, coveredMessages } = summary.record;
  const isParent = parentId !== undefined && state.found?.record.id === parentId;
  const parent = isParent ? state.found : undefined;
  const parentKey = await state.documentKey(parent?.record.coveredMessages ?? coveredMessages);
  const key = await state.documentKey(coveredMessages);
  const mine = await completed(state, summary, token, parent);
  const termsOf = (of: string): SaveTerms => ({
    since: state.begunIn.get(of),
    wasUndone: ({ digest, at }) => undone.some((each) => each.digest === digest && each.at === at),
    textsMs: times.supersededTtlMs,
    now: Date.now(),
  });
  /** Whether another document, which tells of what it continues, refuses it; `undefined` where the store does not say. */
  const isRefusedBeside = async (): Promise<boolean | undefined> => {
    if (parentKey === key) return false;
    const { known, document = emptyDocument } = await state.read(parentKey);
    const refused = isRefused(document, { parent: mine.parentDigest }, termsOf(parentKey));
    return known ? refused : undefined;
  };
  /** What is kept of its messages: nothing where it is refused; `undefined` where the store does not say. */
  const store = async (): Promise<{ readonly kept?: WholeRecord | undefined } | undefined> => {
    const originals = await state.keepOriginals(key, mine, parent?.archiveId);
    if (originals === 'failed') return undefined;
    if (originals === 'erased') return {};
    const made = originals === 'none' ? { ...mine, archiveId: undefined } : mine;
    let kept: WholeRecord | undefined;
    const keeping = (stored: ConversationDocument): ConversationDocument => {
      const result = saved(union(stored, copy.get(key)), made, termsOf(key));
      kept = result.kept;
      return kept === undefined ? stored : result.document;
    };
    const refused = await isRefusedBeside();
    if (refused === false) {
      const { known } = await state.change(key, keeping, state.lastRead.get(key));
      if (!known) return undefined;
    }
    if (kept?.token !== token && made.archiveId !== undefined)
      await removeArchive(state, made.archiveId);
    return refused === undefined ? undefined : { kept };
  };
  const storing = async () => {
    const outcome = await store();
    if (outcome !== undefined && outcome.kept === undefined)
      copy.change(key, ({ records, ...rest }) => ({
        ...rest,
        records: records.filter((kept) => kept.token !== token),
      }));
    return outcome;
  };
  const waitMs = state.isAnswered() ? times.storeTimeoutMs : 0;
  const outcome = await withDeadline(undefined, waitMs, storing).catch(() => undefined);
  if (outcome !== undefined && outcome.kept === undefined) return undefined;
  let kept = outcome?.kept ?? mine;
  // The store may have told of another one meanwhile.
  copy.change(key, (document) => {
    const locally = saved(document, kept, termsOf(key));
    kept = locally.kept ?? kept;
    return locally.document;
  });
  if (parent !== undefined) {
    const superseding = isInUse(mine) ? supersede(state, key, mine) : undefined;
    // Nobody waits for a store again that has not answered.
    if (outcome !== undefined) await superseding;
    if (parent.archiveId !== undefined && isDue(state, parent))
      void renewArchives(state, parent.archiveId, archiveMs(times));
  }
  return kept.token === token ? summary : kept;
}

/** Digests of covered messages that are kept to recognise a window by. */
const maxLastIds = 512;

/** A summary with what leads to what it continues, and what a window of its conversation is recognised by. */
async function completed(
  state: ConversationState,
  summary: StoredSummary,
  token: string,
  parent: WholeRecord | undefined,
): Promise<WholeRecord> {
  const { identity, names, options } = state;
  const { coveredMessages: count } = summary.record;
  const from = parent?.record.coveredMessages ?? 0;
  const start = Math.max(from, count - maxLastIds);
  const ids = names.hasId ? await identity.messageDigests(start, count) : [];
  const now = Date.now();
  const kept = {
    ...summary,
    lastIds: names.hasId ? [...(parent?.lastIds ?? []), ...ids].slice(-maxLastIds) : undefined,
    from,
    parentDigest: parent?.record.prefixDigest,
    token,
    keptAt: now,
    textsUntil: now + options.times.retentionMs,
    until: now + options.times.retentionMs,
  };
  if (options.archive === undefined) return kept;
  // As long as its archive, which is named here alone.
  const until = now + archiveMs(options.times);
  const ofParent = parent === undefined || isDue(state, parent) ? until : parent.archivesUntil;
  return { ...kept, until, archiveId: token, archivesUntil: Math.min(until, ofParent ?? until) };
}

/** Whether an archive that a record leads to has less than a retention left: all are written anew then, a few times in all. */
function isDue({ options }: ConversationState, { archivesUntil = Infinity }: WholeRecord): boolean {
  return options.archive !== undefined && archivesUntil < Date.now() + options.times.retentionMs;
}

/** Lets a prepared summary be found from now on: by this process at once, by the others when it resolves. */
export async function placeSummary(
  state: ConversationState,
  summary: StoredSummary,
  standing: Standing,
): Promise<void> {
  const { coveredMessages, prefixDigest } = summary.record;
  const key = await state.documentKey(coveredMessages);
  const textsUntil = Date.now() + state.options.times.supersededTtlMs;
  await changeBoth(state, key, (document) =>
    putInPlace(document, prefixDigest, standing, textsUntil),
  );
  await supersede(state, key, summary);
}

/** Says of what was found that another summary took its place, where that stands in another document. */
async function supersede(
  state: ConversationState,
  key: string,
  { record: { prefixDigest: child } }: StoredSummary,
): Promise<void> {
  const { found, options } = state;
  const foundIn = await state.documentKey(state.least());
  if (found === undefined || foundIn === key) return;
  const textsUntil = Date.now() + options.times.supersededTtlMs;
  await changeBoth(state, foundIn, (document) =>
    superseded(document, found.record.prefixDigest, child, textsUntil),
  );
}

/** Changes what this process knows, then what the others do. */
async function changeBoth(
  state: ConversationState,
  key: string,
  apply: (document: ConversationDocument) => ConversationDocument,
): Promise<void> {
  state.options.copy.change(key, apply);
  await state.change(key, apply);
}
