import {
  readManifest,
  removeArchive,
  renewArchive,
  writeArchive,
  type ArchivePlace,
} from '../archive/stored-archive.ts';
import { randomId } from '../util/digest.ts';
import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import { ConversationState, type ConversationStateOptions } from './conversation-state.ts';
import {
  claimed,
  emptyDocument,
  isErasedSince,
  isInUse,
  isRefused,
  isWhole,
  livingClaims,
  putInPlace,
  released,
  saved,
  says,
  storedBounds,
  superseded,
  tidied,
  union,
  type ConversationDocument,
  type SaveTerms,
  type Standing,
  type Undone,
  type WholeRecord,
  type Writing,
} from './document.ts';
import { readDocument, type StoredDocument } from './stored-document.ts';

/** Opens the state of a conversation for one request. */
export function openConversation(options: ConversationStateOptions): ConversationState {
  return new ConversationState(options, writeBack);
}

/** Writes again what the store has lost: its originals first, but never what was erased, undone or has expired. */
async function writeBack(
  state: ConversationState,
  key: string,
  stored: ConversationDocument,
): Promise<void> {
  const { copy, archive } = state.options;
  const whole = (document: ConversationDocument): ConversationDocument => {
    const merged = tidied(union(document, copy.get(key)), Date.now(), storedBounds);
    return says(document, merged) ? document : merged;
  };
  if (copy.get(key) === emptyDocument || whole(stored) === stored) return;
  const held = new Set(stored.records.map(({ record }) => record.prefixDigest));
  const lost = copy.get(key).records.filter(({ record }) => !held.has(record.prefixDigest));
  for (const kept of archive === undefined ? [] : lost.filter(isWhole)) {
    const { archiveId, token } = kept;
    if (archiveId !== undefined && (await readManifest(archiveAt(state, archiveId)))) continue;
    const again = { ...kept, archiveId: randomId() };
    if ((await keepOriginals(state, key, again, undefined)) !== 'kept') continue;
    const { records, ...rest } = copy.get(key);
    const named = records.map((each) =>
      each.token === token ? { ...each, archiveId: again.archiveId } : each,
    );
    copy.set(key, { ...rest, records: named });
  }
  await state.change(key, whole, state.lastRead.get(key));
}

/** Somebody who wants to write a summary. */
export interface Turn {
  readonly token: string;
  /** Which other summary will do as well. */
  readonly joins: Joins;
  /** Claims of others, and since when: the same for each time that it is asked. */
  readonly seen: Map<string, number>;
}

/** That this process may write the next summary. */
export interface Claim {
  /** Whether another process writes it. */
  readonly isTaken: boolean;
  /** Who writes it, also where the store does not know. */
  readonly token: string;
  /** What had been undone before it was begun. */
  readonly undone: readonly Undone[];
  /** Says that it is no more. Never rejects. */
  readonly end: () => Promise<void>;
}

/**
 * Milliseconds after which another's claim has ended that is not renewed, where the store answers in time: less than a
 * call waits by default, so that who asks behind a process that has ended makes the summary.
 */
const leastLeaseMs = 8000;
const timeoutsOfLease = 4;

/** Times that it is renewed while it lasts. */
const renewalsOfLease = 3;

/** Milliseconds after which a claim is forgotten that nobody has ended. */
const claimMs = 24 * 60 * 60_000;

/**
 * Says to all processes that this one writes the summary of the first `count` messages, unless there is one that
 * continues what was found, or another process writes it.
 */
