import { parseJson } from '../../json/parse-json.ts';
import type { LastSummarization } from '../../record/stored-summary.ts';
import { isCount } from '../../util/is-count.ts';
import { isObject } from '../../util/is-object.ts';

/** A summarised prefix of the conversations that are alike so far. */
export interface IndexedPrefix {
  /** Messages of it that identify the conversation. */
  readonly count: number;
  /** Digest of the prefix. */
  readonly digest: string;
  /** Where the originals of its record are, if they are kept. */
  readonly archiveId?: string | undefined;
}

/** A prefix whose summary was undone: the next one is not due before the prompt has grown from there. */
export interface UndonePrefix extends IndexedPrefix, LastSummarization {}

/** The records of conversations that are alike up to some message. */
export interface PrefixIndex {
  /** The newest ones, newest last. */
  readonly entries: readonly IndexedPrefix[];
  /** How many messages those stand for that have no entry any more, each number once, newest last. */
  readonly counts: readonly number[];
  /** Another one after each erasure: what was begun before must not be listed after it. */
  readonly erasure?: string | undefined;
  /** The newest ones, newest last. */
  readonly undone?: readonly UndonePrefix[] | undefined;
  /**
   * What is being written, newest last: nobody looks for it yet, but whatever is left of it where a process
   * ends in the middle can be erased.
   */
  readonly begun?: readonly IndexedPrefix[] | undefined;
}

/** An index of nothing. */
export const emptyIndex: PrefixIndex = { entries: [], counts: [] };

/**
 * Entries an index keeps. Of conversations that share more than these, the numbers of messages remain: there
 * are few of them, as a list spans few messages, and each may be asked for.
 */
const maxEntries = 64;
const maxCounts = 64;
const maxUndonePrefixes = 8;
const maxBegun = 16;

/** Reads a stored index; whatever does not parse is an empty one. */
export function parsePrefixIndex(text: string): PrefixIndex {
  const index = parseJson(text);
  const { entries, counts, erasure, undone = [], begun = [] } = isObject(index) ? index : {};
  const isValid =
    isListOf(entries, isEntry, maxEntries) &&
    isListOf(counts, isCount, maxCounts) &&
    isListOf(undone, isUndone, maxUndonePrefixes) &&
    isListOf(begun, isEntry, maxBegun);
  if (!isValid) return emptyIndex;
  return {
    entries,
    counts,
    ...(typeof erasure === 'string' ? { erasure } : {}),
    ...(undone.length > 0 ? { undone } : {}),
    ...(begun.length > 0 ? { begun } : {}),
  };
}

function isListOf<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
  most: number,
): value is readonly Item[] {
  return Array.isArray(value) && value.length <= most && value.every(isItem);
}

/** Adds an entry as the newest one. The same object when it is there. */
export function addPrefix(index: PrefixIndex, prefix: IndexedPrefix): PrefixIndex {
  if (index.entries.some(({ digest }) => digest === prefix.digest)) return index;
  const entries = [...index.entries, prefix];
  const fallen = entries.splice(0, entries.length - maxEntries).map(({ count }) => count);
  const counts = [...index.counts.filter((count) => !fallen.includes(count)), ...fallen];
  const undone = index.undone?.filter(({ digest }) => digest !== prefix.digest);
  return { ...index, entries, counts: counts.slice(-maxCounts), undone };
}

/** Names what is being written. */
export function beginPrefix(index: PrefixIndex, prefix: IndexedPrefix): PrefixIndex {
  const begun = [...(index.begun ?? []), prefix];
  return { ...index, begun: begun.slice(-maxBegun) };
}

/** An index without something that is not being written any more. The same object when it is not there. */
export function endPrefix(
  index: PrefixIndex,
  { digest, archiveId }: Pick<IndexedPrefix, 'digest' | 'archiveId'>,
): PrefixIndex {
  const isOther = (each: IndexedPrefix): boolean =>
    each.digest !== digest || each.archiveId !== archiveId;
  if (index.begun?.every(isOther) !== false) return index;
  return { ...index, begun: index.begun.filter(isOther) };
}

/** An index under the erasure that it is known to have had, should the store have lost it. The same object otherwise. */
export function keepErasure(index: PrefixIndex, erasure: string | undefined): PrefixIndex {
  return index.erasure === undefined && erasure !== undefined ? { ...index, erasure } : index;
}

/** An index in which a prefix is undone. */
export function undoPrefix(index: PrefixIndex, undone: UndonePrefix): PrefixIndex {
  const others = (index.undone ?? []).filter(({ digest }) => digest !== undone.digest);
  return {
    ...index,
    entries: index.entries.filter(({ digest }) => digest !== undone.digest),
    undone: [...others, undone].slice(-maxUndonePrefixes),
  };
}

/** An index under another erasure, without what was undone: what was begun before is not listed any more. */
export function markErased(index: PrefixIndex, erasure: string): PrefixIndex {
  return { ...index, erasure, undone: undefined };
}

/** An index without the entries of some digests, what is being written of them included. */
export function erasePrefixes(index: PrefixIndex, digests: ReadonlySet<string>): PrefixIndex {
  const entries = index.entries.filter(({ digest }) => !digests.has(digest));
  const begun = index.begun?.filter(({ digest }) => !digests.has(digest));
  return { ...index, entries, begun };
}

/** What an index names, and what is being written or was left in the middle. */
export function prefixesIn({ entries, begun = [] }: PrefixIndex): readonly IndexedPrefix[] {
  return [...entries, ...begun];
}

function isEntry(entry: unknown): entry is IndexedPrefix {
  if (!isObject(entry)) return false;
  const { count, digest, archiveId } = entry;
  const isArchived = archiveId === undefined || typeof archiveId === 'string';
  return isCount(count) && typeof digest === 'string' && isArchived;
}

function isUndone(entry: unknown): entry is UndonePrefix {
  if (!isEntry(entry)) return false;
  const { depth, messageCount, tokenRatio }: Partial<Record<keyof UndonePrefix, unknown>> = entry;
  return [depth, messageCount, tokenRatio].every((each) => Number.isFinite(each));
}
