import {
  readArchive,
  readManifest,
  removeArchive,
  type ReadArchive,
} from '../archive/stored-archive.ts';
import { randomId } from '../hash/random-id.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { RecordFigures, SummaryRecord } from '../record/summary-record.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import { namespaceDigits } from '../stores/store-keys.ts';
import { runLimited } from '../util/async/waiting.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import {
  emptyDocument,
  epochMs,
  erased,
  figuresOf,
  isInUse,
  isWhole,
  union,
  withUndone,
  type ConversationDocument,
  type KeptRecord,
  type Undone,
  type WholeRecord,
} from './document.ts';
import { longestOf } from './known-conversation.ts';
import type { ProcessCopy } from './process-copy.ts';
import { changeDocument, readDocument, type DocumentPlace } from './stored-document.ts';

/** Where a conversation is that a function is given. */
export interface StoredPlace {
  /** With the current secret, then with the former one. */
  readonly stores: readonly [SealedStore, ...SealedStore[]];
  readonly copy: ProcessCopy;
  readonly names: ConversationKeys;
}

/** A conversation as its documents tell of it, those of the store and what this process knows together. */
export interface StoredConversation {
  readonly place: StoredPlace;
  /** Whether the store answered. */
  readonly known: boolean;
  /** Oldest first. */
  readonly records: readonly KeptRecord[];
  readonly undone: readonly Undone[];
}

/** A record of a conversation, as far as it is still there. */
export interface ChainedRecord {
  readonly figures: RecordFigures;
  /** Messages that the record before stands for. */
  readonly from: number;
  readonly archiveId: string | undefined;
  /** With its texts, unless they have left. */
  readonly record?: SummaryRecord | undefined;
}

/** Records that are followed at most. */
const maxChain = 10_000;

/** Reads what is known of a conversation. */
export async function readConversationState(place: StoredPlace): Promise<StoredConversation> {
  const { stores, copy, names } = place;
  const [current] = stores;
  let known = true;
  const documents: ConversationDocument[] = [];
  const keys = await names.all(current.keys);
  for (const [index, key] of keys.entries()) {
    let document = copy.get(key);
    for (const store of stores) {
      const read = await readDocument(store, (await names.all(store.keys))[index] ?? key);
      known &&= read.known;
      if (read.document === undefined) continue;
      document = union(read.document, document);
      copy.hear(key, read.document);
    }
    documents.push(document);
  }
  return {
    place,
    known,
    records: documents
      .flatMap(({ records }) => records)
      .toSorted((one, other) => one.keptAt - other.keptAt),
    undone: documents.flatMap((document) => document.undone),
  };
}

/**
 * The newest record of a conversation, of those that have stood in a prompt.
 *
 * @param identity - What the conversation says; `undefined` when its id is known.
 */
export async function newestRecord(
  { records }: StoredConversation,
  identity: ConversationIdentity | undefined,
): Promise<WholeRecord | undefined> {
  const inUse = records.filter(isWhole).filter(isInUse);
  if (identity === undefined) return inUse.at(-1);
  const most = identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  return longestOf(
    inUse.filter(({ record }) => record.coveredMessages <= most),
    identity,
  );
}

/**
 * A record and those that it continues, from the newest to the oldest: as far as the documents name them, then as
 * archives lead on.
 */
export async function readChain(
  { place, records }: StoredConversation,
  newest: KeptRecord,
): Promise<readonly ChainedRecord[]> {
  const chain: ChainedRecord[] = [];
  const byDigest = new Map(records.map((kept) => [kept.record.prefixDigest, kept]));
  let kept: KeptRecord | undefined = newest;
  let { archiveId } = newest;
  while (chain.length < maxChain) {
    const record = kept !== undefined && isWhole(kept) ? kept.record : undefined;
    byDigest.delete(kept?.record.prefixDigest ?? '');
    const parent = byDigest.get(kept?.parentDigest ?? '');
    const isLast = parent === undefined && kept?.from !== 0;
    const manifest =
      record === undefined || isLast ? await manifestOf(place, archiveId) : undefined;
    const of = kept ?? manifest;
    if (of === undefined) break;
    chain.push({
      figures: figuresOf(of),
      from: of.from,
      archiveId,
      record: record ?? manifest?.record,
    });
    kept = parent;
    archiveId = parent === undefined ? manifest?.parent : parent.archiveId;
    if (kept === undefined && archiveId === undefined) break;
  }
  return chain;
}

