import {
  readManifest,
  removeArchive,
  renewArchive,
  writeArchive,
  type ArchivePlace,
} from '../archive/stored-archive.ts';
import { randomId } from '../hash/random-id.ts';
import type { Joins } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { withDeadline } from '../util/async/waiting.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { claimDocument, claimMs, namesArchive, type DocumentClaim } from './claim-document.ts';
import {
  claimed,
  emptyDocument,
  isErasedSince,
  isInUse,
  isWhole,
  putInPlace,
  refusal,
  saved,
  superseded,
  union,
  type ConversationDocument,
  type Saved,
  type SaveTerms,
  type Standing,
  type WholeRecord,
} from './document.ts';
import type { KnownConversation } from './known-conversation.ts';
import { readDocument, type ChangeDocument } from './stored-document.ts';

/** That this process writes the next summary. */
export interface Claim {
  /** Who writes it, also where the store does not know. */
  readonly token: string;
  /** Says that it is no more. Never rejects. */
  readonly end: () => Promise<void>;
}

/** Somebody who wants to write a summary. */
export interface Turn {
  readonly token: string;
  /** Which other summary will do as well. */
  readonly joins: Joins;
}

/** Digests of covered messages that are kept to recognise a window by. */
const maxLastIds = 512;

/** Says to all processes that this one writes the summary of the first `count` messages, as a state does. */
export async function claimSummary(
  known: KnownConversation,
  count: number,
  { token, joins }: Turn,
): Promise<Claim | StoredSummary | 'taken'> {
  const { options, begunIn, lastRead, undoneBefore } = known;
  for (const { digest, at } of (await known.keys()).flatMap((key) => options.copy.get(key).undone))
    undoneBefore.add(`${digest} ${at}`);
  let claim: DocumentClaim | undefined;
  if (!options.store.isLocal && known.isAnswered()) {
    const key = await known.documentKey(count);
    const digest = await known.identity.prefixDigest(count);
    const change: ChangeDocument = async (...given) => known.change(key, ...given);
    claim = await claimDocument(change, {
      timeoutMs: known.store.timeoutMs,
      writing: { token, count, digest, archiveId: options.archive && token },
      isAwaited: async (other) =>
        joins === 'any'
          ? other.count > known.least() && (await known.isOurs(other))
          : other.digest === digest,
      seen: known.seen,
      since: begunIn.get(key),
      first: lastRead.get(key),
    });
    // Asked again, it is read again.
    if (claim.isTaken) lastRead.delete(key);
  }
  const first = await known.made(count, joins);
  if (first !== undefined) void claim?.end?.();
  return first ?? (claim?.isTaken === true ? 'taken' : { token, end: async () => claim?.end?.() });
}

/** Keeps a summary, as a state does. */
export async function saveSummary(
  known: KnownConversation,
  summary: StoredSummary,
  token: string,
): Promise<StoredSummary | undefined> {
  const { found, options } = known;
  const { parentId, coveredMessages, prefixDigest } = summary.record;
  const parent = parentId !== undefined && found?.record.id === parentId ? found : undefined;
  const key = await known.documentKey(coveredMessages);
  const mine = await completed(known, summary, token, parent);
  const waitMs = known.isAnswered() ? options.times.storeTimeoutMs : 0;
  const storing = async (): Promise<Saved | undefined> => {
    const outcome = await keepInStore(known, key, mine, parent);
    if (isRefused(outcome)) forget(known, key, token);
    return outcome;
  };
  const outcome = await withDeadline(undefined, waitMs, storing).catch(() => undefined);
  if (isRefused(outcome)) return undefined;
  const kept = keepLocally(known, key, outcome?.kept ?? mine);
  if (parent !== undefined) {
    const superseding = isInUse(mine) ? supersede(known, key, prefixDigest) : undefined;
    // Nobody waits for a store again that has not answered.
    if (outcome !== undefined) await superseding;
    if (isDue(known, parent)) void renewOriginals(known, parent);
  }
  return kept.token === token ? summary : kept;
}

