import { namespaceDigits } from '../stores/store-keys.ts';
import type { StoredSummary } from '../record/build-record.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { boundedMap, type BoundedMap } from '../util/maps/bounded-map.ts';
import {
  emptyDocument,
  localBounds,
  tidied,
  union,
  type ConversationDocument,
  type KeptRecord,
} from './document.ts';
import type { Flight } from './flight.ts';

/** A summary that is being written. */
export interface BegunSummary {
  /** Of the conversation: those that open alike have the same. */
  readonly key: string;
  /** How many messages it stands for, and their digest. */
  readonly count: number;
  readonly digest: string;
  /** The epoch that it is of: a store that is slow may not have told of it yet. */
  readonly epoch: () => string;
  readonly flight: Flight<StoredSummary>;
}

/** Bytes that all documents may take together, as two a character. */
const maxCopyBytes = 24 * 1024 * 1024;

/** Documents of which is remembered when the store was asked. */
const maxAsked = 10_000;

/**
 * What this process knows of a store: it stays known whatever the store does. One for a store object, so that
 * everything that is given the same one shares it.
 */
export class ProcessCopy {
  /** When the store was last asked about a document, by `clockMs()`. */
  readonly askedAt: BoundedMap<number> = boundedMap(maxAsked);
  /** Tokens of the claims of this process that have not ended. */
  readonly claims: BoundedMap<true> = boundedMap(maxAsked);
  /** The summaries that this process is writing. */
  readonly flights: Set<BegunSummary> = new Set();
  /** Messages that the shortest of all summaries stands for that were ever known, in use, prepared or undone. */
  leastCovered: number = Infinity;
  readonly #documents: BoundedMap<ConversationDocument> = boundedMap(
    maxCopyBytes,
    documentBytes,
    // Keys begin with the digits of their namespace: no tenant pushes out what is known of the others.
    (key) => key.slice(0, namespaceDigits),
  );

  /** What is known under the key of a document; the empty one where nothing is. */
  get(key: string): ConversationDocument {
    const document = this.#documents.get(key);
    return document === undefined ? emptyDocument : tidied(document, Date.now(), localBounds);
  }

  change(key: string, apply: (document: ConversationDocument) => ConversationDocument): void {
    const document = apply(this.get(key));
    const counts = document.records.map(({ record }) => record.coveredMessages);
    counts.push(...document.undone.map(({ count }) => count));
    this.leastCovered = Math.min(this.leastCovered, ...counts);
    this.#documents.set(key, document);
  }

  /** Brings what is known together with what a store has. */
  hear(key: string, stored: ConversationDocument): void {
    this.change(key, (mine) => tidied(union(stored, mine), Date.now(), localBounds));
  }

  /** Keys of documents of which something is known, that begin so. Looks at every key. */
  keys(prefix: string): readonly string[] {
    return [...this.#documents.keys()].filter((key) => key.startsWith(prefix));
  }
}

const copies = new WeakMap<SummaryStore, ProcessCopy>();

/** The copy that belongs to a store object. */
export function processCopyOf(store: SummaryStore): ProcessCopy {
  const copy = copies.get(store) ?? new ProcessCopy();
  copies.set(store, copy);
  return copy;
}

const weights = new WeakMap<KeptRecord, number>();

/** Each record is counted once: conversations that open alike stand in one document. */
function documentBytes(key: string, { records, ...rest }: ConversationDocument): number {
  let bytes = 2 * (key.length + JSON.stringify(rest).length);
  for (const kept of records) {
    const own = weights.get(kept) ?? 2 * JSON.stringify(kept).length;
    weights.set(kept, own);
    bytes += own;
  }
  return bytes;
}
