import { namespaceDigits } from '../stores/store-keys.ts';
import type { StoredSummary } from '../../foundations/record/build-record.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { randomId } from '../../foundations/util/digest.ts';
import { boundedMap, type BoundedMap } from '../../foundations/util/maps/bounded-map.ts';
import {
  emptyDocument,
  localBounds,
  trimDocument,
  mergeDocuments,
  type ConversationDocument,
  type KeptRecord,
} from './document.ts';
import type { Flight } from './flight.ts';

/** A summary that is being written. */
export interface SummaryInFlight {
  /** Key of the conversation; conversations that open alike share it. */
  readonly key: string;
  /** Number of messages that it covers, and their digest. */
  readonly count: number;
  readonly digest: string;
  /** Epoch in which it is written: a slow store may not have reported it yet. */
  readonly epoch: () => string;
  readonly flight: Flight<StoredSummary>;
}

/** The most bytes of all documents together, two per character. */
const maxCacheBytes = 24 * 1024 * 1024;

/** The most documents for which the time of the last read from the store is remembered. */
const maxAsked = 10_000;

/**
 * The local cache of a store: it keeps its content whatever the store does. Each store object has one, which all its
 * users share.
 */
export class LocalCache {
  /** Name of the store in keys of this process. */
  readonly id: string = randomId();
  /** When the store was last asked about a document, by `clockMs()`. */
  readonly askedAt: BoundedMap<number> = boundedMap(maxAsked);
  /** Tokens of the leases of this process that have not ended. */
  readonly leases: BoundedMap<true> = boundedMap(maxAsked);
  /** The summaries that this process is writing. */
  readonly flights: Set<SummaryInFlight> = new Set();
  /** Messages covered by the shortest summary that was ever known, in use, prepared or undone. */
  leastCovered: number = Infinity;
  readonly #documents: BoundedMap<ConversationDocument> = boundedMap(
    maxCacheBytes,
    documentBytes,
    // Keys begin with the digits of their namespace, so that no tenant evicts the documents of others.
    (key) => key.slice(0, namespaceDigits),
  );

  /** Returns the cached document of a key; the empty one if there is none. */
  get(key: string): ConversationDocument {
    const document = this.#documents.get(key);
    return document === undefined ? emptyDocument : trimDocument(document, Date.now(), localBounds);
  }

  change(key: string, apply: (document: ConversationDocument) => ConversationDocument): void {
    const document = apply(this.get(key));
    const counts = document.records.map(({ record }) => record.coveredMessages);
    counts.push(...document.undone.map(({ count }) => count));
    this.leastCovered = Math.min(this.leastCovered, ...counts);
    this.#documents.set(key, document);
  }

  /** Merges a document of the store into the cache. */
  mergeFromStore(key: string, stored: ConversationDocument): void {
    this.change(key, (mine) => trimDocument(mergeDocuments(stored, mine), Date.now(), localBounds));
  }

  /** Returns the keys of cached documents that begin with a prefix. It scans all keys. */
  keys(prefix: string): readonly string[] {
    return [...this.#documents.keys()].filter((key) => key.startsWith(prefix));
  }
}

const caches = new WeakMap<SummaryStore, LocalCache>();

/** Returns the local cache of a store object. */
export function localCacheOf(store: SummaryStore): LocalCache {
  const cache = caches.get(store) ?? new LocalCache();
  caches.set(store, cache);
  return cache;
}

const weights = new WeakMap<KeptRecord, number>();

/** Estimates the bytes of a document. Each record is measured once: conversations that open alike share a document. */
function documentBytes(key: string, { records, ...rest }: ConversationDocument): number {
  let bytes = 2 * (key.length + JSON.stringify(rest).length);
  for (const kept of records) {
    const own = weights.get(kept) ?? 2 * JSON.stringify(kept).length;
    weights.set(kept, own);
    bytes += own;
  }
  return bytes;
}
