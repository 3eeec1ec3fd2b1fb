import { parseJson } from '../util/json.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import { delay } from '../util/async/waiting.ts';
import { isObject } from '../util/is-object.ts';
import { cleanRecord } from '../cleaning/clean-content.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { summaryRecordSchema } from '../record/record-schemas.ts';
import {
  emptyDocument,
  isWhole,
  namingLeft,
  storedBounds,
  tidied,
  type ConversationDocument,
  type KeptRecord,
} from './document.ts';

/** Where a document stands. */
export interface DocumentPlace {
  readonly store: SealedStore;
  readonly key: string;
  /** Milliseconds that it is kept at least. */
  readonly retentionMs: number;
}

/** A document as a store has it. */
export interface StoredDocument {
  /** Whether the store answered. */
  readonly known: boolean;
  /** What stands there; `undefined`: nothing. */
  readonly raw?: string | undefined;
  readonly isEncrypted?: boolean | undefined;
  /** `undefined` where nothing stands there that we can read. */
  readonly document?: ConversationDocument | undefined;
}

/** Reads a document. */
export async function readDocument(
  store: Pick<SealedStore, 'read'>,
  key: string,
): Promise<StoredDocument> {
  const { text, ...read } = await store.read(key);
  return { ...read, document: text === undefined ? undefined : parseDocument(text) };
}

/**
 * What a text says that was sealed under the key of a document; `undefined` where it is none. Its records pass like those
 * that are written: whoever sealed them may have been another version of the package.
 */
export function parseDocument(text: string): ConversationDocument | undefined {
  const value = parseJson(text);
  if (!isDocument(value)) return undefined;
  const records = value.records.flatMap((kept) => readRecord(kept) ?? []);
  return records.length < value.records.length ? undefined : { ...value, records };
}

function isDocument(value: unknown): value is ConversationDocument {
  return isObject(value) && Array.isArray(value['records']);
}

function readRecord(kept: KeptRecord): KeptRecord | undefined {
  if (!isWhole(kept)) return kept;
  const { data } = summaryRecordSchema.safeParse(kept.record);
  return data && { ...kept, record: cleanRecord(data, visibleText) };
}

/** What a document is changed to: the same one where nothing is to be written. */
export type DocumentChange = (
  document: ConversationDocument,
) => ConversationDocument | Promise<ConversationDocument>;

/** Times that others may be faster. */
const maxAttempts = 24;

/** Milliseconds up to which is waited between two attempts, at random. */
const longestPauseMs = 40;

/**
 * The one way to change a document: reads it, applies a function to it, and writes it back if nobody was faster, else
 * again. Nothing is written where the function gives back what it was given.
 *
 * @param first - What was read before, so that it need not be read again.
 * @returns What stands there then; not `known` where the store does not say that it was written.
 */
export async function changeDocument(
  { store, key, retentionMs }: DocumentPlace,
  apply: DocumentChange,
  first?: StoredDocument,
): Promise<StoredDocument> {
  let read = first?.known === true ? first : await readDocument(store, key);
  for (let attempt = 1; ; attempt += 1) {
    if (!read.known) return { known: false };
    const now = Date.now();
    const before = read.document ?? emptyDocument;
    const applied = await apply(before);
    if (applied === before) return read;
    const document = namingLeft(tidied(applied, now, storedBounds), before);
    const ttlMs = Math.max(retentionMs, ...document.records.map(({ until }) => until - now));
    const text = JSON.stringify(document);
    const { outcome, raw } = await store.write(key, text, {
      ttlMs,
      expected: read.raw,
      // Whoever changes it need not know of the option.
      isEncrypted: read.isEncrypted === true ? true : undefined,
    });
    if (outcome === 'written') return { ...read, raw, document };
    if (outcome === 'failed' || attempt === maxAttempts) return { known: false };
    if (attempt > 1) await delay(Math.random() * longestPauseMs, undefined);
    read = await readDocument(store, key);
  }
}
