import { readManifest, removeArchive, removeArchives } from '../archive/stored-archive.ts';
import type { ConversationIdentity } from '../../prompt/identity/conversation-identity.ts';
import type { RecordFigures, SummaryRecord } from '../../foundations/record/summary-record.ts';
import { namespaceDigits } from '../stores/store-keys.ts';
import { randomId } from '../../foundations/util/digest.ts';
import {
  changeDocument,
  readDocument,
  type ConversationDocuments,
  type DocumentsLocation,
} from './conversation-documents.ts';
import {
  emptyDocument,
  epochMs,
  markErased,
  figuresOf,
  isContinued,
  isInUse,
  isWhole,
  mergeDocuments,
  markUndone,
  type ConversationDocument,
  type KeptRecord,
  type WholeRecord,
} from './document.ts';
import { matchesPrefix, longestMatch } from './match-records.ts';

/**
 * Finds the newest record of a conversation that was read, among those that have been in a prompt.
 *
 * @param identity - Identity of the messages; `undefined` if the conversation's id is known.
 */
export async function newestRecord(
  documents: ConversationDocuments,
  identity: ConversationIdentity | undefined,
): Promise<WholeRecord | undefined> {
  const inUse = (await documents.records()).filter(isWhole).filter(isInUse);
  if (identity === undefined) return inUse.at(-1);
  const most = identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  return longestMatch(
    inUse.filter(({ record }) => record.coveredMessages <= most),
    identity,
  );
}

/** A record of a conversation, as far as it is still there. */
export interface ChainedRecord {
  readonly figures: RecordFigures;
  /** Number of messages that its parent covers. */
  readonly from: number;
  readonly archiveId: string | undefined;
  /** The record with its texts, unless they have left. */
  readonly record?: SummaryRecord | undefined;
}

/** Reads a record and its ancestors, newest first: as far as the documents name them, then along the archives. */
export async function readChain(
  documents: ConversationDocuments,
  newest: KeptRecord,
): Promise<readonly ChainedRecord[]> {
  const chain: ChainedRecord[] = [];
  const byDigest = recordsByDigest(await documents.records());
  let kept: KeptRecord | undefined = newest;
  let { archiveId } = newest;
  while (kept !== undefined || archiveId !== undefined) {
    const record = kept !== undefined && isWhole(kept) ? kept.record : undefined;
    byDigest.delete(kept?.record.prefixDigest ?? '');
    const parent = byDigest.get(kept?.parentDigest ?? '');
    const isLast = parent === undefined && kept?.from !== 0;
    const isNeeded = record === undefined || isLast;
    const manifest = isNeeded ? await readManifest(documents.store, archiveId) : undefined;
    const of = kept ?? manifest;
    if (of === undefined) break;
    const whole = record ?? manifest?.record;
    chain.push({ figures: figuresOf(of), from: of.from, archiveId, record: whole });
    kept = parent;
    archiveId = parent === undefined ? manifest?.parent : parent.archiveId;
  }
  return chain;
}

function recordsByDigest(records: readonly KeptRecord[]): Map<string, KeptRecord> {
  return new Map(records.map((kept) => [kept.record.prefixDigest, kept]));
}

/** Result of undoing a record. */
export type UndoneRecord =
  | { readonly state: 'unknown' | 'absent' | 'continued' }
  | {
      readonly state: 'undone';
      /** The record that applies now. */
      readonly record: SummaryRecord | undefined;
      /** Whether the undone record had a parent whose text has left. */
      readonly isParentGone: boolean;
    };

/**
 * Removes the newest record of a conversation that was read, and puts its parent in place. Its original messages go
 * first, so that the undoing can be repeated whatever fails. Nothing restores the record for as long as documents are
 * kept.
 */
