import type { Redact } from '../cleaning/redaction-door.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import { runLimited } from '../util/async/waiting.ts';
import { isObject } from '../util/is-object.ts';
import { fromBase64 } from '../util/strings.ts';
import { decodeValue, decompressText } from './value-codec.ts';

/** What is kept of the messages that summaries stand for. */
export interface ArchiveOptions {
  /**
   * Bytes of the largest file that is kept as it is. Of a larger one the archive says its type, size and
   * SHA-256. 0: of every file. Minimum: 0.
   * @default 1_048_576 (1 MiB)
   */
  readonly maxFileBytes?: number | undefined;
}

/** How originals are kept. */
export interface ArchivePolicy extends ArchiveOptions {
  readonly redact: Redact | undefined;
}

/** What an archive is of: it leads on where a document names older records no more. */
export interface ArchivedRecord {
  readonly record: SummaryRecord;
  /** Messages that the record before stands for, and the id of its archive. */
  readonly from: number;
  readonly parent: string | undefined;
}

/** Messages as they are stored. */
export interface PackedArchive extends ArchivedRecord {
  readonly parts: readonly string[];
}

/** Where the archive of a record is. */
export interface ArchivePlace {
  readonly store: SealedStore;
  readonly names: {
    readonly archiveKey: (
      keys: SealedStore['keys'],
      archiveId: string,
      part?: number,
    ) => Promise<string>;
  };
  readonly archiveId: string;
}

/** What could be read of an archive. */
export interface ReadArchive {
  /** Whether the store answered. */
  readonly known: boolean;
  /** In order; `undefined` where one could not be kept. None at all where any of the archive is gone or damaged. */
  readonly messages: readonly (ArchivedMessage | undefined)[];
}

interface Manifest extends ArchivedRecord {
  /** Values that hold the messages. */
  readonly parts: number;
}

/** Values that are read or written at once. */
const maxAtOnce = 4;

/** Key of what an archive consists of, or of a part. */
async function keyOf({ store, names, archiveId }: ArchivePlace, part?: number): Promise<string> {
  return names.archiveKey(store.keys, archiveId, part);
}

/**
 * Writes an archive, what it consists of first, so that all of it can be found and removed. Returns whether the store
 * confirmed all of it.
 */
export async function writeArchive(
  place: ArchivePlace,
  { parts, ...of }: PackedArchive,
  ttlMs: number,
): Promise<boolean> {
  const { store } = place;
  // Where an erasure has been, it has left a mark.
  const once = { ttlMs, expected: undefined };
  const manifest = JSON.stringify({ ...of, parts: parts.length } satisfies Manifest);
  const named = await store.write(await keyOf(place), manifest, once);
  if (named.outcome !== 'written') return false;
  const written = await runLimited(parts, maxAtOnce, async (text, part) =>
    store.write(await keyOf(place, part), text, once),
  );
  return written.every(({ outcome }) => outcome === 'written');
}

/** What an archive consists of and is of, `undefined` where there is none; and what stands there. */
export async function readManifest(place: ArchivePlace): Promise<{
  readonly known: boolean;
  readonly raw?: string | undefined;
  readonly manifest?: Manifest | undefined;
}> {
  const { known, raw, text } = await place.store.read(await keyOf(place));
  const value = parseJson(text ?? '');
  if (!isManifest(value)) return { known, raw };
  const { summaryRecordSchema } = await import('../record/record-schemas.ts');
  const { data: record } = summaryRecordSchema.safeParse(value.record);
  return { known, raw, manifest: record && { ...value, record } };
}

/** Whether it is one, the record aside. */
function isManifest(value: unknown): value is Manifest {
  if (!isObject(value)) return false;
  const { parts, from, parent } = value;
  return (
    Number.isSafeInteger(parts) &&
    Number(parts) >= 1 &&
    Number.isSafeInteger(from) &&
    (parent === undefined || typeof parent === 'string')
  );
}