async function manifestOf(
  { stores, names }: StoredPlace,
  archiveId: string | undefined,
): Promise<Awaited<ReturnType<typeof readManifest>>['manifest']> {
  if (archiveId === undefined) return undefined;
  for (const store of stores) {
    const { manifest } = await readManifest({ store, names, archiveId });
    if (manifest !== undefined) return manifest;
  }
  return undefined;
}

/** Reads the originals of a record, as far as they are there: none where it names no archive. */
export async function readOriginals(
  { stores, names }: StoredPlace,
  archiveId: string | undefined,
): Promise<ReadArchive> {
  if (archiveId === undefined) return { known: true, messages: [] };
  let known = true;
  for (const store of stores) {
    const archive = await readArchive({ store, names, archiveId });
    known &&= archive.known;
    if (archive.messages.length > 0) return archive;
  }
  return { known, messages: [] };
}

/** What came of undoing a record. */
export type UndoneRecord =
  | { readonly state: 'unknown' | 'absent' | 'ended' | 'continued' }
  | {
      readonly state: 'undone';
      /** The record that applies now. */
      readonly parent: SummaryRecord | undefined;
      /** Whether there was one, and its text has left. */
      readonly isParentGone: boolean;
    };

/**
 * Takes the newest record of a conversation away and puts its parent in its place. Its originals go first: whatever
 * fails in the middle, it can be undone again.
 *
 * @param ttlMs - Milliseconds that nothing may bring it back, and that its parent is kept anew.
 */
// oxlint-disable-next-line max-lines-per-function -- the steps of one change, in their order
export async function undoRecord(
  place: StoredPlace,
  digest: string,
  ttlMs: number,
): Promise<UndoneRecord> {
  const { records, known, undone } = await readConversationState(place);
  if (!known) return { state: 'unknown' };
  const kept = records.find(({ record }) => record.prefixDigest === digest);
  if (kept === undefined)
    return { state: undone.some((each) => each.digest === digest) ? 'ended' : 'absent' };
  if (kept.child !== undefined) return { state: 'continued' };
  const before = records.find(({ record }) => record.prefixDigest === kept.parentDigest);
  const { stores, names, copy } = place;
  const whole =
    before === undefined || isWhole(before)
      ? before?.record
      : (await manifestOf(place, before.archiveId))?.record;
  const digests = new Set([digest, before?.record.prefixDigest]);
  const now = Date.now();
  const apply = (document: ConversationDocument): ConversationDocument =>
    document.records.some(({ record }) => digests.has(record.prefixDigest))
      ? withUndone(document, kept, { now, until: now + ttlMs, parent: whole })
      : document;
  const { archiveId } = kept;
  for (const store of stores)
    if (archiveId !== undefined && !(await removeArchive({ store, names, archiveId })))
      return { state: 'unknown' };
  for (const documentPlace of await documentPlaces(place, ttlMs)) {
    const { key } = documentPlace;
    const changed = await changeDocument(documentPlace, apply);
    if (!changed.known) return { state: 'unknown' };
    copy.set(key, apply(copy.get(key)));
  }
  return {
    state: 'undone',
    parent: whole,
    isParentGone: kept.parentDigest !== undefined && whole === undefined,
  };
}

