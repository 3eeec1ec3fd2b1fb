import type { StoredSummary } from '../record/build-record.ts';
import type { RecordFigures, SummaryRecord, LastSummarization } from '../record/summary-record.ts';
import { utf8Length } from '../util/strings.ts';

/** A record as a document holds it: once its texts have left, of what it says only the figures remain. */
export interface KeptRecord extends Omit<StoredSummary, 'record'> {
  readonly record: SummaryRecord | RecordFigures;
  /** Who wrote it: two summaries of the same messages that were written apart differ by it. */
  readonly token: string;
  /** Milliseconds since the epoch at which it was begun: later than all that its writer knew to be undone. */
  readonly begunAt: number;
  /** The same of what it continues: a later one of the same messages, behind an undoing, is another one. */
  readonly parentBegunAt?: number | undefined;
  /** Milliseconds since the epoch until which it is kept. */
  readonly until: number;
}

/** A record that has its texts. */
export type WholeRecord = KeptRecord & StoredSummary;

/** A summary that is being written. */
export interface Writing {
  readonly token: string;
  /** What it will stand for. */
  readonly count: number;
  readonly digest: string;
  /** Milliseconds since the epoch at which it was begun. */
  readonly begunAt: number;
  /** The same from which on it is forgotten: another number as long as its writer lives. */
  readonly until: number;
  /** Where its originals will be. */
  readonly archiveId?: string | undefined;
}

