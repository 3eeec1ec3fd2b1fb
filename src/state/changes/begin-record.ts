import type { Message } from '../../prompt/prompt-types.ts';
import type { IndexedPrefix } from '../prefixes/prefix-index.ts';
import { archivePlace } from './archive-place.ts';
import { listBegun, type BegunState, type ListedUntil } from './list-record.ts';
import type { StatePlace } from './state-place.ts';
import { randomId } from '../../hash/random-id.ts';

/** What was done ahead of a record. */
export interface BegunRecord {
  /** `unconfirmed`: the store has not said that it has the originals, or that nobody has erased the conversation. */
  readonly state: BegunState;
  /** What it was named as. */
  readonly begun: IndexedPrefix;
  /** Takes the archive away, where the record is not written after all. */
  readonly remove: () => Promise<void>;
}

const nothingToRemove = async (): Promise<void> => {};

/**
 * Does what comes before a record is written, so that a process may end at any point: names it in its lists,
 * for erasure to find what is left, and archives what it stands for. No record stands in a store without the
 * originals that are to be kept: each attempt has an archive of its own, which nobody else writes over.
 *
 * @param originals - The messages that no other record stands for.
 */
export async function beginRecord(
  { store, scope, times, archive }: Pick<StatePlace, 'store' | 'scope' | 'times' | 'archive'>,
  { count, digest }: IndexedPrefix,
  originals: readonly Message[],
  until: ListedUntil,
): Promise<BegunRecord> {
  const archiveId = archive === undefined || originals.length === 0 ? undefined : randomId();
  const begun = { count, digest, archiveId };
  const listKeys = await scope.listKeysOf(store.keys, count);
  const state = await listBegun(store, listKeys, begun, until);
  if (state !== 'ready' || archive === undefined || archiveId === undefined)
    return { state, begun, remove: nothingToRemove };
  const { packArchive } = await import('../../archive/pack-archive.ts');
  const { writeArchive, removeArchive } = await import('../../archive/stored-archive.ts');
  const place = archivePlace(store, scope, archiveId);
  const packed = await packArchive(originals, archive);
  const remove = async (): Promise<void> => void (await removeArchive(place, packed.parts.length));
  const isWritten = await writeArchive(place, packed, 2 * times.retentionMs);
  return { state: isWritten ? 'ready' : 'unconfirmed', begun, remove };
}
