import {
  readStoredArchive,
  type ArchivePlace,
  type ReadArchive,
} from '../../archive/stored-archive.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import type { StateScope } from '../prefixes/state-scope.ts';

/** Where the originals of a record are. */
export function archivePlace(
  store: SealedStore,
  scope: Pick<StateScope, 'archiveKey'>,
  archiveId: string,
): ArchivePlace {
  return { store, keyOf: (part) => scope.archiveKey(store.keys, archiveId, part) };
}

/** Reads the originals of a record, as far as they are there: none where it names no archive. */
export async function readOriginals(
  store: SealedStore,
  scope: Pick<StateScope, 'archiveKey'>,
  archiveId: string | undefined,
): Promise<ReadArchive> {
  if (archiveId === undefined) return { known: true, messages: [] };
  return readStoredArchive(archivePlace(store, scope, archiveId));
}
