import { parseJson } from '../util/json.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import { runLimited } from '../util/async/waiting.ts';
import { isObject } from '../util/is-object.ts';
import type { ArchivedMessage } from './pack-archive.ts';

/** What an archive is of: it leads on where a document names older records no more. */
export interface ArchivedRecord {
  readonly record: SummaryRecord;
  /** Messages that the record before stands for, and the id of its archive. */
  readonly from: number;
  readonly parent: string | undefined;
}

/** What an archive consists of: it is found and removed by it. */
interface Manifest extends ArchivedRecord {
  /** Values that hold the messages. */
  readonly parts: number;
}

/** Where the archive of a record is. */
export interface ArchivePlace {
  /** With the current secret, under which it is written, then with the former one. */
  readonly stores: readonly [SealedStore, ...SealedStore[]];
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

/** Values that are read or written at once. */
const maxAtOnce = 4;

/**
 * Writes an archive, what it consists of first, so that all of it can be found and removed. Returns whether the store
 * confirmed all of it.
 */
export async function writeArchive(
  { stores: [store], names, archiveId }: ArchivePlace,
  { parts, ...of }: ArchivedRecord & { readonly parts: readonly string[] },
  ttlMs: number,
): Promise<boolean> {
  // Where an erasure has been, it has left a mark.
  const once = { ttlMs, expected: undefined };
  const manifest: Manifest = { ...of, parts: parts.length };
  const own = await names.archiveKey(store.keys, archiveId);
  const named = await store.write(own, JSON.stringify(manifest), once);
  if (named.outcome !== 'written') return false;
  const written = await runLimited(parts, maxAtOnce, async (text, part) =>
    store.write(await names.archiveKey(store.keys, archiveId, part), text, once),
  );
  return written.every(({ outcome }) => outcome === 'written');
}

/** An archive as a store has it: what stands where it says what it consists of, and the keys of its parts. */
async function openIn(store: SealedStore, { names, archiveId }: ArchivePlace) {
  const own = await names.archiveKey(store.keys, archiveId);
  const { known, raw, text } = await store.read(own);
  const value = parseJson(text ?? '');
  const manifest = isManifest(value) ? value : undefined;
  const parts = Array.from({ length: manifest?.parts ?? 0 }, (_, part) =>
    names.archiveKey(store.keys, archiveId, part),
  );
  return { known, raw, manifest, store, own, parts: await Promise.all(parts) };
}

/** Whether what was sealed says what an archive consists of: it may be the mark of an erasure. */
function isManifest(value: unknown): value is Manifest {
  return isObject(value) && isObject(value['record']);
}

async function open(place: ArchivePlace) {
  const [first, ...others] = place.stores;
  let opened = await openIn(first, place);
  for (const store of others)
    if (opened.manifest === undefined) {
      const next = await openIn(store, place);
      opened = { ...next, known: next.known && opened.known };
    }
  return opened;
}

/** What an archive consists of and is of; `undefined` where there is none. */
export async function readManifest(place: ArchivePlace): Promise<Manifest | undefined> {
  return (await open(place)).manifest;
}

/** Reads an archive, if all of it is there. */
export async function readArchive(place: ArchivePlace): Promise<ReadArchive> {
  const { known, store, parts } = await open(place);
  const answers = await runLimited(parts, maxAtOnce, async (key) => store.read(key));
  const { unpackArchive } = await import('./pack-archive.ts');
  const texts = answers.map(({ text }) => text);
  const isWhole = texts.length > 0 && !texts.includes(undefined);
  return {
    known: known && answers.every((answer) => answer.known),
    messages: isWhole ? await unpackArchive(texts.join('')) : [],
  };
}

/** Writes an archive again, so that it is kept for longer. Returns the id of the one before. */
export async function renewArchive(
  place: ArchivePlace,
  ttlMs: number,
): Promise<string | undefined> {
  const { manifest, store, own, parts } = await open(place);
  for (const key of [own, ...parts]) {
    const { text, raw, isEncrypted } = await store.read(key);
    // What is erased meanwhile stays so.
    if (text !== undefined) await store.write(key, text, { ttlMs, isEncrypted, expected: raw });
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
 * @param isBegun - Whether somebody may still be writing it: marks are left in its place.
 */
export async function removeArchive(place: ArchivePlace, isBegun = false): Promise<boolean> {
  let isGone = true;
  for (const store of place.stores)
    isGone = (await removeIn(store, place, isBegun ? mostLooks : 0)) && isGone;
  return isGone;
}

/** @param looks - Times that it is looked at, where marks are to be left; 0 where none are. */
async function removeIn(store: SealedStore, place: ArchivePlace, looks: number): Promise<boolean> {
  const { known, raw, own, parts } = await openIn(store, place);
  // What it consists of goes last, so that what is left can be found again; but first where it is still being written.
  if (looks > 0) {
    const { outcome } = await store.write(own, '', { ttlMs: markMs, expected: raw });
    // Its writer was faster, and now it says what there is.
    if (outcome === 'taken' && looks > 1) return removeIn(store, place, looks - 1);
    if (outcome !== 'written') return false;
  }
  const gone = await runLimited(parts, maxAtOnce, async (key) =>
    looks > 0
      ? (await store.write(key, '', { ttlMs: markMs })).outcome === 'written'
      : store.remove(key),
  );
  return known && gone.every(Boolean) && (looks > 0 || store.remove(own));
}
