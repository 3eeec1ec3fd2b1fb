import { parseJson } from '../util/json.ts';
import {
  changeValue,
  type SealedAnswer,
  type SealedStore,
  type WrittenValue,
} from '../stores/sealed-store.ts';
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