export async function claimSummary(
  state: ConversationState,
  count: number,
  { token, joins, seen }: Turn,
): Promise<Claim | StoredSummary> {
  const { options, begunIn, lastRead } = state;
  const undone = (await state.keys()).flatMap((key) => options.copy.get(key).undone);
  let isTaken = false;
  let end: Claim['end'] | undefined;
  if (!options.store.isLocal && state.isAnswered()) {
    const key = await state.documentKey(count);
    const digest = await state.identity.prefixDigest(count);
    const leaseMs = Math.max(leastLeaseMs, timeoutsOfLease * state.store.timeoutMs);
    const isAwaited = async (other: Writing): Promise<boolean> =>
      joins === 'any'
        ? other.count > state.least() && (await state.isOurs(other))
        : other.digest === digest;
    const claiming = async (document: ConversationDocument): Promise<ConversationDocument> => {
      const others = livingClaims(document, seen, clockMs(), leaseMs);
      isTaken = (await Promise.all(others.map(isAwaited))).includes(true);
      if (isTaken || isErasedSince(document, begunIn.get(key))) return document;
      const until = Date.now() + claimMs;
      return claimed(document, {
        token,
        count,
        digest,
        until,
        archiveId: options.archive && token,
      });
    };
    const read = await state.change(key, claiming, seen.size === 0 ? lastRead.get(key) : undefined);
    const isOurs = read.document?.writing.some((each) => each.token === token);
    if (isOurs === true) end = renewed(state, key, token, leaseMs / renewalsOfLease);
  }
  const made = await state.made(count, joins);
  if (made !== undefined) void end?.();
  return made ?? { isTaken, token, undone, end: async () => end?.() };
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
 * Keeps a summary, and stores it unless another process has stored one of the same messages; returns the one that was
 * first: everybody sends the same bytes.
 *
 * @returns `undefined` where it is dropped because of an erasure or an undoing.
 */
export async function saveSummary(
  state: ConversationState,
  summary: StoredSummary,
  { token, undone }: Claim,
): Promise<StoredSummary | undefined> {
  const { copy, times } = state.options;
  const { parentId, coveredMessages, prefixDigest } = summary.record;
  const parent =
    parentId === undefined || state.found?.record.id !== parentId ? undefined : state.found;
  const key = await state.documentKey(coveredMessages);
  const mine = await completed(state, summary, token, parent);
  const termsOf = (of: string): SaveTerms => ({
    since: state.begunIn.get(of),
    wasUndone: ({ digest, at }) => undone.some((each) => each.digest === digest && each.at === at),
    textsMs: times.supersededTtlMs,
    now: Date.now(),
  });
  const storing = async () => {
    const outcome = await keepInStore(state, key, { made: mine, parent, termsOf });
    if (outcome !== undefined && outcome.kept === undefined) {
      const { records, ...rest } = copy.get(key);
      copy.set(key, { ...rest, records: records.filter((kept) => kept.token !== token) });
    }
    return outcome;
  };
  const waitMs = state.isAnswered() ? times.storeTimeoutMs : 0;
  const outcome = await withDeadline(undefined, waitMs, storing).catch(() => undefined);
  if (outcome !== undefined && outcome.kept === undefined) return undefined;
  // The store may have told of another one meanwhile.
  const locally = saved(copy.get(key), outcome?.kept ?? mine, termsOf(key));
  copy.set(key, locally.document);
  const kept = locally.kept ?? outcome?.kept ?? mine;
  if (parent !== undefined) {
    const superseding = isInUse(mine) ? supersede(state, key, prefixDigest) : undefined;
    // Nobody waits for a store again that has not answered.
    if (outcome !== undefined) await superseding;
    if (isDue(state, parent)) void renewOriginals(state, parent);
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
  const until = now + archiveMs(state);
  const ofParent = parent === undefined || isDue(state, parent) ? until : parent.archivesUntil;
  return { ...kept, until, archiveId: token, archivesUntil: Math.min(until, ofParent ?? until) };
}

/**
 * Keeps a summary in the store, with its originals first.
 *
 * @returns What is kept of its messages, if it is not refused; `undefined` where the store does not say.
 */
async function keepInStore(
  state: ConversationState,
  key: string,
  {
    made,
    parent,
    termsOf,
  }: {
    readonly made: WholeRecord;
    readonly parent: WholeRecord | undefined;
    readonly termsOf: (key: string) => SaveTerms;
  },
): Promise<{ readonly kept: WholeRecord | undefined } | undefined> {
  const originals = await keepOriginals(state, key, made, parent?.archiveId);
  if (originals === 'failed') return undefined;
  if (originals === 'erased') return { kept: undefined };
  const mine = originals === 'none' ? { ...made, archiveId: undefined } : made;
  // Another document may tell of what it continues.
  const parentKey = parent && (await state.documentKey(parent.record.coveredMessages));
  const isBeside = parentKey !== undefined && parentKey !== key;
  const beside = isBeside ? await readDocument(state.store, parentKey) : undefined;
  const { document: told = emptyDocument } = beside ?? {};
  const isTold = isBeside && isRefused(told, { parent: made.parentDigest }, termsOf(parentKey));
  let kept: WholeRecord | undefined;
  const keeping = (stored: ConversationDocument): ConversationDocument => {
    const result = saved(union(stored, state.options.copy.get(key)), mine, termsOf(key));
    kept = result.kept;
    return kept === undefined ? stored : result.document;
  };
  let isKnown = beside?.known !== false;
  if (isKnown && !isTold) {
    isKnown = (await state.change(key, keeping, state.lastRead.get(key))).known;
    if (!isKnown) return undefined;
  }
  if (kept?.token !== made.token) await removeOriginals(state, mine);
  return isKnown ? { kept } : undefined;
}

/** Lets a prepared summary be found from now on: by this process at once, by the others when it resolves. */
export async function placeSummary(
  state: ConversationState,
  { record: { coveredMessages, prefixDigest } }: StoredSummary,
  standing: Standing,
): Promise<void> {
  const key = await state.documentKey(coveredMessages);
  const textsUntil = Date.now() + state.options.times.supersededTtlMs;
  await changeBoth(state, key, (document) =>
    putInPlace(document, prefixDigest, standing, textsUntil),
  );
  await supersede(state, key, prefixDigest);
}

/** Says of what was found that another summary took its place, where that stands in another document. */
async function supersede(state: ConversationState, key: string, child: string): Promise<void> {
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
  const { copy } = state.options;
  copy.set(key, apply(copy.get(key)));
  await state.change(key, apply);
}

const archiveAt = ({ store, names }: ConversationState, archiveId: string): ArchivePlace => ({
  stores: [store],
  names,
  archiveId,
});

/** Milliseconds that an archive is kept after it was written: longer than the records that lead to it. */
const archiveMs = ({ options }: ConversationState): number => 2 * options.times.retentionMs;

/** Whether an archive that a record leads to has less than a retention left: all are written anew then, a few times in all. */
function isDue({ options }: ConversationState, { archivesUntil = Infinity }: WholeRecord): boolean {
  return options.archive !== undefined && archivesUntil < Date.now() + options.times.retentionMs;
}

/**
 * Writes what a record newly stands for, which comes before the record itself, once the document names its archive:
 * nobody would find what a process leaves that ends in between.
 *
 * @param parent - Id of the archive of what the record continues.
 * @returns `none` where no originals are kept or not all of them are sent; `erased` where the archive cannot be named for
 * that reason; `failed` where the store did not confirm all of it.
 */
async function keepOriginals(
  state: ConversationState,
  key: string,
  { record, from, token, archiveId = '' }: WholeRecord,
  parent: string | undefined,
): Promise<'kept' | 'none' | 'erased' | 'failed'> {
  const { coveredMessages: count, prefixDigest: digest } = record;
  const { identity, options } = state;
  const start = identity.indexAfter(from);
  const isSent = from >= identity.significantBefore(0) && (await state.isOurs({ count, digest }));
  if (options.archive === undefined || start === undefined || !isSent) return 'none';
  const isNamed = ({ document }: StoredDocument): boolean =>
    document?.writing.some((each) => each.archiveId === archiveId) === true;
  // A claim has named it, where the store knows of one.
  let read = state.lastRead.get(key);
  if (read === undefined || !isNamed(read)) {
    const writing = { token, count, digest, until: Date.now() + claimMs, archiveId };
    const naming = (document: ConversationDocument): ConversationDocument =>
      isErasedSince(document, state.begunIn.get(key)) ? document : claimed(document, writing);
    read = await state.change(key, naming, read);
    if (!isNamed(read)) return read.known ? 'erased' : 'failed';
  }
  const messages = options.conversation.slice(start, identity.indexAfter(count));
  const { packArchive } = await import('../archive/pack-archive.ts');
  const packed = { record, parent, from, parts: await packArchive(messages, options.archive) };
  const place = archiveAt(state, archiveId);
  if (await writeArchive(place, packed, archiveMs(state))) return 'kept';
  await removeArchive(place);
  return 'failed';
}

/** Removes the originals of a record that is not kept. */
async function removeOriginals(
  state: ConversationState,
  { archiveId }: WholeRecord,
): Promise<void> {
  if (archiveId !== undefined) await removeArchive(archiveAt(state, archiveId));
}

/** Keeps all originals that a record leads to for longer. */
async function renewOriginals(state: ConversationState, { archiveId }: WholeRecord): Promise<void> {
  const seen = new Set<string>();
  for (let id = archiveId; id !== undefined && !seen.has(id);) {
    seen.add(id);
    id = await renewArchive(archiveAt(state, id), archiveMs(state));
  }
}
