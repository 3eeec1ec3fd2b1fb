import type { LastSummarization, StoredSummary } from '../record/stored-summary.ts';
import type { RecordFigures, SummaryRecord } from '../record/summary-record.ts';
import { utf8Length } from '../util/strings.ts';

/** A record as a document holds it: once its texts have left, of what it says only the figures remain. */
export interface KeptRecord extends Omit<StoredSummary, 'record'> {
  readonly record: SummaryRecord | RecordFigures;
  /** Who wrote it: two summaries of the same messages that were written apart differ by it. */
  readonly token: string;
  /** Milliseconds since the epoch at which it was kept, until which its texts stay, and it itself. */
  readonly keptAt: number;
  readonly textsUntil: number;
  readonly until: number;
  /** Digest of what the record stands for that took its place. */
  readonly child?: string | undefined;
}

/** A record that has its texts. */
export type WholeRecord = KeptRecord & StoredSummary;

/** A summary that is being written. */
export interface Writing {
  readonly token: string;
  /** What it will stand for. */
  readonly count: number;
  readonly digest: string;
  /** Milliseconds since the epoch from which on it is forgotten: another number as long as its writer lives. */
  readonly until: number;
  /** Where its originals will be. */
  readonly archiveId?: string | undefined;
}

/** Where a summary was undone: the next one is not due before the prompt has grown from there. */
export interface Undone extends LastSummarization {
  readonly count: number;
  readonly digest: string;
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
  const { version: _v, summary: _s, minutes: _m, keyPoints: _k, context: _c, ...rest } = record;
  const { origins: _o, ...figures } = rest;
  return figures;
}

/** A document without what has expired, and no larger than its bounds: texts that others continue go first. */
export function tidied(
  document: ConversationDocument,
  now: number,
  { maxRecords, maxBytes }: typeof storedBounds,
): ConversationDocument {
  let records = document.records
    .filter(({ until }) => until > now)
    .map((kept) => (kept.textsUntil > now ? kept : withoutTexts(kept)))
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
    const oldest = records.find((kept) => kept.child !== undefined && isWhole(kept));
    records =
      oldest === undefined
        ? records.slice(1)
        : records.map((kept) => (kept === oldest ? withoutTexts(kept) : kept));
  }
  return { ...rest, records };
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
  const last = before.records.filter(({ child }) => child === undefined);
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
 * store stays; what was undone stays so, and what stands in a prompt anywhere is in its place everywhere.
 */
export function union(
  stored: ConversationDocument,
  mine: ConversationDocument,
): ConversationDocument {
  if (stored.epoch !== mine.epoch && stored.epoch !== '') {
    if (stored.epoch > mine.epoch) return stored;
    // Of two erasures at once that of the store took what had been kept by then, too.
    const records = mine.records.filter(({ keptAt }) => keptAt > epochMs(stored.epoch));
    return records.length === mine.records.length ? mine : { ...mine, records };
  }
  const undoneLast = new Map<string, Undone>();
  for (const undone of [...mine.undone, ...stored.undone])
    if (undone.at >= (undoneLast.get(undone.digest)?.at ?? 0))
      undoneLast.set(undone.digest, undone);
  const lost = stored.epoch === mine.epoch ? 0 : epochMs(mine.epoch);
  const living = ({ record, keptAt }: KeptRecord): boolean =>
    keptAt > (undoneLast.get(record.prefixDigest)?.at ?? 0);
  const theirs = stored.records.filter((kept) => kept.keptAt > lost && living(kept));
  const ours = mine.records.filter(living);
  const held = new Set([...theirs, ...ours].map(({ record }) => record.prefixDigest));
  const byDigest = new Map<string, KeptRecord>();
  for (const kept of [...theirs, ...ours]) {
    const { child } = kept;
    // What was in its place, and is undone, is so for who has not heard of it, too.
    const isBack = child !== undefined && undoneLast.has(child) && !held.has(child);
    const whole = isBack ? { ...kept, child: undefined, textsUntil: kept.until } : kept;
    const first = byDigest.get(kept.record.prefixDigest);
    byDigest.set(kept.record.prefixDigest, first ? joinedRecord(first, whole) : whole);
  }
  return {
    ...stored,
    epoch: mine.epoch,
    records: [...byDigest.values()].toSorted((one, other) => one.keptAt - other.keptAt),
    undone: [...undoneLast.values()]
      .filter(({ digest }) => !held.has(digest))
      .toSorted((one, other) => one.at - other.at),
  };
}

/** When an epoch began, in milliseconds since the epoch; the first one always has. */
export function epochMs(epoch: string): number {
  return epoch === '' ? 0 : Number.parseInt(epoch, 36);
}

function joinedRecord(kept: KeptRecord, other: KeptRecord): KeptRecord {
  const isSame = kept.token === other.token;
  const standing =
    isInUse(other) && !isInUse(kept)
      ? { prepared: undefined, lastSummarization: other.lastSummarization }
      : {};
  return {
    ...kept,
    ...standing,
    record: isSame && isWhole(other) && !isWhole(kept) ? other.record : kept.record,
    child: kept.child ?? other.child,
    textsUntil: Math.min(kept.textsUntil, other.textsUntil),
    archiveId: isSame ? (kept.archiveId ?? other.archiveId) : kept.archiveId,
  };
}

