import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { changeValue, type SealedAnswer, type SealedStore } from '../stores/sealed-store.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { parseJson } from '../../foundations/util/json.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import type { ArchivePolicy } from './pack-archive.ts';

/** The conversation and the predecessor of an archive: it leads on after a document has dropped older records. */
export interface ArchivedRecord {
  readonly record: SummaryRecord;
  /** Messages that the record before stands for, and the id of its archive. */
  readonly from: number;
  readonly parent: string | undefined;
}

/** An archive as it is stored. */
interface Archive extends ArchivedRecord {
  /** Its messages, as they were packed. */
  readonly packed: string;
}

function archiveKey({ keys }: SealedStore, archiveId: string): Promise<string> {
  return keys.key('archive', archiveId);
}

/**
 * Characters of a packed archive, and of one for a store that has refused it: sealed, with its record, it stays below
 * 8 MiB, 1 MB and 128 kB, which services take in one request.
 */
const packedCharacters = [5 * 1024 * 1024, 640 * 1024, 80 * 1024];

/** How many times that a value may take which is sealed with its record. */
const sealedRatio = 1.6;

/** Writes the messages of a record, unless they are there. Returns whether the store confirmed it. */
export async function writeArchive(
  store: SealedStore,
  archiveId: string,
  archived: ArchivedRecord,
  messages: readonly Message[],
  { ttlMs, ...policy }: ArchivePolicy & { readonly ttlMs: number },
): Promise<boolean> {
  const key = await archiveKey(store, archiveId);
  const { packArchive } = await import('./pack-archive.ts');
  const fitting = (store.maxBytes ?? Infinity) / sealedRatio;
  let packed: string | undefined;
  for (const most of new Set(packedCharacters.map((each) => Math.min(each, fitting)))) {
    // It would be the same again.
    if (packed !== undefined && packed.length <= most) continue;
    packed = await packArchive(messages, policy, most);
    const archive: Archive = { ...archived, packed };
    // Or where an erasure has been, which has left a mark.
    const { outcome } = await store.write(key, { text: JSON.stringify(archive), ttlMs }, undefined);
    if (outcome !== 'failed') return true;
  }
  return false;
}

/** Archive in an answer of the store; the mark of an erasure is none. */
function archiveIn({ text = '' }: SealedAnswer): Archive | undefined {
  const value = parseJson(text);
  return isArchive(value) ? value : undefined;
}

function isArchive(value: unknown): value is Archive {
  return isObject(value) && isObject(value['record']);
}

/** Archive under an id; `undefined` without one. */
export async function readManifest(
  store: SealedStore,
  archiveId: string | undefined,
): Promise<Archive | undefined> {
  if (archiveId === undefined) return undefined;
  return archiveIn(await store.read(await archiveKey(store, archiveId)));
}

/**
 * Reads the messages of an archive, in order, `undefined` where one could not be kept: nothing at all without an id, or
 * where it is gone or damaged.
 */
export async function readOriginals(
  store: SealedStore,
  archiveId: string | undefined,
): Promise<readonly (Message | undefined)[]> {
  const archive = await readManifest(store, archiveId);
  const { unpackArchive } = await import('./pack-archive.ts');
  return archive === undefined ? [] : unpackArchive(archive.packed);
}

/** Writes an archive and all that it leads on to again, so that they are kept for longer. */
export async function renewArchives(
  store: SealedStore,
  archiveId: string,
  ttlMs: number,
): Promise<void> {
  let id: string | undefined = archiveId;
  while (id !== undefined) {
    // A concurrent erasure holds.
    const again = async ({ text }: SealedAnswer) =>
      text === undefined ? undefined : { text, ttlMs };
    id = archiveIn(await changeValue(store, await archiveKey(store, id), again))?.parent;
  }
}

/**
 * Removes archives and those that they lead on to, the oldest first: what leads to one stays until it is gone. Returns
 * whether the store confirmed it.
 */
export async function removeArchives(
  store: SealedStore,
  archiveIds: readonly string[],
): Promise<boolean> {
  const all = new Set<string>();
  for (const first of archiveIds)
    for (let id: string | undefined = first; id !== undefined && !all.has(id);) {
      all.add(id);
      id = (await readManifest(store, id))?.parent;
    }
  for (const id of [...all].toReversed()) if (!(await removeArchive(store, id))) return false;
  return true;
}

/** Removes an archive, which may still be being written. Returns whether the store confirmed it. */
export async function removeArchive(store: SealedStore, archiveId: string): Promise<boolean> {
  return store.bury(await archiveKey(store, archiveId));
}
