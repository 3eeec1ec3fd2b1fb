import type { ArchivePolicy } from '../../archive/archive-policy.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { archivePlace } from './archive-place.ts';
import { listBegun, type ListedUntil } from './list-record.ts';
import type { IndexedPrefix } from '../prefixes/prefix-index.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import type { StateTimes } from './state-times.ts';

/** A record that is to be written, and where. */
export interface RecordToBegin {
  readonly store: SealedStore;
  readonly scope: StateScope;
  readonly times: StateTimes;
  /** How originals are kept, if they are. */
  readonly archive: ArchivePolicy | undefined;
  readonly prefix: IndexedPrefix;
  /** The messages that no other record stands for. */
  readonly originals: readonly Message[];
  readonly until: ListedUntil;
}

/** What was done ahead of a record. */
export interface BegunRecord {
  readonly state: 'ready' | 'erased' | 'unconfirmed';
  /** What it was named as. */
  readonly begun: IndexedPrefix;
  /** Takes the archive away, where the record is not written after all. */
  readonly remove: () => Promise<void>;
}

/**
 * Does what comes before a record is written, so that a process may end at any point: names it in its lists,
 * for erasure to find what is left, and archives what it stands for. No record stands in a store without the
 * originals that are to be kept: each attempt has an archive of its own, which nobody else writes over.
 *
 * @returns `unconfirmed`: the store has not said that it has the originals.
 */
export async function beginRecord(record: RecordToBegin): Promise<BegunRecord> {
  const { store, scope, times, archive, prefix, originals, until } = record;
  const { count, digest } = prefix;
  const archiveId =
    archive === undefined || originals.length === 0 ? undefined : crypto.randomUUID();
  const begun = { count, digest, archiveId };
  const done = (
    state: BegunRecord['state'],
    remove = async (): Promise<void> => {},
  ): BegunRecord => ({
    state,
    begun,
    remove,
  });
  const listKeys = await scope.listKeysOf(store.keys, count);
  if (!(await listBegun(store, listKeys, begun, until))) return done('erased');
  if (archive === undefined || archiveId === undefined) return done('ready');
  const { packArchive } = await import('../../archive/pack-archive.ts');
  const { writeArchive, removeArchive } = await import('../../archive/stored-archive.ts');
  const place = archivePlace(store, scope, archiveId);
  const packed = await packArchive(originals, archive);
  const isWritten = await writeArchive(place, packed, 2 * times.retentionMs);
  return done(isWritten ? 'ready' : 'unconfirmed', async () => void (await removeArchive(place)));
}