/** Whether a document says all that another one would add. */
export function says(document: ConversationDocument, other: ConversationDocument): boolean {
  const told = ({ epoch, records, undone }: ConversationDocument): string =>
    JSON.stringify([
      epoch,
      records.map((kept) => [kept.record.prefixDigest, isInUse(kept), isWhole(kept), kept.child]),
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

/** Under which a summary is kept. */
export interface SaveTerms {
  /** The epoch that it was begun in; `undefined` where that is not known. */
  readonly since: string | undefined;
  /** Whether something had been undone when it was begun. */
  readonly wasUndone: (undone: Undone) => boolean;
  /** Milliseconds that the texts of what it continues are kept from now on. */
  readonly textsMs: number;
  readonly now: number;
}

/**
 * Whether a summary is not to be kept: its conversation was erased since it was begun, what it continues undone, which
 * it found in its place, or what it stands for undone since it was begun.
 */
export function isRefused(
  document: ConversationDocument,
  { parent, digest }: { readonly parent?: string | undefined; readonly digest?: string },
  { since, wasUndone }: Pick<SaveTerms, 'since' | 'wasUndone'>,
): boolean {
  return (
    isErasedSince(document, since) ||
    document.undone.some(
      (each) => each.digest === parent || (each.digest === digest && !wasUndone(each)),
    )
  );
}

/**
 * Keeps a summary, unless it is refused or there is one of the same messages.
 *
 * @returns The document then, and the summary that is kept; `undefined` where it is refused.
 */
export function saved(
  document: ConversationDocument,
  made: WholeRecord,
  terms: SaveTerms,
): { readonly document: ConversationDocument; readonly kept: WholeRecord | undefined } {
  const { prefixDigest: digest } = made.record;
  const parent = made.parentDigest;
  const { since, textsMs, now } = terms;
  if (isRefused(document, { parent, digest }, terms)) return { document, kept: undefined };
  const open = { ...released(document, made.token), epoch: since ?? document.epoch };
  const first = open.records.find((kept) => kept.record.prefixDigest === digest);
  if (first !== undefined && first.token !== made.token && isWhole(first)) {
    const kept = { ...joinedRecord(first, made), record: first.record };
    const records = open.records.map((each) => (each === first ? kept : each));
    return { document: { ...open, records }, kept };
  }
  const undoneAt = open.undone.find((undone) => undone.digest === digest)?.at ?? 0;
  const kept = { ...made, keptAt: Math.max(now, undoneAt + 1) };
  const next = {
    ...open,
    records: [...open.records.filter((each) => each !== first), kept],
    undone: open.undone.filter((each) => each.digest !== digest),
  };
  return {
    document: isInUse(kept) ? superseded(next, parent, digest, now + textsMs) : next,
    kept,
  };
}

/** Whether a conversation was erased since an epoch; a document that tells of no erasure has been lost, and says nothing. */
export function isErasedSince({ epoch }: ConversationDocument, since: string | undefined): boolean {
  return since !== undefined && epoch !== '' && epoch !== since;
}

/** A document in which the texts of a record leave soon, as another one has taken its place. */
export function superseded(
  document: ConversationDocument,
  digest: string | undefined,
  child: string,
  textsUntil: number,
): ConversationDocument {
  const records = document.records.map((kept) =>
    kept.record.prefixDigest === digest
      ? { ...kept, child, textsUntil: Math.min(kept.textsUntil, textsUntil) }
      : kept,
  );
  return { ...document, records };
}

/** How the prompt stands with a summary in its place. */
export type Standing = Pick<StoredSummary, 'lastSummarization' | 'ratioIfUndone'>;

/** A document in which a prepared summary has taken its place. */
export function putInPlace(
  document: ConversationDocument,
  digest: string,
  standing: Standing,
  textsUntil: number,
): ConversationDocument {
  const prepared = document.records.find(({ record }) => record.prefixDigest === digest);
  if (prepared === undefined || isInUse(prepared)) return document;
  const records = document.records.map((kept) =>
    kept === prepared ? { ...kept, ...standing, prepared: undefined } : kept,
  );
  return superseded({ ...document, records }, prepared.parentDigest, digest, textsUntil);
}

/**
 * A document in which a record is undone, and what it continued is in its place again.
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
  const at = Math.max(now, kept.keptAt);
  const tokenRatio = ratioIfUndone ?? lastSummarization.tokenRatio;
  const records = document.records
    .filter(({ record }) => record.prefixDigest !== digest)
    .map((each) =>
      each.record.prefixDigest === kept.parentDigest
        ? { ...each, record: parent ?? each.record, child: undefined, textsUntil: until, until }
        : each,
    );
  return {
    ...document,
    records,
    undone: [
      ...document.undone.filter((each) => each.digest !== digest),
      { ...lastSummarization, tokenRatio, count, digest, at },
    ],
  };
}

/**
 * A document in which a conversation is erased. It goes on naming archives and trees until they are gone.
 *
 * @param isOwn - Whether the messages of a digest are those of the conversation.
 */
export function erased(
  document: ConversationDocument,
  epoch: string,
  isOwn: (digest: string) => boolean,
): {
  readonly document: ConversationDocument;
  readonly records: readonly KeptRecord[];
  /** Ids of archives that may still be written, those included of which an erasure before has not said that they are gone. */
  readonly begun: readonly string[];
} {
  const ofOwn = ({ record }: KeptRecord): boolean => isOwn(record.prefixDigest);
  const own = document.records.filter(ofOwn);
  const begun = document.writing.flatMap(({ digest, archiveId }) =>
    isOwn(digest) && archiveId !== undefined ? [archiveId] : [],
  );
  const archives = [...own.flatMap(({ archiveId }) => archiveId ?? []), ...begun];
  const trees = own.flatMap(({ treeId }) => treeId ?? []);
  return {
    document: {
      ...emptyDocument,
      epoch,
      records: document.records.filter((kept) => !ofOwn(kept)),
      undone: document.undone.filter(({ digest }) => !isOwn(digest)),
      left: {
        archives: [...new Set([...document.left.archives, ...archives])],
        trees: [...new Set([...document.left.trees, ...trees])],
      },
    },
    records: own,
    begun: [...document.left.archives, ...begun],
  };
}
