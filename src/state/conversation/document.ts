import type { StoredSummary } from '../../foundations/record/build-record.ts';
import type { ReportedUsage } from '../../planning/sizing/usage.ts';
import type {
  RecordFigures,
  SummaryRecord,
  LastSummarization,
} from '../../foundations/record/summary-record.ts';
import { utf8Length } from '../../foundations/util/strings.ts';

/** A record in a document: once its texts have left, only its figures remain. */
export interface KeptRecord extends Omit<StoredSummary, 'record'> {
  readonly record: SummaryRecord | RecordFigures;
  /** Id of the writing: two summaries of the same messages that were written separately differ in it. */
  readonly token: string;
  /** Milliseconds since the epoch at which the writing began: later than every undoing that the writer knew. */
  readonly begunAt: number;
  /** `begunAt` of the parent: a later summary of the same messages, after an undoing, is another parent. */
  readonly parentBegunAt?: number | undefined;
  /** Milliseconds since the epoch until which it is kept. */
  readonly until: number;
}

/** A record that has its texts. */
export type WholeRecord = KeptRecord & StoredSummary;

/** A summary that is being written. */
export interface Lease {
  readonly token: string;
  /** Number of messages that it will cover. */
  readonly count: number;
  readonly digest: string;
  /** Milliseconds since the epoch at which it was begun. */
  readonly begunAt: number;
  /** Milliseconds since the epoch at which the entry is forgotten: every renewal changes it. */
  readonly until: number;
  /** Id of the archive for its original messages. */
  readonly archiveId?: string | undefined;
}

