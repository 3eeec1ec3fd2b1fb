import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
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
import {
  archiveMs,
  claimMs,
  isDue,
  keepOriginals,
  removeOriginals,
  renewOriginals,
} from './keep-originals.ts';
import { readDocument } from './stored-document.ts';

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

/** Milliseconds after which another's claim has ended that is not renewed, where the store answers in time. */
const leastLeaseMs = 10_000;
const timeoutsOfLease = 5;

/** Times that it is renewed while it lasts. */
const renewalsOfLease = 3;

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
  let end: Claim['end'] = notKnown;
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
  if (made !== undefined) void end();
  return made ?? { isTaken, token, undone, end };
}

/** What the store does not know of need not be ended. */
async function notKnown(): Promise<void> {}

/** Says again and again that this process still writes; what it returns says that it has ended. */
function renewed(
  state: ConversationState,
  key: string,
  token: string,
  everyMs: number,
): () => Promise<void> {
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
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await state.change(key, (document) => released(document, token));
  };
}

/** What came of storing a summary: what is kept of its messages, if it is not refused. */
interface Outcome {
  readonly kept: WholeRecord | undefined;
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
  claim: Claim,
): Promise<StoredSummary | undefined> {
  const { found, options } = state;
  const { parentId, coveredMessages, prefixDigest } = summary.record;
  const parent = parentId !== undefined && found?.record.id === parentId ? found : undefined;
  const key = await state.documentKey(coveredMessages);
  const mine = await completed(state, summary, claim.token, parent);
  const termsOf = (of: string): SaveTerms => ({
    since: state.begunIn.get(of),
    wasUndone: ({ digest, at }) =>
      claim.undone.some((each) => each.digest === digest && each.at === at),
    textsMs: options.times.supersededTtlMs,
    now: Date.now(),
  });
  const storing = async (): Promise<Outcome | undefined> => {
    const outcome = await keepInStore(state, key, { made: mine, parent, termsOf });
    if (outcome?.kept === undefined && outcome !== undefined) {
      const { records, ...rest } = options.copy.get(key);
      const others = records.filter(({ token }) => token !== claim.token);
      options.copy.set(key, { ...rest, records: others });
    }
    return outcome;
  };
  const waitMs = state.isAnswered() ? options.times.storeTimeoutMs : 0;
  const outcome = await withDeadline(undefined, waitMs, storing).catch(() => undefined);
  if (outcome !== undefined && outcome.kept === undefined) return undefined;
  const locally = saved(options.copy.get(key), outcome?.kept ?? mine, termsOf(key));
  options.copy.set(key, locally.document);
  // The store may have told of another one meanwhile.
  const kept = locally.kept ?? outcome?.kept ?? mine;
  if (parent !== undefined) {
    const superseding = isInUse(mine) ? supersede(state, key, prefixDigest) : undefined;
    // Nobody waits for a store again that has not answered.
    if (outcome !== undefined) await superseding;
    if (isDue(state, parent)) void renewOriginals(state, parent);
  }
  return kept.token === claim.token ? summary : kept;
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
  const lastIds = [...(parent?.lastIds ?? []), ...ids].slice(-maxLastIds);
  const now = Date.now();
  const until = now + options.times.retentionMs;
  const archivesUntil = now + archiveMs(state);
  const ofParent = parent === undefined || isDue(state, parent) ? undefined : parent.archivesUntil;
  const archived = {
    archiveId: token,
    archivesUntil: Math.min(archivesUntil, ofParent ?? Infinity),
    // As long as its archive, which is named here alone.
    until: archivesUntil,
  };
  return {
    ...summary,
    ...(lastIds.length > 0 ? { lastIds } : {}),
    from,
    parentDigest: parent?.record.prefixDigest,
    token,
    keptAt: now,
    textsUntil: until,
    ...(options.archive === undefined ? { until } : archived),
  };
}

/** Keeps a summary in the store, with its originals first; `undefined` where the store does not say so. */
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
): Promise<Outcome | undefined> {
  const { lastRead, options } = state;
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
  if (isTold || beside?.known === false) {
    await removeOriginals(state, mine);
    return isTold ? { kept: undefined } : undefined;
  }
  let outcome: Outcome | undefined;
  const keeping = (stored: ConversationDocument): ConversationDocument => {
    const { document, kept } = saved(union(stored, options.copy.get(key)), mine, termsOf(key));
    outcome = { kept };
    return kept === undefined ? stored : document;
  };
  const read = await state.change(key, keeping, lastRead.get(key));
  if (!read.known) return undefined;
  if (outcome?.kept?.token !== made.token) await removeOriginals(state, mine);
  return outcome;
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