/** Where a summary was undone: the next one is not due before the prompt has grown from there. */
export interface Undone extends LastSummarization {
  readonly count: number;
  readonly digest: string;
  /** Of what it continued. */
  readonly parentDigest?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** All that is known of a conversation, or of those that open alike. */
export interface ConversationDocument {
  /** Another one, that sorts behind the one before, after each erasure; empty before the first. */
  readonly epoch: string;
  /** Newest last. */
  readonly records: readonly KeptRecord[];
  readonly writing: readonly Writing[];
  readonly undone: readonly Undone[];
  /** Ids of archives and trees of what was erased: named until they are gone. */
  readonly left: { readonly archives: readonly string[]; readonly trees: readonly string[] };
}

/** A document of nothing. */
export const emptyDocument: ConversationDocument = {
  epoch: '',
  records: [],
  writing: [],
  undone: [],
  left: { archives: [], trees: [] },
};

/** How large a document may be in a store: sealed, a third more, it stays below 80 kB. */
export const storedBounds = { maxRecords: 64, maxBytes: 56_000 };

/** In a process, which keeps what it made whatever the store has room for. */
export const localBounds: typeof storedBounds = { maxRecords: 512, maxBytes: Infinity };

const maxWriting = 16;
const maxUndone = 8;

/** Whether a record has its texts. */
export function isWhole(kept: KeptRecord): kept is WholeRecord {
  return 'summary' in kept.record;
}

/** Whether it has stood in a prompt: one that was prepared has not, before it is due. */
export function isInUse({ prepared }: Pick<KeptRecord, 'prepared'>): boolean {
  return prepared !== true;
}

/** The figures of a record. */
export function figuresOf({ record }: Pick<KeptRecord, 'record'>): RecordFigures {
  if (!('summary' in record)) return record;
  const { version: _v, summary: _s, activity: _m, keyPoints: _k, context: _c, ...rest } = record;
  const { origins: _o, ...figures } = rest;
  return figures;
}

/** Milliseconds for which a record has its texts once another one continues it: for branches, and for who undoes that. */
const continuedTextsMs = 60 * 60_000;

/** A document without what has expired, and no larger than its bounds: texts that others continue go first. */
export function tidied(
  document: ConversationDocument,
  now: number,
  { maxRecords, maxBytes }: typeof storedBounds,
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
  const isTooLarge = (): boolean =>
    maxBytes !== Infinity && utf8Length(JSON.stringify({ ...rest, records })) > maxBytes;
  while (records.length > 1 && isTooLarge()) {
    const oldest = records.find((kept) => isWhole(kept) && isContinued(kept, records));
    records =
      oldest === undefined
        ? records.slice(1)
        : records.map((kept) => (kept === oldest ? withoutTexts(kept) : kept));
  }
  return { ...rest, records };
}

/** Whether one of the records that is in use continues it. */
export function isContinued({ record }: KeptRecord, records: readonly KeptRecord[]): boolean {
  return records.some((kept) => isInUse(kept) && kept.parentDigest === record.prefixDigest);
}

/** Archives that are named at most of which nothing else tells. */
const maxLeft = 64;

/**
 * A document that goes on naming the archives of what it held before, for an erasure to find: of records that had no
 * room or were written anew, and of summaries whose writer has ended. Those that a record leads to it need not name.
 */
export function namingLeft(
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

function withoutTexts(kept: KeptRecord): KeptRecord {
  if (!isWhole(kept)) return kept;
  const { lastIds: _, ...rest } = kept;
  return { ...rest, record: figuresOf(kept) };
}

/**
 * Brings together what this process knows and what a store has. The later erasure wins; a store that tells of
 * none has lost it, or is behind, and what it has from before goes. Of two summaries of the same messages that of the
 * store stays; what was undone stays so, with what continues it, and what stands in a prompt anywhere is in its place
 * everywhere.
 */
export function union(
  stored: ConversationDocument,
  mine: ConversationDocument,
): ConversationDocument {
  if (stored.epoch !== mine.epoch && stored.epoch !== '') {
    if (stored.epoch > mine.epoch) return stored;
    // Of two erasures at once that of the store took what had been begun by then, too.
    const records = mine.records.filter(({ begunAt }) => begunAt > epochMs(stored.epoch));
    // What that one could not remove is still there.
    const archives = new Set([...stored.left.archives, ...mine.left.archives]);
    const trees = new Set([...stored.left.trees, ...mine.left.trees]);
    return { ...mine, records, left: { archives: [...archives], trees: [...trees] } };
  }
  const undoneLast = new Map<string, Undone>();
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

/** Whether what a record continues is undone. */
export function isParentUndone(
  { parentDigest, begunAt, parentBegunAt = begunAt }: KeptRecord,
  undone: readonly Undone[],
): boolean {
  return undone.some(({ digest, at }) => digest === parentDigest && at >= parentBegunAt);
}

/** When an epoch began, in milliseconds since the epoch; the first one always has. */
export function epochMs(epoch: string): number {
  return epoch === '' ? 0 : Number.parseInt(epoch, 36);
}

/** Of two of the same messages the first one that has its texts, as it stands in a prompt anywhere. */
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

/** Whether a document says all that another one would add. */
export function says(document: ConversationDocument, other: ConversationDocument): boolean {
  const told = ({ epoch, records, undone }: ConversationDocument): string =>
    JSON.stringify([
      epoch,
      records.map((kept) => [kept.record.prefixDigest, isInUse(kept), isWhole(kept)]),
      undone.map(({ digest }) => digest),
    ]);
  return told(document) === told(other);
}

/**
 * The claims of those that still write: not one that has not been renewed for as long as a claim lasts, by the clock of
 * who looks, as clocks differ by hours.
 *
 * @param seen - Claims that were seen before, and since when by a clock that never goes back.
 * @param leaseMs - Milliseconds that a claim lasts.
 */
export function livingClaims(
  { writing }: ConversationDocument,
  seen: Map<string, number>,
  now: number,
  leaseMs: number,
): readonly Writing[] {
  return writing.filter(({ token, until }) => {
    const name = `${token} ${until}`;
    const since = seen.get(name) ?? now;
    seen.set(name, since);
    return now - since <= leaseMs;
  });
}

/** A document in which a summary is being written, anew where it was before. */
export function claimed(document: ConversationDocument, writing: Writing): ConversationDocument {
  return { ...document, writing: [...released(document, writing.token).writing, writing] };
}

/** A document in which it is no more. */
export function released(document: ConversationDocument, token: string): ConversationDocument {
  const writing = document.writing.filter((each) => each.token !== token);
  return writing.length === document.writing.length ? document : { ...document, writing };
}

/** Whether a conversation was erased since an epoch; a document that tells of no erasure has been lost, and says nothing. */
export function isErasedSince({ epoch }: ConversationDocument, since: string | undefined): boolean {
  return since !== undefined && epoch !== '' && epoch !== since;
}

/** A document with a summary that was made, unless it has one of the same messages, or what it continues is undone. */
export function saved(document: ConversationDocument, made: KeptRecord): ConversationDocument {
  return union(document, { ...document, records: [made] });
}

/** How the prompt stands with a summary in its place. */
export type Standing = Pick<KeptRecord, 'lastSummarization' | 'ratioIfUndone'>;

/** A document in which a prepared summary has taken its place. */
export function putInPlace(
  document: ConversationDocument,
  digest: string,
  standing: Standing,
): ConversationDocument {
  const records = document.records.map((kept) =>
    kept.record.prefixDigest === digest && !isInUse(kept)
      ? { ...kept, ...standing, prepared: undefined }
      : kept,
  );
  return { ...document, records };
}

/**
 * A document in which a record is undone with those that continue it, and what it continued is in its place again.
 *
 * @param until - Milliseconds since the epoch until which that is kept.
 * @param parent - With its texts, where these have left the document.
 */
export function withUndone(
  document: ConversationDocument,
  kept: KeptRecord,
  { now, until, parent }: { now: number; until: number; parent?: SummaryRecord | undefined },
): ConversationDocument {
  const { coveredMessages: count, prefixDigest: digest } = kept.record;
  const { lastSummarization, ratioIfUndone } = kept;
  // Behind what is being written, whatever the clocks of others say.
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
 * A document in which a conversation is erased. It goes on naming archives and trees until they are gone.
 *
 * @param others - What else is known, of which nothing stays either.
 * @param isOwn - Whether the messages of a digest are those of the conversation.
 */
export function erased(
  document: ConversationDocument,
  others: readonly ConversationDocument[],
  epoch: string,
  isOwn: (digest: string) => boolean,
): {
  readonly document: ConversationDocument;
  readonly digests: readonly string[];
  /** Ids of archives that may still be written, those included of which an erasure before has not said that they are gone. */
  readonly begun: readonly string[];
} {
  const all = [document, ...others];
  const own = all
    .flatMap(({ records }) => records)
    .filter(({ record }) => isOwn(record.prefixDigest));
  const writing = all.flatMap((each) => each.writing).filter(({ digest }) => isOwn(digest));
  const begun = [
    ...all.flatMap(({ left }) => left.archives),
    ...writing.flatMap(({ archiveId = [] }) => archiveId),
  ];
  const archives = [...begun, ...own.flatMap(({ archiveId = [] }) => archiveId)];
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
    begun,
  };
}