/** Where the documents of a conversation stand, under each secret. */
async function documentPlaces(
  { stores, names }: Pick<StoredPlace, 'stores' | 'names'>,
  retentionMs: number,
): Promise<readonly DocumentPlace[]> {
  const places = stores.map(async (store) =>
    (await names.all(store.keys)).map((key) => ({ store, key, retentionMs })),
  );
  return (await Promise.all(places)).flat();
}

/** Trees of summaries of a conversation. */
export interface ErasedTrees {
  /** Ids of those that records need not name. */
  readonly ids: readonly string[];
  /** Says whether the tree is gone. */
  readonly remove: (treeId: string) => Promise<boolean>;
}

/** What was erased of a conversation. */
export interface ErasedRecords {
  readonly records: number;
  /** Whether everything is gone as far as the store says. */
  readonly isConfirmed: boolean;
  /** Ids of trees that records named, and that nobody could remove. */
  readonly treesLeft: readonly string[];
  /** Whether there was anything to be erased, or had been. */
  readonly isKnown: boolean;
}

/** What is erased, and how. */
export interface Erasure {
  /** What the conversation says; `undefined` where all that the documents hold is to go. */
  readonly identity: ConversationIdentity | undefined;
  /** Milliseconds that nothing may bring it back. */
  readonly ttlMs: number;
  readonly trees: ErasedTrees | undefined;
}

/**
 * Erases the records of a conversation, their archives and what the process knows of it. What others know, and what is
 * being made, is not stored again: the documents tell of another epoch. Archives and trees are named there until they
 * are gone, so that who erases again finds what was left.
 */
export async function eraseState(place: StoredPlace, erasure: Erasure): Promise<ErasedRecords> {
  const documents = await documentPlaces(place, erasure.ttlMs);
  return eraseDocuments(documents, place, erasure);
}

/**
 * Erases all that a namespace holds in a store, whatever it belongs to: documents as {@link eraseState} does, all else
 * by its key.
 *
 * @param list - All keys of the store that begin so.
 */
export async function eraseNamespace(
  { stores, copy }: Pick<StoredPlace, 'stores' | 'copy'>,
  erasure: Omit<Erasure, 'identity'>,
  list: (prefix: string) => Promise<readonly string[]>,
): Promise<ErasedRecords> {
  const documents: DocumentPlace[] = [];
  const others: DocumentPlace[] = [];
  for (const store of stores) {
    const prefix = (await store.keys.key('namespace')).slice(0, namespaceDigits);
    for (const key of new Set([...(await list(prefix)), ...copy.keys(prefix)])) {
      const { document, raw } = await readDocument(store, key);
      const isOther = document === undefined && raw !== undefined;
      (isOther ? others : documents).push({ store, key, retentionMs: erasure.ttlMs });
    }
  }
  const all = { ...erasure, identity: undefined };
  const result = await eraseDocuments(documents, { copy }, all);
  const gone = await runLimited(others, maxAtOnce, ({ store, key }) => store.remove(key));
  return { ...result, isConfirmed: result.isConfirmed && gone.every(Boolean) };
}

/** Values that are removed at once. */
const maxAtOnce = 4;