/** Reads an archive, if all of it is there. */
export async function readArchive(place: ArchivePlace): Promise<ReadArchive> {
  const { known, manifest } = await readManifest(place);
  const [, ...keys] = await archiveKeys(place, manifest);
  const answers = await runLimited(keys, maxAtOnce, async (key) => place.store.read(key));
  const parts = answers.map(({ text }) => text);
  const isWhole = parts.length > 0 && !parts.includes(undefined);
  return {
    known: known && answers.every((answer) => answer.known),
    messages: isWhole ? await unpack(parts.join('')).catch(() => []) : [],
  };
}

async function unpack(base64: string): Promise<ReadArchive['messages']> {
  const read = decodeValue(JSON.parse(await decompressText(fromBase64(base64))));
  return Array.isArray(read)
    ? read.map((item: unknown) => (isArchived(item) ? item : undefined))
    : [];
}

/** Writes an archive again, so that it is kept for longer. Returns the id of the one before. */
export async function renewArchive(
  place: ArchivePlace,
  ttlMs: number,
): Promise<string | undefined> {
  const { manifest } = await readManifest(place);
  for (const key of await archiveKeys(place, manifest)) {
    const { text, raw, isEncrypted } = await place.store.read(key);
    // What is erased meanwhile stays so.
    if (text !== undefined)
      await place.store.write(key, text, { ttlMs, isEncrypted, expected: raw });
  }
  return manifest?.parent;
}

/** Milliseconds for which a mark says that nothing is to be written: longer than any summary takes. */
const markMs = 24 * 60 * 60_000;

/** Times that an archive is looked at that changes while it is removed: it is written once, and seldom renewed. */
const mostLooks = 3;

/**
 * Removes an archive. Returns whether the store confirmed it.
 *
 * @param options.isBegun - Whether somebody may still be writing it: marks are left in its place.
 * @param options.looks - Times that it is looked at, where others are faster.
 */
export async function removeArchive(
  place: ArchivePlace,
  {
    isBegun = false,
    looks = mostLooks,
  }: { readonly isBegun?: boolean; readonly looks?: number } = {},
): Promise<boolean> {
  const { store } = place;
  const mark = { ttlMs: markMs };
  const read = await readManifest(place);
  const [own = '', ...keys] = await archiveKeys(place, read.manifest);
  // What it consists of goes last, so that what is left can be found again; but first where it is still being written.
  if (isBegun) {
    const { outcome } = await store.write(own, '', { ...mark, expected: read.raw });
    // Its writer was faster, and now it says what there is.
    if (outcome === 'taken' && looks > 1)
      return removeArchive(place, { isBegun, looks: looks - 1 });
    if (outcome !== 'written') return false;
  }
  const gone = await runLimited(keys, maxAtOnce, async (key) =>
    isBegun ? (await store.write(key, '', mark)).outcome === 'written' : store.remove(key),
  );
  return read.known && gone.every(Boolean) && (isBegun || store.remove(own));
}

async function archiveKeys(
  place: ArchivePlace,
  manifest: Manifest | undefined,
): Promise<readonly string[]> {
  const { parts: length = 0 } = manifest ?? {};
  return Promise.all([keyOf(place), ...Array.from({ length }, (_, part) => keyOf(place, part))]);
}

/** A file of which an archive says no more than what it was. */
export interface OmittedFile {
  /** Index of its message among those that are returned. */
  readonly message: number;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, as 64 hexadecimal digits. */
  readonly sha256: string;
}

/** A message as it is archived. */
export interface ArchivedMessage {
  readonly message: Message;
  readonly omitted: readonly Omit<OmittedFile, 'message'>[];
}

/** What is nested beyond the stack is missing. */
function isArchived(item: unknown): item is ArchivedMessage {
  return isObject(item) && isObject(item['message']) && Array.isArray(item['omitted']);
}
