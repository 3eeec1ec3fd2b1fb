import {
  readManifest,
  removeArchive,
  removeArchives,
  type ArchivePlace,
} from '../archive/stored-archive.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { RecordFigures, SummaryRecord } from '../record/summary-record.ts';
import { namespaceDigits } from '../stores/store-keys.ts';
import { runLimited } from '../util/async/waiting.ts';
import { randomId } from '../util/digest.ts';
import { longestOf } from './conversation-documents.ts';
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
import type { ProcessCopy } from './process-copy.ts';
import { changeDocument, readDocument, type DocumentPlace } from './stored-document.ts';

/** Where a conversation is that a function is given. */
export interface StoredPlace extends ArchivePlace {
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

/** Reads what is known of a conversation. */
export async function readConversationState(place: StoredPlace): Promise<StoredConversation> {
  const { stores, copy, names } = place;
  const keys = await names.all(stores[0].keys);
  let known = true;
  for (const store of stores)
    for (const [index, key] of (await names.all(store.keys)).entries()) {
      const read = await readDocument(store, key);
      known &&= read.known;
      if (read.document !== undefined) copy.hear(keys[index] ?? key, read.document);
    }
  const documents = keys.map((key) => copy.get(key));
  const records = documents.flatMap((document) => document.records);
  return {
    place,
    known,
    records: records.toSorted((one, other) => one.keptAt - other.keptAt),
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
    const isNeeded = record === undefined || isLast;
    const manifest = isNeeded ? await readManifest(place, archiveId) : undefined;
    const of = kept ?? manifest;
    if (of === undefined) break;
    const whole = record ?? manifest?.record;
    chain.push({ figures: figuresOf(of), from: of.from, archiveId, record: whole });
    kept = parent;
    archiveId = parent === undefined ? manifest?.parent : parent.archiveId;
  }
  return chain;
}

/** What came of undoing a record. */
export type UndoneRecord =
  | { readonly state: 'unknown' | 'absent' | 'ended' | 'continued' }
  | {
      readonly state: 'undone';
      /** The record that applies now. */
      readonly record: SummaryRecord | undefined;
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
  { place, records, known, undone }: StoredConversation,
  digest: string,
  ttlMs: number,
): Promise<UndoneRecord> {
  if (!known) return { state: 'unknown' };
  const byDigest = new Map(records.map((each) => [each.record.prefixDigest, each]));
  const kept = byDigest.get(digest);
  if (kept === undefined)
    return { state: undone.some((each) => each.digest === digest) ? 'ended' : 'absent' };
  if (kept.child !== undefined) return { state: 'continued' };
  const { parentDigest = '', archiveId } = kept;
  const before = byDigest.get(parentDigest);
  const isTextThere = before === undefined || isWhole(before);
  const parent = isTextThere ? before : await readManifest(place, before.archiveId);
  const now = Date.now();
  const apply = (document: ConversationDocument): ConversationDocument =>
    document.records.some(({ record }) => [digest, parentDigest].includes(record.prefixDigest))
      ? withUndone(document, kept, { now, until: now + ttlMs, parent: parent?.record })
      : document;
  if (archiveId !== undefined && !(await removeArchive(place, archiveId)))
    return { state: 'unknown' };
  for (const documentPlace of await documentPlaces(place, ttlMs)) {
    if (!(await changeDocument(documentPlace, apply)).known) return { state: 'unknown' };
    place.copy.change(documentPlace.key, apply);
  }
  const isParentGone = kept.parentDigest !== undefined && parent === undefined;
  return { state: 'undone', record: parent?.record, isParentGone };
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
  readonly identity?: ConversationIdentity | undefined;
  /** Milliseconds that nothing may bring it back. */
  readonly ttlMs: number;
  /** Trees of summaries of a conversation. */
  readonly trees:
    | {
        /** Ids of those that records need not name. */
        readonly ids: readonly string[];
        /** Says whether the tree is gone. */
        readonly remove: (treeId: string) => Promise<boolean>;
      }
    | undefined;
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
  erasure: Erasure,
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
  const result = await eraseDocuments(documents, { copy }, erasure);
  const gone = await runLimited(others, maxAtOnce, ({ store, key }) => store.remove(key));
  return { ...result, isConfirmed: result.isConfirmed && gone.every(Boolean) };
}

/** Values that are removed at once. */
const maxAtOnce = 4;

/** @param names - Where archives are; `undefined` where they are removed by their keys. */
async function eraseDocuments(
  places: readonly DocumentPlace[],
  { copy, names }: Pick<StoredPlace, 'copy'> & Partial<StoredPlace>,
  { identity, trees }: Erasure,
): Promise<ErasedRecords> {
  const digests = new Set<string>();
  const treeIds = new Set(trees?.ids);
  const left: (readonly [DocumentPlace, Left])[] = [];
  let [isConfirmed, isKnown] = [true, false];
  for (const place of places) {
    const mine = copy.get(place.key);
    const erase = async (document: ConversationDocument, epoch: string) =>
      erased(document, epoch, await ownDigests(identity, document));
    let ours = await erase(mine, epochBehind(mine.epoch));
    let begun: readonly string[] = [];
    const { known, document } = await changeDocument(place, async (stored) => {
      const epoch = epochBehind(mine.epoch, stored.epoch);
      const theirs = await erase(stored, epoch);
      // What another erasure has taken from the store, this process may not have heard of.
      ours = await erase(union(stored, mine), epoch);
      ({ begun } = theirs);
      isKnown ||= stored !== emptyDocument || mine !== emptyDocument;
      for (const { record } of [...theirs.records, ...ours.records])
        digests.add(record.prefixDigest);
      return { ...theirs.document, left: both(theirs.document.left, ours.document.left) };
    });
    copy.change(place.key, () => ours.document);
    const named = document?.left ?? emptyDocument.left;
    left.push([place, named]);
    for (const treeId of named.trees) treeIds.add(treeId);
    const archives: ArchivePlace | undefined = names && { stores: [place.store], names };
    isConfirmed &&=
      known && (archives === undefined || (await removeArchives(archives, named.archives, begun)));
  }
  const removing = [...treeIds].map(async (treeId) => trees?.remove(treeId) ?? true);
  isConfirmed &&= (await Promise.all(removing)).every(Boolean);
  for (const [place, gone] of isConfirmed ? left : []) {
    // Another erasure may have left more.
    const cleared = await changeDocument(place, (document) => ({
      ...document,
      left: {
        archives: document.left.archives.filter((id) => !gone.archives.includes(id)),
        trees: document.left.trees.filter((id) => !gone.trees.includes(id)),
      },
    }));
    isConfirmed &&= cleared.known;
  }
  const treesLeft = trees === undefined ? [...treeIds] : [];
  return { records: digests.size, isConfirmed, isKnown, treesLeft };
}

type Left = ConversationDocument['left'];

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