// oxlint-disable-next-line max-lines-per-function -- the steps of one change, in their order
async function eraseDocuments(
  documents: readonly DocumentPlace[],
  { copy, names }: Pick<StoredPlace, 'copy'> & Partial<StoredPlace>,
  { identity, trees }: Erasure,
): Promise<ErasedRecords> {
  const digests = new Set<string>();
  const treeIds = new Set(trees?.ids);
  const removed: (readonly [DocumentPlace, Left])[] = [];
  let isConfirmed = true;
  let isKnown = false;
  for (const place of documents) {
    const mine = copy.get(place.key);
    let epoch = epochBehind(mine.epoch);
    let ours = erased(mine, epoch, await ownDigests(identity, mine));
    let begun: readonly string[] = [];
    const changed = await changeDocument(place, async (stored) => {
      epoch = epochBehind(mine.epoch, stored.epoch);
      const theirs = erased(stored, epoch, await ownDigests(identity, stored));
      ({ begun } = theirs);
      // What another erasure has taken from the store, this process may not have heard of.
      const whole = union(stored, mine);
      ours = erased(whole, epoch, await ownDigests(identity, whole));
      isKnown ||= stored !== emptyDocument || mine !== emptyDocument;
      for (const { record } of [...theirs.records, ...ours.records])
        digests.add(record.prefixDigest);
      return { ...theirs.document, left: both(theirs.document.left, ours.document.left) };
    });
    copy.set(place.key, { ...ours.document, epoch });
    const { left } = changed.document ?? emptyDocument;
    removed.push([place, left]);
    for (const treeId of left.trees) treeIds.add(treeId);
    isConfirmed &&=
      changed.known &&
      (names === undefined || (await removeArchives(place.store, names, left.archives, begun)));
  }
  const removing = [...treeIds].map(async (treeId) => trees?.remove(treeId) ?? true);
  const isGone = await Promise.all(removing);
  isConfirmed &&= isGone.every(Boolean);
  for (const [place, gone] of isConfirmed ? removed : []) {
    const cleared = await changeDocument(place, (document) => ({
      ...document,
      left: without(document.left, gone),
    }));
    isConfirmed &&= cleared.known;
  }
  return {
    records: digests.size,
    isConfirmed,
    isKnown,
    treesLeft: trees === undefined ? [...treeIds] : [],
  };
}

type Left = ConversationDocument['left'];

/** What is left but for what is gone: another erasure may have left more. */
function without(left: Left, gone: Left): Left {
  return {
    archives: left.archives.filter((id) => !gone.archives.includes(id)),
    trees: left.trees.filter((id) => !gone.trees.includes(id)),
  };
}

function both(one: Left, other: Left): Left {
  return {
    archives: [...new Set([...one.archives, ...other.archives])],
    trees: [...new Set([...one.trees, ...other.trees])],
  };
}

/** An epoch that sorts behind others, whatever the clocks of those were that began them; no two are alike. */
function epochBehind(...others: readonly string[]): string {
  const begins = Math.max(Date.now(), ...others.map((other) => epochMs(other) + 1));
  return `${begins.toString(36).padStart(10, '0')}-${randomId()}`;
}

/** Whether a digest is of the conversation, or of what continues it: it may have gone on meanwhile. */
async function ownDigests(
  identity: ConversationIdentity | undefined,
  { records, writing, undone }: ConversationDocument,
): Promise<(digest: string) => boolean> {
  if (identity === undefined) return () => true;
  const counts = new Set([
    ...records.flatMap(({ record, from }) => [record.coveredMessages, from]),
    ...writing.map(({ count }) => count),
    ...undone.map(({ count }) => count),
  ]);
  const most = identity.significantBefore(Number.POSITIVE_INFINITY);
  const own = new Set(
    await Promise.all(
      [...counts].filter((count) => count > 0 && count <= most).map(identity.prefixDigest),
    ),
  );
  const shortestFirst = records.toSorted(
    (one, other) => one.record.coveredMessages - other.record.coveredMessages,
  );
  for (const { record, parentDigest } of shortestFirst)
    if (parentDigest !== undefined && own.has(parentDigest)) own.add(record.prefixDigest);
  return (digest) => own.has(digest);
}

/** Removes archives and those that they lead on to, the oldest first: what leads to one stays until it is gone. */
async function removeArchives(
  store: SealedStore,
  names: ConversationKeys,
  ids: readonly string[],
  begun: readonly string[],
): Promise<boolean> {
  const all = new Set<string>();
  for (const id of ids)
    for (let next: string | undefined = id; next !== undefined && !all.has(next);) {
      all.add(next);
      next = (await readManifest({ store, names, archiveId: next })).manifest?.parent;
    }
  for (const id of [...all].toReversed())
    if (!(await removeArchive({ store, names, archiveId: id }, { isBegun: begun.includes(id) })))
      return false;
  return true;
}