/** A summary with what leads to what it continues, and what a window of its conversation is recognised by. */
async function completed(
  known: KnownConversation,
  summary: StoredSummary,
  token: string,
  parent: WholeRecord | undefined,
): Promise<WholeRecord> {
  const { identity, names, options } = known;
  const { coveredMessages: count } = summary.record;
  const from = parent?.record.coveredMessages ?? 0;
  const ids = names.hasId
    ? await identity.messageDigests(Math.max(from, count - maxLastIds), count)
    : [];
  const lastIds = [...(parent?.lastIds ?? []), ...ids].slice(-maxLastIds);
  const now = Date.now();
  const { retentionMs } = options.times;
  const archivesUntil = now + keptMs(known);
  const isAhead = parent !== undefined && !isDue(known, parent);
  const archived = {
    archiveId: token,
    archivesUntil: Math.min(archivesUntil, (isAhead && parent.archivesUntil) || Infinity),
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
    textsUntil: now + retentionMs,
    ...(options.archive === undefined ? { until: now + retentionMs } : archived),
  };
}

/** Whether an archive that a record leads to has less than a retention left: all are written anew then, a few times in all. */
function isDue(
  { options: { archive, times } }: KnownConversation,
  { archivesUntil = Infinity }: WholeRecord,
): boolean {
  return archive !== undefined && archivesUntil < Date.now() + times.retentionMs;
}

/** Keeps a summary in the store, with its originals first; `undefined` where the store does not say so. */
async function keepInStore(
  known: KnownConversation,
  key: string,
  mine: WholeRecord,
  parent: WholeRecord | undefined,
): Promise<Saved | undefined> {
  const originals = await keepOriginals(known, key, mine, parent?.archiveId);
  if (originals === 'failed') return undefined;
  if (originals === 'erased') return { state: 'erased' };
  const kept = originals === 'none' ? { ...mine, archiveId: undefined } : mine;
  // Another document may tell of what it continues.
  const parentKey = parent && (await known.documentKey(parent.record.coveredMessages));
  const isBeside = parentKey !== undefined && parentKey !== key;
  const beside = isBeside ? await readDocument(known.store, parentKey) : undefined;
  const state = isBeside
    ? refusal(
        beside?.document ?? emptyDocument,
        { parent: mine.parentDigest },
        saveTerms(known, parentKey),
      )
    : undefined;
  if (beside?.known === false || state !== undefined) {
    await removeOriginals(known, kept);
    return state && { state };
  }
  let outcome: Saved | undefined;
  const keeping = (stored: ConversationDocument): ConversationDocument => {
    const whole = union(stored, known.options.copy.get(key));
    const result = saved(whole, kept, saveTerms(known, key));
    ({ outcome } = result);
    return isRefused(outcome) ? stored : result.document;
  };
  const read = await known.change(key, keeping, known.lastRead.get(key));
  if (!read.known) return undefined;
  if (outcome?.kept?.token !== mine.token) await removeOriginals(known, kept);
  return outcome;
}

function saveTerms({ options, begunIn, undoneBefore }: KnownConversation, key: string): SaveTerms {
  return {
    since: begunIn.get(key),
    wasUndone: ({ digest, at }) => undoneBefore.has(`${digest} ${at}`),
    textsMs: options.times.supersededTtlMs,
    now: Date.now(),
  };
}

function isRefused(outcome: Saved | undefined): boolean {
  return outcome !== undefined && outcome.kept === undefined;
}

/** Keeps a summary in this process; gives that which it has, as the store may have told of another one meanwhile. */
function keepLocally(known: KnownConversation, key: string, kept: WholeRecord): WholeRecord {
  const { copy } = known.options;
  const { document, outcome } = saved(copy.get(key), kept, saveTerms(known, key));
  copy.set(key, document);
  return outcome.kept ?? kept;
}

function forget({ options: { copy } }: KnownConversation, key: string, token: string): void {
  const { records, ...rest } = copy.get(key);
  copy.set(key, { ...rest, records: records.filter((kept) => kept.token !== token) });
}

/** Lets a prepared summary be found, as a state does. */
export async function placeSummary(
  known: KnownConversation,
  { record: { coveredMessages, prefixDigest } }: StoredSummary,
  standing: Standing,
): Promise<void> {
  const key = await known.documentKey(coveredMessages);
  const textsUntil = Date.now() + known.options.times.supersededTtlMs;
  await changeBoth(known, key, (document) =>
    putInPlace(document, prefixDigest, standing, textsUntil),
  );
  await supersede(known, key, prefixDigest);
}

/** Says of what was found that another summary took its place, where that stands in another document. */
async function supersede(known: KnownConversation, key: string, child: string): Promise<void> {
  const { found, options } = known;
  const foundIn = await known.documentKey(known.least());
  if (found === undefined || foundIn === key) return;
  const textsUntil = Date.now() + options.times.supersededTtlMs;
  await changeBoth(known, foundIn, (document) =>
    superseded(document, found.record.prefixDigest, child, textsUntil),
  );
}

