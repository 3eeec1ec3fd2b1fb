import { parseJson } from '../util/json.ts';
import type { SealedAnswer, SealedStore } from '../stores/sealed-store.ts';
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

/** A document as a store has it. */
export interface StoredDocument extends SealedAnswer {
  /** `undefined` where nothing stands there that we can read. */
  readonly document: ConversationDocument | undefined;
}

/** Reads a document. */
export async function readDocument(
  store: Pick<SealedStore, 'read'>,
  key: string,
): Promise<StoredDocument> {
  const read = await store.read(key);
  return { ...read, document: parseDocument(read.text) };
}

/**
 * What a text says that was sealed under the key of a document; `undefined` where it is none. Its records pass like those
 * that are written: whoever sealed them may have been another version of the package.
 */
export function parseDocument(text = ''): ConversationDocument | undefined {
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

/**
 * Changes a document, of which nothing is written where the function gives back what it was given.
 *
 * @param retentionMs - Milliseconds that it is kept at least.
 * @param first - What was read before, so that it need not be read again.
 * @returns What stands there then; not `known` where the store does not say that it was written.
 */
export async function changeDocument(
  store: SealedStore,
  key: string,
  retentionMs: number,
  apply: DocumentChange,
  first?: SealedAnswer,
): Promise<StoredDocument> {
  let document: ConversationDocument | undefined;
  const changed = async ({ text }: SealedAnswer): Promise<WrittenValue | undefined> => {
    document = parseDocument(text);
    const before = document ?? emptyDocument;
    const applied = await apply(before);
    if (applied === before) return undefined;
    const now = Date.now();
    document = namingLeft(tidied(applied, now, storedBounds), before);
    const ttlMs = Math.max(retentionMs, ...document.records.map(({ until }) => until - now));
    return { text: JSON.stringify(document), ttlMs };
  };
  const answer = await changeValue(store, key, changed, first);
  return { ...answer, document };
}

/** What is to be written, encrypted at least where what it replaces was. */
export interface WrittenValue {
  readonly text: string;
  readonly ttlMs: number;
  readonly isEncrypted?: boolean | undefined;
}

/** Times that others may be faster. */
const maxAttempts = 24;

/** Milliseconds up to which is waited between two attempts, at random. */
const longestPauseMs = 40;

/**
 * The one way to change what others change too: reads a value, applies a function to it, and writes what that gives back
 * if nobody was faster, else begins again.
 */
export async function changeValue(
  store: Pick<SealedStore, 'read' | 'write'>,
  key: string,
  apply: (read: SealedAnswer) => Promise<WrittenValue | undefined>,
  first?: SealedAnswer,
): Promise<SealedAnswer> {
  let read = first?.known === true ? first : await store.read(key);
  for (let attempt = 1; ; attempt += 1) {
    if (!read.known) return read;
    const value = await apply(read);
    if (value === undefined) return read;
    const { outcome, raw } = await store.write(key, value.text, {
      ttlMs: value.ttlMs,
      expected: read.raw,
      // Whoever changes it need not know of the option.
      isEncrypted: value.isEncrypted ?? (read.isEncrypted === true ? true : undefined),
    });
    if (outcome === 'written') return { ...read, raw, text: value.text };
    if (outcome === 'failed' || attempt === maxAttempts) return { known: false };
    if (attempt > 1) await delay(Math.random() * longestPauseMs, undefined);
    read = await store.read(key);
  }
}
