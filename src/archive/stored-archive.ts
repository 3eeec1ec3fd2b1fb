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

/** Where the archives of a conversation are. */
export interface ArchivePlace {
  readonly store: SealedStore;
  readonly names: {
    /** Of an archive, or of a part of it. */
    readonly archiveKey: (archiveId: string, part?: number) => Promise<string>;
  };
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
  { store, names }: ArchivePlace,
  archiveId: string,
  { parts, ...of }: ArchivedRecord & { readonly parts: readonly string[] },
  ttlMs: number,
): Promise<boolean> {
  // Where an erasure has been, it has left a mark.
  const once = { ttlMs, expected: undefined };
  const own = await names.archiveKey(archiveId);
  const named = await store.write(own, JSON.stringify({ ...of, parts: parts.length }), once);
  if (named.outcome !== 'written') return false;
  const written = await runLimited(parts, maxAtOnce, async (text, part) =>
    store.write(await names.archiveKey(archiveId, part), text, once),
  );
  return written.every(({ outcome }) => outcome === 'written');
}

/** An archive as the store has it: what stands where it says what it consists of, and the keys of its parts. */
async function open({ store, names }: ArchivePlace, archiveId: string) {
  const own = await names.archiveKey(archiveId);
  const { known, raw, text } = await store.read(own);
  const value = parseJson(text ?? '');
  const manifest = isManifest(value) ? value : undefined;
  const parts = Array.from({ length: manifest?.parts ?? 0 }, (_, part) =>
    names.archiveKey(archiveId, part),
  );
  return { known, raw, manifest, own, parts: await Promise.all(parts) };
}

/** Whether what was sealed says what an archive consists of, and in how many values: it may be the mark of an erasure. */
function isManifest(value: unknown): value is ArchivedRecord & { readonly parts: number } {
  return isObject(value) && isObject(value['record']);
}

/** What an archive is of; `undefined` where there is none. */
export async function readManifest(
  place: ArchivePlace,
  archiveId: string | undefined,
): Promise<ArchivedRecord | undefined> {
  return archiveId === undefined ? undefined : (await open(place, archiveId)).manifest;
}

/** Reads an archive, if all of it is there: nothing without an id. */
export async function readOriginals(
  place: ArchivePlace,
  archiveId: string | undefined,
): Promise<ReadArchive> {
  if (archiveId === undefined) return { known: true, messages: [] };
  const { known, parts } = await open(place, archiveId);
  const answers = await runLimited(parts, maxAtOnce, async (key) => place.store.read(key));
  const { unpackArchive } = await import('./pack-archive.ts');
  const texts = answers.map(({ text }) => text);
  const isWhole = texts.length > 0 && !texts.includes(undefined);
  return {
    known: known && answers.every((answer) => answer.known),
    messages: isWhole ? await unpackArchive(texts.join('')) : [],
  };
}

/** Writes an archive and all that it leads on to again, so that they are kept for longer. */
export async function renewArchives(
  place: ArchivePlace,
  archiveId: string,
  ttlMs: number,
): Promise<void> {
  const seen = new Set<string>();
  for (let id: string | undefined = archiveId; id !== undefined && !seen.has(id);) {
    seen.add(id);
    const { manifest, own, parts } = await open(place, id);
    for (const key of [own, ...parts]) {
      const { text, raw, isEncrypted } = await place.store.read(key);
      // What is erased meanwhile stays so.
      if (text !== undefined)
        await place.store.write(key, text, { ttlMs, isEncrypted, expected: raw });
    }
    id = manifest?.parent;
  }
}

/**
 * Removes archives and those that they lead on to, the oldest first: what leads to one stays until it is gone. Returns
 * whether the store confirmed it.
 *
 * @param begun - Ids of those that somebody may still be writing: marks are left in their place.
 */
export async function removeArchives(
  place: ArchivePlace,
  archiveIds: readonly string[],
  begun: readonly string[],
): Promise<boolean> {
  const all = new Set<string>();
  for (const first of archiveIds)
    for (let id: string | undefined = first; id !== undefined && !all.has(id);) {
      all.add(id);
      id = (await readManifest(place, id))?.parent;
    }
  for (const id of [...all].toReversed())
    if (!(await removeArchive(place, id, begun.includes(id) ? mostLooks : 0))) return false;
  return true;
}

/** Milliseconds for which a mark says that nothing is to be written: longer than any summary takes. */
const markMs = 24 * 60 * 60_000;

/** Times that an archive is looked at that changes while it is removed: it is written once, and seldom renewed. */
const mostLooks = 3;

/**
 * Removes an archive. Returns whether the store confirmed it.
 *
 * @param looks - Times that it is looked at where marks are to be left in its place; 0 where none are.
 */
export async function removeArchive(
  place: ArchivePlace,
  archiveId: string,
  looks = 0,
): Promise<boolean> {
  const { store } = place;
  const { known, raw, own, parts } = await open(place, archiveId);
  // What it consists of goes last, so that what is left can be found again; but first where it is still being written.
  if (looks > 0) {
    const { outcome } = await store.write(own, '', { ttlMs: markMs, expected: raw });
    // Its writer was faster, and now it says what there is.
    if (outcome === 'taken' && looks > 1) return removeArchive(place, archiveId, looks - 1);
    if (outcome !== 'written') return false;
  }
  const gone = await runLimited(parts, maxAtOnce, async (key) =>
    looks > 0
      ? (await store.write(key, '', { ttlMs: markMs })).outcome === 'written'
      : store.remove(key),
  );
  return known && gone.every(Boolean) && (looks > 0 || store.remove(own));
}
