import { namespaceDigits } from '../stores/store-keys.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { clockMs } from '../util/clock-ms.ts';
import { boundedMap, type BoundedMap } from '../util/maps/bounded-map.ts';
import { listCache, lookedUp } from '../util/maps/cache-figures.ts';
import { fairMap } from '../util/maps/fair-map.ts';
import {
  emptyDocument,
  localBounds,
  tidied,
  union,
  type ConversationDocument,
  type KeptRecord,
} from './document.ts';

/** A summary that is being written. */
export interface BegunSummary {
  /** How many messages it stands for, and their digest. */
  readonly count: number;
  readonly digest: string;
  /** The epoch that it is of: a store that is slow may not have told of it yet. */
  readonly epoch: () => string;
  /** What those who share it call it. */
  readonly flight: string;
}

/**
 * What this process knows of a store: it stays known whatever the store does. One for a store object, so that
 * everything that is given the same one shares it.
 */
export interface ProcessCopy {
  /** What is known under the key of a document; the empty one where nothing is. */
  readonly get: (key: string) => ConversationDocument;
  readonly set: (key: string, document: ConversationDocument) => void;
  /** Brings what is known together with what a store has. */
  readonly hear: (key: string, stored: ConversationDocument) => void;
  /** Keys of documents of which something is known, that begin so. Looks at every key. */
  readonly keys: (prefix: string) => readonly string[];
  readonly isEmpty: () => boolean;
  /** When the store was last asked about a document, by `clockMs()`. */
  readonly askedAt: BoundedMap<number>;
  /** The summaries that this process is writing. */
  readonly writing: (key: string) => ReadonlySet<BegunSummary>;
  /** Whether it is writing none. */
  readonly isIdle: () => boolean;
  /**
   * Says that one is being written.
   *
   * @returns what says that it is no more.
   */
  readonly begin: (key: string, begun: BegunSummary) => () => void;
  /**
   * Reserves something for who is first.
   *
   * @returns what ends that; `undefined` where somebody has it.
   */
  readonly reserve: (name: string) => (() => void) | undefined;
  /** Resolves when nobody has it any more. */
  readonly unreserved: (name: string) => Promise<void>;
}

/** Bytes that all documents may take together, as two a character. */
const maxCopyBytes = 24 * 1024 * 1024;

/** Documents of which is remembered when the store was asked. */
const maxAsked = 10_000;

/** Milliseconds after which a preparation may have ended with its request, without a word. */
const longestPreparationMs = 5 * 60_000;

const copies = new WeakMap<SummaryStore, ProcessCopy>();

const weights = new WeakMap<KeptRecord, number>();

/** Bytes of a record, counted once: conversations that open alike stand in one document. */
function bytesOf(kept: KeptRecord): number {
  const bytes = weights.get(kept) ?? 2 * JSON.stringify(kept).length;
  weights.set(kept, bytes);
  return bytes;
}

/** The copy that belongs to a store object. */
export function processCopyOf(store: SummaryStore): ProcessCopy {
  const copy = copies.get(store) ?? processCopy();
  copies.set(store, copy);
  return copy;
}

// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
function processCopy(): ProcessCopy {
  const documents = fairMap<ConversationDocument>({
    maxWeight: maxCopyBytes,
    weightOf: (key, { records, ...rest }) =>
      records.reduce(
        (sum, kept) => sum + bytesOf(kept),
        2 * (key.length + JSON.stringify(rest).length),
      ),
    // Keys begin with the digits of their namespace: no tenant pushes out what is known of the others.
    groupOf: (key) => key.slice(0, namespaceDigits),
  });
  listCache('copies', documents.size);
  const writing = new Map<string, Set<BegunSummary>>();
  const reserved = new Map<string, { readonly since: number; readonly ended: Promise<void> }>();
  const get: ProcessCopy['get'] = (key) => {
    const document = lookedUp('copies', documents.get(key));
    return document === undefined ? emptyDocument : tidied(document, Date.now(), localBounds);
  };
  return {
    get,
    set: (key, document) => documents.set(key, document),
    hear: (key, stored) =>
      documents.set(key, tidied(union(stored, get(key)), Date.now(), localBounds)),
    keys: (prefix) => [...documents.keys()].filter((key) => key.startsWith(prefix)),
    isEmpty: () => documents.size() === 0,
    askedAt: boundedMap(maxAsked),
    writing: (key) => writing.get(key) ?? new Set(),
    isIdle: () => writing.size === 0,
    begin: (key, begun) => {
      const all = writing.get(key) ?? new Set();
      writing.set(key, all.add(begun));
      return () => {
        all.delete(begun);
        if (all.size === 0) writing.delete(key);
      };
    },
    reserve: (name) => {
      const held = reserved.get(name);
      if (held !== undefined && clockMs() - held.since < longestPreparationMs) return undefined;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const entry = { since: clockMs(), ended };
      reserved.set(name, entry);
      return () => {
        if (reserved.get(name) === entry) reserved.delete(name);
        resolve();
      };
    },
    unreserved: async (name) => reserved.get(name)?.ended,
  };
}