export async function undoRecord(
  documents: ConversationDocuments,
  digest: string,
): Promise<UndoneRecord> {
  const records = await documents.records();
  const byDigest = recordsByDigest(records);
  const kept = byDigest.get(digest);
  const undone = kept ?? (await documents.undone()).find((each) => each.digest === digest);
  if (undone === undefined) return { state: 'absent' };
  if (kept !== undefined && isContinued(kept, records)) return { state: 'continued' };
  const { parentDigest } = undone;
  const before = byDigest.get(parentDigest ?? '');
  const isTextThere = before === undefined || isWhole(before);
  const parent = isTextThere ? before : await readManifest(documents.store, before.archiveId);
  const isParentGone = parentDigest !== undefined && parent === undefined;
  const result = { state: 'undone', record: parent?.record, isParentGone } as const;
  // A repeated request, perhaps because its first answer was lost, has the same result.
  if (kept === undefined) return result;
  const { archiveId } = kept;
  const now = Date.now();
  const until = now + documents.retentionMs;
  if (archiveId !== undefined && !(await removeUndone(documents, kept, archiveId)))
    return { state: 'unknown' };
  for (const key of await documents.names.all()) {
    const undoing = (stored: ConversationDocument): ConversationDocument => {
      const both = mergeDocuments(stored, documents.cache.get(key));
      const isThere = both.records.some(
        (each) =>
          each.parentDigest === digest || [digest, parentDigest].includes(each.record.prefixDigest),
      );
      return isThere ? markUndone(both, kept, { now, until, parent: parent?.record }) : stored;
    };
    if (!(await documents.change(key, undoing)).known) return { state: 'unknown' };
  }
  return result;
}

/**
 * Removes the archive of an undone record. If no other value leads to the archive before it, the document names that
 * one first, for an erasure to find.
 *
 * @returns whether the store confirmed it.
 */
async function removeUndone(
  documents: ConversationDocuments,
  { record }: KeptRecord,
  archiveId: string,
): Promise<boolean> {
  const before = (await readManifest(documents.store, archiveId))?.parent;
  const isNamed = (await documents.records()).some((kept) => kept.archiveId === before);
  if (before !== undefined && !isNamed) {
    const naming = ({ left, ...document }: ConversationDocument): ConversationDocument => ({
      ...document,
      left: { ...left, archives: [...new Set([...left.archives, before])] },
    });
    const key = await documents.names.of(record.coveredMessages);
    if (!(await documents.change(key, naming)).known) return false;
  }
  return removeArchive(documents.store, archiveId);
}

/** Scope of an erasure, and how it is done. */
export interface Erasure {
  /** Identity of the messages; `undefined` if everything in the documents is to go. */
  readonly identity?: ConversationIdentity | undefined;
  /** Milliseconds for which nothing may restore the conversation. */
  readonly ttlMs: number;
  /** Trees of summaries of a conversation. */
  readonly trees:
    | {
        /** Ids of trees that records need not name. */
        readonly ids: readonly string[];
        /** Removes a tree; rejects if it may still exist. */
        readonly remove: (treeId: string) => Promise<void>;
      }
    | undefined;
}

/** Result of an erasure. */
export interface ErasedRecords {
  readonly records: number;
  /** Whether the store confirmed that everything is gone. */
  readonly isConfirmed: boolean;
  /** Ids of trees that records named, if the caller has no way to remove trees. */
  readonly treesLeft: readonly string[];
  /** Whether there was anything to erase, now or before. */
  readonly isKnown: boolean;
}

/**
 * Erases everything that a namespace holds in a store: documents as {@link eraseDocuments} does, everything else by its
 * key.
 *
 * @param list - Lists all keys of the store with a prefix.
 */
export async function eraseNamespace(
  { store, cache }: Pick<DocumentsLocation, 'store' | 'cache'>,
  erasure: Erasure,
  list: (prefix: string) => Promise<readonly string[]>,
): Promise<ErasedRecords> {
  const documents: string[] = [];
  let isConfirmed = true;
  const prefix = (await store.keys.key('namespace')).slice(0, namespaceDigits);
  for (const key of new Set([...(await list(prefix)), ...cache.keys(prefix)])) {
    const { document, raw, text } = await readDocument(store, key);
    if (document !== undefined || raw === undefined) documents.push(key);
    // Marks stay.
    else if (text !== '') isConfirmed = (await store.remove(key)) && isConfirmed;
  }
  const result = await eraseDocuments(documents, { store, cache }, erasure);
  return { ...result, isConfirmed: result.isConfirmed && isConfirmed };
}

/** The most attempts at an erasure if other writers undo it, as a store without compare-and-set lets them. */
const maxErasures = 3;