/** Changes what this process knows, then what the others do. */
async function changeBoth(
  known: KnownConversation,
  key: string,
  apply: (document: ConversationDocument) => ConversationDocument,
): Promise<void> {
  const { copy } = known.options;
  copy.set(key, apply(copy.get(key)));
  await known.change(key, apply);
}

const archiveAt = ({ store, names }: KnownConversation, archiveId: string): ArchivePlace => ({
  store,
  names,
  archiveId,
});

/** Milliseconds that an archive is kept after it was written: longer than the records that lead to it. */
const keptMs = ({ options }: KnownConversation): number => 2 * options.times.retentionMs;

/**
 * Writes what a record newly stands for, which comes before the record itself, once the document names its archive:
 * nobody would find what a process leaves that ends in between.
 *
 * @param parent - Id of the archive of what the record continues.
 * @returns `none` where no originals are kept or not all of them are sent; `erased` where the archive cannot be named for
 * that reason; `failed` where the store did not confirm all of it.
 */
async function keepOriginals(
  known: KnownConversation,
  key: string,
  made: WholeRecord,
  parent: string | undefined,
): Promise<'kept' | 'none' | 'erased' | 'failed'> {
  const { record, from, token, archiveId = '' } = made;
  const { lastRead, begunIn, options } = known;
  const messages = await originalsOf(known, made);
  if (options.archive === undefined || messages === undefined) return 'none';
  const last = lastRead.get(key);
  const naming = (document: ConversationDocument): ConversationDocument => {
    const { coveredMessages: count, prefixDigest: digest } = record;
    const until = Date.now() + claimMs;
    const writing = { token, count, digest, until, archiveId };
    return isErasedSince(document, begunIn.get(key)) ? document : claimed(document, writing);
  };
  // A claim has named it, where the store knows of one.
  const isNamed = last !== undefined && namesArchive(last, archiveId);
  const read = isNamed ? last : await known.change(key, naming, last);
  if (!namesArchive(read, archiveId)) return read.known ? 'erased' : 'failed';
  const { packArchive } = await import('../archive/pack-archive.ts');
  const packed = await packArchive(messages, options.archive, { record, parent, from });
  if (await writeArchive(archiveAt(known, archiveId), packed, keptMs(known))) return 'kept';
  await removeOriginals(known, made);
  return 'failed';
}

async function originalsOf(
  known: KnownConversation,
  { record: { coveredMessages: count, prefixDigest: digest }, from }: WholeRecord,
): Promise<readonly Message[] | undefined> {
  const { identity, options } = known;
  const start = identity.indexAfter(from);
  if (start === undefined || from < identity.significantBefore(0)) return undefined;
  const isAllSent = await known.isOurs({ count, digest });
  return isAllSent ? options.conversation.slice(start, identity.indexAfter(count)) : undefined;
}

/** Writes the originals again of the records that the store has lost, where they are gone, as far as they are sent. */
export async function restoreOriginals(
  known: KnownConversation,
  key: string,
  stored: ConversationDocument,
): Promise<void> {
  const { copy } = known.options;
  const held = new Set(stored.records.map(({ record }) => record.prefixDigest));
  for (const kept of copy.get(key).records.filter(isWhole)) {
    const { archiveId, token, record } = kept;
    const isThere =
      held.has(record.prefixDigest) ||
      (archiveId !== undefined &&
        (await readManifest(archiveAt(known, archiveId))).manifest !== undefined);
    const again = { ...kept, archiveId: randomId() };
    if (isThere || (await keepOriginals(known, key, again, undefined)) !== 'kept') continue;
    const mine = copy.get(key);
    const records = mine.records.map((each) =>
      each.token === token ? { ...each, archiveId: again.archiveId } : each,
    );
    copy.set(key, { ...mine, records });
  }
}

/** Removes the originals of a record that is not kept. */
async function removeOriginals(
  known: KnownConversation,
  { archiveId }: WholeRecord,
): Promise<void> {
  if (archiveId !== undefined) await removeArchive(archiveAt(known, archiveId));
}

/** Keeps all originals that a record leads to for longer. */
async function renewOriginals(known: KnownConversation, { archiveId }: WholeRecord): Promise<void> {
  const seen = new Set<string>();
  for (let id = archiveId; id !== undefined && !seen.has(id);) {
    seen.add(id);
    id = await renewArchive(archiveAt(known, id), keptMs(known));
  }
}