/** An undone summary: the next one is not due before the prompt has grown from there. */
export interface UndoneSummary extends LastSummarization {
  readonly count: number;
  readonly digest: string;
  /** Digest of its parent. */
  readonly parentDigest?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Size that a provider reported for a prompt of the conversation. */
export interface StoredUsage {
  /** Provider and model. */
  readonly model: string;
  /** Id of the record in the prompt, and the prompt's name by its sizes. */
  readonly recordId?: string | undefined;
  readonly prompt: string;
  readonly usage: ReportedUsage;
}

/** All that is known of a conversation, or of conversations that open alike. */
export interface ConversationDocument {
  /** Id of the time since the last erasure, which sorts after all earlier ones; empty before the first erasure. */
  readonly epoch: string;
  /** Records, newest last. */
  readonly records: readonly KeptRecord[];
  readonly writing: readonly Lease[];
  readonly undone: readonly UndoneSummary[];
  /** Reported sizes, newest last. */
  readonly usages?: readonly StoredUsage[] | undefined;
  /** Ids of erased archives and trees: named until they are gone. */
  readonly left: { readonly archives: readonly string[]; readonly trees: readonly string[] };
}

/** The empty document. */
export const emptyDocument: ConversationDocument = {
  epoch: '',
  records: [],
  writing: [],
  undone: [],
  left: { archives: [], trees: [] },
};

/**
 * Limits of a document in a store: sealed, a third larger, it stays below 80 kB, which only conversations that open
 * alike come to. Texts of continued records leave from `maxContinuedBytes` on: each summary writes the document twice.
 */
export const storedBounds = { maxRecords: 64, maxBytes: 56_000, maxContinuedBytes: 24_000 };

/** Limits of a document in the local cache, which keeps its own summaries whatever the store has room for. */
export const localBounds: typeof storedBounds = {
  maxRecords: 512,
  maxBytes: Infinity,
  maxContinuedBytes: Infinity,
};

const maxWriting = 16;
const maxUndone = 8;

/** Whether a record has its texts. */
export function isWhole(kept: KeptRecord): kept is WholeRecord {
  return 'summary' in kept.record;
}

/** Whether a record has been in a prompt: a prepared one has not before it is due. */
export function isInUse({ prepared }: Pick<KeptRecord, 'prepared'>): boolean {
  return prepared !== true;
}

/** Returns the figures of a record. */
export function figuresOf({ record }: Pick<KeptRecord, 'record'>): RecordFigures {
  if (!('summary' in record)) return record;
  const { version: _v, summary: _s, activity: _m, keyPoints: _k, context: _c, ...rest } = record;
  const { origins: _o, ...figures } = rest;
  return figures;
}

/** Milliseconds for which a continued record keeps its texts, for branches and for undoing. */
const continuedTextsMs = 60 * 60_000;

/** Removes what has expired, and reduces a document to its limits: texts of continued records go first. */
export function trimDocument(
  document: ConversationDocument,
  now: number,
  { maxRecords, maxBytes, maxContinuedBytes }: typeof storedBounds,
): ConversationDocument {
  const living = document.records.filter(({ until }) => until > now);
  const leaving = new Set(
    living
      .filter((kept) => isInUse(kept) && kept.begunAt + continuedTextsMs <= now)
      .map(({ parentDigest }) => parentDigest),
  );
  let records = living
    .map((kept) => (leaving.has(kept.record.prefixDigest) ? withoutTexts(kept) : kept))
    .slice(-maxRecords);
  const written = new Set(records.map(({ token }) => token));
  const rest = {
    ...document,
    writing: document.writing
      .filter(({ until, token }) => until > now && !written.has(token))
      .slice(-maxWriting),
    undone: document.undone.slice(-maxUndone),
  };
  const isOver = (bytes: number): boolean =>
    bytes !== Infinity && utf8Length(JSON.stringify({ ...rest, records })) > bytes;
  while (records.length > 1 && isOver(maxContinuedBytes)) {
    const oldest = records.find((kept) => isWhole(kept) && isContinued(kept, records));
    if (oldest === undefined && !isOver(maxBytes)) break;
    records =
      oldest === undefined
        ? records.slice(1)
        : records.map((kept) => (kept === oldest ? withoutTexts(kept) : kept));
  }
  return { ...rest, records };
}

/** Whether any of the records in use continues a record. */
export function isContinued({ record }: KeptRecord, records: readonly KeptRecord[]): boolean {
  return records.some((kept) => isInUse(kept) && kept.parentDigest === record.prefixDigest);
}

/** The most archives that `left` names. */
const maxLeft = 64;

/**
 * Keeps naming the archives that only the document before a change names, for an erasure to find: those of records that
 * had no room or were rewritten, and of summaries whose writer has ended. Archives that a remaining record leads to
 * need no name.
 */
export function keepLostArchives(
  document: ConversationDocument,
  before: ConversationDocument,
): ConversationDocument {
  const named = new Set(
    [...document.records, ...document.writing].map(({ archiveId }) => archiveId),
  );
  const last = before.records.filter((kept) => !isContinued(kept, document.records));
  const gone = [...last, ...before.writing].flatMap(({ archiveId }) =>
    archiveId === undefined || named.has(archiveId) ? [] : [archiveId],
  );
  if (gone.length === 0) return document;
  const archives = [...document.left.archives, ...gone].slice(-maxLeft);
  return { ...document, left: { ...document.left, archives } };
}

/**
 * Finds archives of replaced records that a document no longer names, as happens in a store without compare-and-set:
 * nothing leads to them, and no erasure would find them.
 */
export function lostArchives(
  document: ConversationDocument,
  before: ConversationDocument,
): readonly string[] {
  const { records, writing, left } = document;
  const ids = [...records, ...writing].map(({ archiveId }) => archiveId);
  const named = new Set([...left.archives, ...ids]);
  const isReplaced = ({ token, record: { prefixDigest } }: KeptRecord): boolean =>
    records.some((each) => each.record.prefixDigest === prefixDigest && each.token !== token);
  return before.records
    .filter((kept) => isReplaced(kept) && !isContinued(kept, [...records, ...before.records]))
    .flatMap(({ archiveId }) =>
      archiveId === undefined || named.has(archiveId) ? [] : [archiveId],
    );
}

function withoutTexts(kept: KeptRecord): KeptRecord {
  if (!isWhole(kept)) return kept;
  const { lastIds: _, ...rest } = kept;
  return { ...rest, record: figuresOf(kept) };
}

/**
 * Merges the document of a store with that of this process. The later erasure wins: a store without it has lost it or
 * is out of date, and its older records go. If both have a summary of the same messages, the store's stays. Undone
 * records stay undone, with those that continue them; a summary that is in a prompt anywhere is in use everywhere.
 */
export function mergeDocuments(
  stored: ConversationDocument,
  mine: ConversationDocument,
): ConversationDocument {
  if (stored.epoch !== mine.epoch && stored.epoch !== '') {
    if (stored.epoch > mine.epoch) return stored;
    // The store's earlier erasure also removed what had begun before it.
    const records = mine.records.filter(({ begunAt }) => begunAt > epochMs(stored.epoch));
    // Archives and trees that the store's erasure could not remove still exist.
    const archives = new Set([...stored.left.archives, ...mine.left.archives]);
    const trees = new Set([...stored.left.trees, ...mine.left.trees]);
    return { ...mine, records, left: { archives: [...archives], trees: [...trees] } };
  }
  const undoneLast = new Map<string, UndoneSummary>();
  for (const undone of [...mine.undone, ...stored.undone])
    if (undone.at >= (undoneLast.get(undone.digest)?.at ?? 0))
      undoneLast.set(undone.digest, undone);
  const lost = stored.epoch === mine.epoch ? 0 : epochMs(mine.epoch);
  const isLiving = (kept: KeptRecord): boolean =>
    kept.begunAt > (undoneLast.get(kept.record.prefixDigest)?.at ?? 0) &&
    !isParentUndone(kept, [...undoneLast.values()]);
  const byDigest = new Map<string, KeptRecord>();
  for (const kept of [...stored.records.filter(({ begunAt }) => begunAt > lost), ...mine.records]) {
    if (!isLiving(kept)) continue;
    const first = byDigest.get(kept.record.prefixDigest);
    byDigest.set(kept.record.prefixDigest, first ? joinedRecord(first, kept) : kept);
  }
  return {
    ...stored,
    epoch: mine.epoch,
    records: [...byDigest.values()].toSorted((one, other) => one.begunAt - other.begunAt),
    undone: [...undoneLast.values()]
      .filter(({ digest }) => !byDigest.has(digest))
      .toSorted((one, other) => one.at - other.at),
  };
}

/** Whether the parent of a record is undone. */
export function isParentUndone(
  { parentDigest, begunAt, parentBegunAt = begunAt }: KeptRecord,
  undone: readonly UndoneSummary[],
): boolean {
  return undone.some(({ digest, at }) => digest === parentDigest && at >= parentBegunAt);
}

/** Returns when an epoch began, in milliseconds since the Unix epoch; 0 for the first one. */
export function epochMs(epoch: string): number {
  return epoch === '' ? 0 : Number.parseInt(epoch, 36);
}

/** Merges two records of the same messages: the first one that has its texts, in use if either is. */
function joinedRecord(kept: KeptRecord, other: KeptRecord): KeptRecord {
  const [first, second] = isWhole(other) && !isWhole(kept) ? [other, kept] : [kept, other];
  const standing = isInUse(second) && !isInUse(first) ? second : first;
  return {
    ...first,
    prepared: standing.prepared,
    lastSummarization: standing.lastSummarization,
    ratioIfUndone: standing.ratioIfUndone,
    archiveId: first.archiveId ?? (first.token === second.token ? second.archiveId : undefined),
  };
}

/** Whether two documents agree in epoch, records and undone records. */
export function isUpToDate(document: ConversationDocument, other: ConversationDocument): boolean {
  const told = ({ epoch, records, undone }: ConversationDocument): string =>
    JSON.stringify([
      epoch,
      records.map((kept) => [kept.record.prefixDigest, isInUse(kept), isWhole(kept)]),
      undone.map(({ digest }) => digest),
    ]);
  return told(document) === told(other);
}

/**
 * Returns the leases of living writers: those that were renewed within the time that a lease lasts. The reader's own
 * clock decides, because clocks differ by hours.
 *
 * @param seen - Claims that were seen before, and since when by a monotonic clock.
 * @param leaseMs - Milliseconds that a lease lasts without a renewal.
 */
export function activeLeases(
  { writing }: ConversationDocument,
  seen: Map<string, number>,
  now: number,
  leaseMs: number,
): readonly Lease[] {
  return writing.filter(({ token, until }) => {
    const name = `${token} ${until}`;
    const since = seen.get(name) ?? now;
    seen.set(name, since);
    return now - since <= leaseMs;
  });
}

/** Adds a lease to a document, in place of an earlier one with the same token. */
export function addLease(document: ConversationDocument, writing: Lease): ConversationDocument {
  return { ...document, writing: [...removeLease(document, writing.token).writing, writing] };
}

/** Removes a lease from a document. */
export function removeLease(document: ConversationDocument, token: string): ConversationDocument {
  const writing = document.writing.filter((each) => each.token !== token);
  return writing.length === document.writing.length ? document : { ...document, writing };
}

/** Whether a conversation was erased since an epoch; a document without an erasure was lost and proves nothing. */
export function isErasedSince({ epoch }: ConversationDocument, since: string | undefined): boolean {
  return since !== undefined && epoch !== '' && epoch !== since;
}

/** Adds a summary to a document, unless it has one of the same messages, or the summary's parent is undone. */
export function addSummary(document: ConversationDocument, made: KeptRecord): ConversationDocument {
  return mergeDocuments(document, { ...document, records: [made] });
}

/** Size of the prompt with a summary in place. */
export type PlacedSize = Pick<KeptRecord, 'lastSummarization' | 'ratioIfUndone'>;

/** Marks a prepared summary of a document as in use. */
export function putInPlace(
  document: ConversationDocument,
  digest: string,
  size: PlacedSize,
): ConversationDocument {
  const records = document.records.map((kept) =>
    kept.record.prefixDigest === digest && !isInUse(kept)
      ? { ...kept, ...size, prepared: undefined }
      : kept,
  );
  return { ...document, records };
}

/**
 * Undoes a record of a document with those that continue it, and puts its parent back in place.
 *
 * @param until - Milliseconds since the epoch until which the parent is kept.
 * @param parent - The parent with its texts, if these have left the document.
 */
export function markUndone(
  document: ConversationDocument,
  kept: KeptRecord,
  { now, until, parent }: { now: number; until: number; parent?: SummaryRecord | undefined },
): ConversationDocument {
  const { coveredMessages: count, prefixDigest: digest } = kept.record;
  const { lastSummarization, ratioIfUndone } = kept;
  // Later than all that is being written, whatever the clocks of other processes say.
  const at = Math.max(now, kept.begunAt, ...document.writing.map(({ begunAt }) => begunAt));
  const tokenRatio = ratioIfUndone ?? lastSummarization.tokenRatio;
  const records = document.records
    .filter((each) => ![each.record.prefixDigest, each.parentDigest].includes(digest))
    .map((each) =>
      each.record.prefixDigest === kept.parentDigest
        ? { ...each, record: parent ?? each.record, until }
        : each,
    );
  return {
    ...document,
    records,
    undone: [
      ...document.undone.filter((each) => each.digest !== digest),
      { ...lastSummarization, tokenRatio, count, digest, parentDigest: kept.parentDigest, at },
    ],
  };
}

/**
 * Erases a conversation in a document, which names archives and trees until they are gone.
 *
 * @param others - Other versions of the document, of which nothing stays either.
 * @param isOwn - Whether the messages of a digest are those of the conversation.
 */
export function markErased(
  document: ConversationDocument,
  others: readonly ConversationDocument[],
  epoch: string,
  isOwn: (digest: string) => boolean,
): {
  readonly document: ConversationDocument;
  readonly digests: readonly string[];
} {
  const all = [document, ...others];
  const own = all
    .flatMap(({ records }) => records)
    .filter(({ record }) => isOwn(record.prefixDigest));
  const writing = all.flatMap((each) => each.writing).filter(({ digest }) => isOwn(digest));
  const archives = all.flatMap(({ left }) => left.archives);
  archives.push(...[...writing, ...own].flatMap(({ archiveId = [] }) => archiveId));
  const trees = all.flatMap(({ left }) => left.trees);
  trees.push(...own.flatMap(({ treeId = [] }) => treeId));
  return {
    document: {
      ...emptyDocument,
      epoch,
      records: document.records.filter(({ record }) => !isOwn(record.prefixDigest)),
      undone: document.undone.filter(({ digest }) => !isOwn(digest)),
      left: { archives: [...new Set(archives)], trees: [...new Set(trees)] },
    },
    digests: own.map(({ record }) => record.prefixDigest),
  };
}