/**
 * Erases the records of a conversation, their archives and its documents in the local cache. Records that other
 * processes know or write are not stored again, because the documents have a new epoch. Documents name archives and
 * trees until they are gone, so that a repeated erasure finds the rest.
 *
 * @param keys - Keys of the documents.
 */
export async function eraseDocuments(
  keys: readonly string[],
  { store, cache }: Pick<DocumentsLocation, 'store' | 'cache'>,
  { identity, ttlMs, trees }: Erasure,
): Promise<ErasedRecords> {
  const digests = new Set<string>();
  const treeIds = new Set(trees?.ids);
  let [isConfirmed, isKnown, open] = [true, false, keys];
  for (let attempt = 1; open.length > 0 && attempt <= maxErasures; attempt += 1) {
    let isGone = true;
    const left = new Map<string, Pick<ConversationDocument, 'epoch' | 'left'>>();
    for (const key of open) {
      const mine = cache.get(key);
      const erased = async (stored: ConversationDocument, epoch: string) => {
        const all = [stored, mine];
        const isOwn = await ownDigests(identity, all);
        return markErased(mergeDocuments(stored, mine), all, epoch, isOwn);
      };
      const local = await erased(emptyDocument, epochBehind(mine.epoch));
      cache.change(key, () => local.document);
      const { known, document } = await changeDocument(store, key, ttlMs, async (stored) => {
        const result = await erased(stored, epochBehind(local.document.epoch, stored.epoch));
        isKnown ||= stored !== emptyDocument || mine !== emptyDocument;
        for (const digest of result.digests) digests.add(digest);
        return result.document;
      });
      if (document !== undefined) cache.mergeFromStore(key, document);
      const { left: named, epoch } = document ?? emptyDocument;
      left.set(key, { epoch, left: named });
      for (const treeId of named.trees) treeIds.add(treeId);
      isGone &&= known && (await removeArchives(store, named.archives));
    }
    await Promise.all([...treeIds].map(async (treeId) => trees?.remove(treeId)));
    open = [];
    for (const [key, { epoch, left: gone }] of isGone ? left : []) {
      let isMarked = false;
      const cleared = await changeDocument(store, key, ttlMs, (document) => {
        isMarked = document.epoch >= epoch;
        if (!isMarked) return document;
        // Another erasure may have added more.
        const archives = document.left.archives.filter((id) => !gone.archives.includes(id));
        const treesOfOthers = document.left.trees.filter((id) => !gone.trees.includes(id));
        return { ...document, left: { archives, trees: treesOfOthers } };
      });
      isGone &&= cleared.known;
      // A writer that had read the document before the erasure has overwritten its mark.
      if (cleared.known && !isMarked) open = [...open, key];
    }
    isConfirmed &&= isGone;
  }
  isConfirmed &&= open.length === 0;
  const treesLeft = trees === undefined ? [...treeIds] : [];
  return { records: digests.size, isConfirmed, isKnown, treesLeft };
}

/** Returns a unique epoch that sorts after the others, whatever the clocks of the processes that began them. */
function epochBehind(...others: readonly string[]): string {
  const begins = Math.max(Date.now(), ...others.map((other) => epochMs(other) + 1));
  return `${begins.toString(36).padStart(10, '0')}-${randomId()}`;
}

/** Finds which digests belong to the conversation, or to records that continue it: it may have grown meanwhile. */
async function ownDigests(
  identity: ConversationIdentity | undefined,
  documents: readonly ConversationDocument[],
): Promise<(digest: string) => boolean> {
  if (identity === undefined) return () => true;
  const records = documents.flatMap((document) => document.records);
  const prefixes = [
    ...records.map(({ record }) => ({
      count: record.coveredMessages,
      digest: record.prefixDigest,
    })),
    ...records.map(({ from, parentDigest = '' }) => ({ count: from, digest: parentDigest })),
    ...documents.flatMap(({ writing, undone }) => [...writing, ...undone]),
  ];
  const own = new Set<string>();
  for (const prefix of prefixes) if (await matchesPrefix(identity, prefix)) own.add(prefix.digest);
  const shortestFirst = records.toSorted(
    (one, other) => one.record.coveredMessages - other.record.coveredMessages,
  );
  for (const { record, parentDigest } of shortestFirst)
    if (parentDigest !== undefined && own.has(parentDigest)) own.add(record.prefixDigest);
  return (digest) => own.has(digest);
}
