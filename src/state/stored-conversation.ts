import {
  readArchive,
  readManifest,
  removeArchive,
  type ArchivePlace,
  type ReadArchive,
} from '../archive/stored-archive.ts';
import { randomId } from '../util/digest.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { RecordFigures, SummaryRecord } from '../record/summary-record.ts';
import { namespaceDigits } from '../stores/store-keys.ts';
import { runLimited } from '../util/async/waiting.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import { longestOf } from './conversation-state.ts';
import {
  emptyDocument,
  epochMs,
  erased,
  figuresOf,
  isInUse,
  isWhole,
  localBounds,
  tidied,
  union,
  withUndone,
  type ConversationDocument,
  type KeptRecord,
  type Undone,
  type WholeRecord,
} from './document.ts';
import type { ProcessCopy } from './process-copy.ts';
import { changeDocument, readDocument, type DocumentPlace } from './stored-document.ts';

/** Where a conversation is that a function is given. */
export interface StoredPlace {
  /** With the current secret, then with the former one. */
  readonly stores: ArchivePlace['stores'];
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

/** Reads what is known of a conversation. */
export async function readConversationState(place: StoredPlace): Promise<StoredConversation> {
  const { stores, copy, names } = place;
  let known = true;
  const documents: ConversationDocument[] = [];
  const keys = await names.all(stores[0].keys);
  for (const [index, key] of keys.entries()) {
    let document = copy.get(key);
    for (const store of stores) {
      const read = await readDocument(store, (await names.all(store.keys))[index] ?? key);
      known &&= read.known;
      if (read.document === undefined) continue;
      document = union(read.document, document);
      copy.hear(key, read.document);
    }
    // Nobody need have written it since the time of what it holds came.
    documents.push(tidied(document, Date.now(), localBounds));
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

/** Records that are followed at most. */
const maxChain = 10_000;

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
  while (chain.length < maxChain && (kept !== undefined || archiveId !== undefined)) {
    const record = kept !== undefined && isWhole(kept) ? kept.record : undefined;
    byDigest.delete(kept?.record.prefixDigest ?? '');
    const parent = byDigest.get(kept?.parentDigest ?? '');
    const isLast = parent === undefined && kept?.from !== 0;
    const manifest =
      archiveId !== undefined && (record === undefined || isLast)
        ? await readManifest({ ...place, archiveId })
        : undefined;
    const of = kept ?? manifest;
    if (of === undefined) break;
    const whole = record ?? manifest?.record;
    chain.push({ figures: figuresOf(of), from: of.from, archiveId, record: whole });
    kept = parent;
    archiveId = parent === undefined ? manifest?.parent : parent.archiveId;
  }
  return chain;
}

/** Reads the originals of a record, as far as they are there: none where it names no archive. */
export async function readOriginals(
  place: StoredPlace,
  archiveId: string | undefined,
): Promise<ReadArchive> {
  return archiveId === undefined
    ? { known: true, messages: [] }
    : readArchive({ ...place, archiveId });
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
export async function undoRecord(
  place: StoredPlace,
  digest: string,
  ttlMs: number,
): Promise<UndoneRecord> {
  const { records, known, undone } = await readConversationState(place);
  if (!known) return { state: 'unknown' };
  const byDigest = new Map(records.map((each) => [each.record.prefixDigest, each]));
  const kept = byDigest.get(digest);
  if (kept === undefined)
    return { state: undone.some((each) => each.digest === digest) ? 'ended' : 'absent' };
  if (kept.child !== undefined) return { state: 'continued' };
  const { parentDigest = '', archiveId } = kept;
  const before = byDigest.get(parentDigest);
  const ofArchive =
    before?.archiveId === undefined || isWhole(before)
      ? undefined
      : await readManifest({ ...place, archiveId: before.archiveId });
  const parent = before !== undefined && isWhole(before) ? before.record : ofArchive?.record;
  const now = Date.now();
  const apply = (document: ConversationDocument): ConversationDocument =>
    document.records.some(({ record }) => [digest, parentDigest].includes(record.prefixDigest))
      ? withUndone(document, kept, { now, until: now + ttlMs, parent })
      : document;
  if (archiveId !== undefined && !(await removeArchive({ ...place, archiveId })))
    return { state: 'unknown' };
  for (const documentPlace of await documentPlaces(place, ttlMs)) {
    const { key } = documentPlace;
    if (!(await changeDocument(documentPlace, apply)).known) return { state: 'unknown' };
    place.copy.set(key, apply(place.copy.get(key)));
  }
  const isParentGone = kept.parentDigest !== undefined && parent === undefined;
  return { state: 'undone', parent, isParentGone };
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

/** What is erased, and how. */
export interface Erasure {
  /** What the conversation says; `undefined` where all that the documents hold is to go. */
  readonly identity: ConversationIdentity | undefined;
  /** Milliseconds that nothing may bring it back. */
  readonly ttlMs: number;
  readonly trees: ErasedTrees | undefined;
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

/**
 * Erases the records of a conversation, their archives and what the process knows of it. What others know, and what is
 * being made, is not stored again: the documents tell of another epoch. Archives and trees are named there until they
 * are gone, so that who erases again finds what was left.
 */
export async function eraseState(place: StoredPlace, erasure: Erasure): Promise<ErasedRecords> {
  return eraseDocuments(await documentPlaces(place, erasure.ttlMs), place, erasure);
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
  const result = await eraseDocuments(documents, { copy }, { ...erasure, identity: undefined });
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
  let [isConfirmed, isKnown] = [true, false];
  for (const place of documents) {
    const mine = copy.get(place.key);
    const erase = async (document: ConversationDocument, epoch: string) =>
      erased(document, epoch, await ownDigests(identity, document));
    let ours = await erase(mine, epochBehind(mine.epoch));
    let begun: readonly string[] = [];
    const changed = await changeDocument(place, async (stored) => {
      const epoch = epochBehind(mine.epoch, stored.epoch);
      const theirs = await erase(stored, epoch);
      // What another erasure has taken from the store, this process may not have heard of.
      ours = await erase(union(stored, mine), epoch);
      ({ begun } = theirs);
      isKnown ||= stored !== emptyDocument || mine !== emptyDocument;
      for (const { record } of [...theirs.records, ...ours.records])
        digests.add(record.prefixDigest);
      const [one, other] = [theirs.document.left, ours.document.left];
      const archives = [...new Set([...one.archives, ...other.archives])];
      const left = { archives, trees: [...new Set([...one.trees, ...other.trees])] };
      return { ...theirs.document, left };
    });
    copy.set(place.key, ours.document);
    const { left } = changed.document ?? emptyDocument;
    removed.push([place, left]);
    for (const treeId of left.trees) treeIds.add(treeId);
    isConfirmed &&=
      changed.known && (names === undefined || (await removeArchives(place, names, left, begun)));
  }
  const removing = [...treeIds].map(async (treeId) => trees?.remove(treeId) ?? true);
  isConfirmed &&= (await Promise.all(removing)).every(Boolean);
  for (const [place, gone] of isConfirmed ? removed : []) {
    // Another erasure may have left more.
    const cleared = await changeDocument(place, ({ left, ...document }) => ({
      ...document,
      left: {
        archives: left.archives.filter((id) => !gone.archives.includes(id)),
        trees: left.trees.filter((id) => !gone.trees.includes(id)),
      },
    }));
    isConfirmed &&= cleared.known;
  }
  const treesLeft = trees === undefined ? [...treeIds] : [];
  return { records: digests.size, isConfirmed, isKnown, treesLeft };
}

type Left = ConversationDocument['left'];

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
  const most = identity.significantBefore(Number.POSITIVE_INFINITY);
  const counts = new Set([
    ...records.flatMap(({ record, from }) => [record.coveredMessages, from]),
    ...[...writing, ...undone].map(({ count }) => count),
  ]);
  const sent = [...counts].filter((count) => count > 0 && count <= most);
  const own = new Set(await Promise.all(sent.map(identity.prefixDigest)));
  const shortestFirst = records.toSorted(
    (one, other) => one.record.coveredMessages - other.record.coveredMessages,
  );
  for (const { record, parentDigest } of shortestFirst)
    if (parentDigest !== undefined && own.has(parentDigest)) own.add(record.prefixDigest);
  return (digest) => own.has(digest);
}

/** Removes archives and those that they lead on to, the oldest first: what leads to one stays until it is gone. */
async function removeArchives(
  { store }: DocumentPlace,
  names: ConversationKeys,
  { archives }: Left,
  begun: readonly string[],
): Promise<boolean> {
  const placeOf = (archiveId: string): ArchivePlace => ({ stores: [store], names, archiveId });
  const all = new Set<string>();
  for (const id of archives)
    for (let next: string | undefined = id; next !== undefined && !all.has(next);) {
      all.add(next);
      next = (await readManifest(placeOf(next)))?.parent;
    }
  for (const id of [...all].toReversed())
    if (!(await removeArchive(placeOf(id), begun.includes(id)))) return false;
  return true;
}
