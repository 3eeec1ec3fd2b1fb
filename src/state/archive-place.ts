import type { ArchivePlace } from '../archive/stored-archive.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import type { StateScope } from './state-scope.ts';

/** Where the originals of the record of a prefix are. */
export function archivePlace(
  store: SealedStore,
  scope: Pick<StateScope, 'archiveKey'>,
  digest: string,
): ArchivePlace {
  return { store, keyOf: (part) => scope.archiveKey(store.keys, digest, part) };
}
