import { parseJson } from '../../foundations/util/json.ts';
import {
  changeValue,
  type SealedAnswer,
  type SealedStore,
  type WrittenValue,
} from '../stores/sealed-store.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { cleanRecord } from '../../prompt/cleaning/clean-content.ts';
import { visibleText } from '../../prompt/cleaning/visible-text.ts';
import { summaryRecordSchema } from '../../foundations/record/record-schemas.ts';
import {
  emptyDocument,
  isWhole,
  keepLostArchives,
  storedBounds,
  trimDocument,
  type ConversationDocument,
  type KeptRecord,
} from './document.ts';

/** A document as a store has it. */
export interface StoredDocument extends SealedAnswer {
  /** The document; `undefined` if the store has none that can be read. */
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
 * Parses the text that was sealed under the key of a document; `undefined` if it is none. Its records are checked like
 * new ones, because another version of the package may have sealed them.
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

/** Returns the changed document, or the same one if there is nothing to write. */
export type DocumentChange = (
  document: ConversationDocument,
) => ConversationDocument | Promise<ConversationDocument>;

/**
 * Changes a document. Nothing is written if `apply` returns the document that it received.
 *
 * @param retentionMs - Milliseconds for which the document is kept at least.
 * @param first - The answer to an earlier read, which saves the first one.
 * @returns the document in the store afterwards; not `known` if the store did not confirm the write.
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
    document = keepLostArchives(trimDocument(applied, now, storedBounds), before);
    const ttlMs = Math.max(retentionMs, ...document.records.map(({ until }) => until - now));
    return { text: JSON.stringify(document), ttlMs };
  };
  const answer = await changeValue(store, key, changed, first);
  return { ...answer, document };
}
