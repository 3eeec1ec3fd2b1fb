import { clockMs } from '../../util/clock-ms.ts';
import type { StoredSummary } from '../../record/stored-summary.ts';
import { namespaceDigits } from '../../stores/seal/store-keys.ts';
import type { SummaryStore } from '../../stores/summary-store.ts';
import type { UndonePrefix } from '../prefixes/prefix-index.ts';
import { boundedMap, type BoundedMap } from '../../util/maps/bounded-map.ts';
import { listCache, lookedUp } from '../../util/maps/cache-figures.ts';
import { fairMap } from '../../util/maps/fair-map.ts';
import type { KnownSummary } from './known-summary.ts';
import type { Saves } from './saving.ts';

/**
 * What this process knows of a store: it stays known whatever the store does. One for a store object, so that
 * everything that is given the same one shares it.
 */
export interface ProcessCopy {
  /** The summary of a prefix, of those listed under a key. */
  readonly get: (listKey: string, digest: string) => KnownSummary | undefined;
  readonly keep: (listKey: string, known: KnownSummary) => void;
  readonly forget: (listKey: string, digest: string) => void;
  /**
   * How many messages the summaries under a list stand for, each number once, the largest first. Where many
   * conversations open alike, they are also filed under the last list that names each in the store.
   */
  readonly counts: (listKey: string) => readonly number[];
  /** Digests of the newest summaries under a list, the newest first. */
  readonly newest: (listKey: string) => readonly string[];
  /** Digests of all summaries under a list. Looks at every key that is known. */
  readonly digests: (listKey: string) => readonly string[];
  /** Lists that the summary under a store key is known under. Looks at every key that is known. */
  readonly homesOf: (key: string) => readonly string[];
  /** Whether anything was undone that it knows of. */
  readonly hasUndone: () => boolean;
  /** What was undone of the conversations under a list, the newest last. */
  readonly undone: (listKey: string) => readonly UndonePrefix[];
  /** Keeps in mind what was undone, as long as there is not too much of it. */
  readonly undo: (listKey: string, undone: readonly UndonePrefix[]) => void;
  /** Summaries under a list that this process is writing: how many messages each stands for, by their digest. */
  readonly writing: (listKey: string) => ReadonlyMap<string, BegunPrefix>;
  /**
   * Says that one is being written.
   *
   * @returns what says that it is no more.
   */
  readonly begin: (listKey: string, digest: string, count: number) => () => void;
  /** Summaries that this process is saving. */
  readonly saves: Saves;
  /**
   * Reserves something for who is first.
   *
   * @returns what ends that; `undefined` where somebody has it.
   */
  readonly reserve: (name: string) => (() => void) | undefined;
  /** Whether nothing is known. */
  readonly isEmpty: () => boolean;
  /** When the store was last asked about a conversation, by `clockMs()`. */
  readonly askedAt: BoundedMap<number>;
}

/**
 * Bytes of summaries that are known of one store, all namespaces together, by their texts: with what holds
 * them, 100,000 conversations were measured to take a third more, which 32 MiB are enough for.
 */
const maxCopyBytes = 24 * 1024 * 1024;
/** Bytes of the key of a list with its erasure, as measured. */
const erasureBytes = 200;
/** Lists, one for all conversations that open alike: more than there is room for their summaries. */
const maxLists = 20_000;
/** Lengths of summaries beyond which a list is crowded: so many are tried. */
export const maxTried = 64;
/** Conversations of which is remembered when the store was asked. */
const maxAsked = 10_000;

/** Conversations of which is remembered what was undone. */
const maxUndone = 10_000;
/** Of those that open alike. */
const maxUndoneOfList = 64;

/** Summaries of a conversation that a window of it is compared with. */
export const maxNewest = 3;

/** How many messages a summary stands for that is being written. */
interface BegunPrefix {
  readonly count: number;
}

interface KnownList {
  readonly counts: readonly number[];
  readonly newest: readonly string[];
}

const copies = new WeakMap<SummaryStore, ProcessCopy>();

/** The copy that belongs to a store object. */
export function processCopyOf(store: SummaryStore): ProcessCopy {
  const copy = copies.get(store) ?? processCopy();
  copies.set(store, copy);
  return copy;
}

/** Milliseconds after which a preparation may have ended with its request, without a word. */
const longestPreparationMs = 5 * 60_000;

// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
function processCopy(): ProcessCopy {
  const summaries = fairMap<KnownSummary>({
    maxWeight: maxCopyBytes,
    weightOf: (key, { summary, winner, erasures }) =>
      2 * (key.length + JSON.stringify([summary, winner]).length) + erasureBytes * erasures.size,
    groupOf,
  });
  listCache('copies', summaries.size);
  const undone = boundedMap<readonly UndonePrefix[]>(maxUndone);
  const reserved = new Map<string, number>();
  const writing = new Map<string, Map<string, BegunPrefix>>();
  const lists = fairMap<KnownList>({ maxWeight: maxLists, weightOf: () => 1, groupOf });
  const digestsOf = (listKey: string): readonly string[] =>
    [...summaries.keys()]
      .filter((name) => name.startsWith(nameOf(listKey, '')))
      .map((name) => name.slice(nameOf(listKey, '').length));
  /** Returns whether there was no such length under the list. */
  const file = (listKey: string, { record }: StoredSummary): boolean => {
    const { coveredMessages, prefixDigest } = record;
    const { counts, newest } = lists.get(listKey) ?? { counts: [], newest: [] };
    const isNew = !counts.includes(coveredMessages);
    lists.set(listKey, {
      counts: isNew ? [...counts, coveredMessages].toSorted((a, b) => b - a) : counts,
      newest: [prefixDigest, ...newest.filter((digest) => digest !== prefixDigest)].slice(
        0,
        maxNewest,
      ),
    });
    return isNew;
  };
  const fileInCrowd = (summary: StoredSummary | undefined): void => {
    const listKey = summary?.listKeys?.at(-1);
    if (summary !== undefined && listKey !== undefined) file(listKey, summary);
  };
  return {
    get: (listKey, digest) => {
      const known = lookedUp('copies', summaries.get(nameOf(listKey, digest)));
      if (known === undefined || known.expiresAt > Date.now()) return known;
      summaries.delete(nameOf(listKey, digest));
      return undefined;
    },
    keep: (listKey, known) => {
      const { summary } = known;
      summaries.set(nameOf(listKey, summary.record.prefixDigest), known);
      const isNew = file(listKey, summary);
      const lengths = lists.get(listKey)?.counts.length ?? 0;
      if (lengths <= maxTried) return;
      if (!isNew || lengths > maxTried + 1) return fileInCrowd(summary);
      for (const digest of digestsOf(listKey))
        fileInCrowd(summaries.peek(nameOf(listKey, digest))?.summary);
    },
    forget: (listKey, digest) => summaries.delete(nameOf(listKey, digest)),
    counts: (listKey) => lists.get(listKey)?.counts ?? [],
    newest: (listKey) => lists.get(listKey)?.newest ?? [],
    digests: digestsOf,
    homesOf: (key) =>
      [...summaries.keys()]
        .filter((name) => summaries.peek(name)?.key === key)
        .map((name) => name.slice(0, name.indexOf(' '))),
    hasUndone: () => undone.size() > 0,
    undone: (listKey) => undone.get(listKey) ?? [],
    undo: (listKey, more) => {
      if (more.length === 0) return;
      const digests = new Set(more.map(({ digest }) => digest));
      const others = (undone.get(listKey) ?? []).filter(({ digest }) => !digests.has(digest));
      undone.set(listKey, [...others, ...more].slice(-maxUndoneOfList));
    },
    writing: (listKey) => writing.get(listKey) ?? new Map(),
    begin: (listKey, digest, count) => {
      const begun = writing.get(listKey) ?? new Map<string, BegunPrefix>();
      const entry = { count };
      writing.set(listKey, begun.set(digest, entry));
      return () => {
        // Who has begun the same since ends that.
        if (begun.get(digest) === entry) begun.delete(digest);
        if (begun.size === 0 && writing.get(listKey) === begun) writing.delete(listKey);
      };
    },
    saves: new Map(),
    reserve: (name) => {
      const now = clockMs();
      const since = reserved.get(name);
      if (since !== undefined && now - since < longestPreparationMs) return undefined;
      reserved.set(name, now);
      return () => void (reserved.get(name) === now && reserved.delete(name));
    },
    isEmpty: () => summaries.size() === 0,
    askedAt: boundedMap(maxAsked),
  };
}

/** Keys begin with the digits of their namespace: no tenant pushes out what is known of the others. */
function groupOf(key: string): string {
  return key.slice(0, namespaceDigits);
}

function nameOf(listKey: string, digest: string): string {
  return `${listKey} ${digest}`;
}
