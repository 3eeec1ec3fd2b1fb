import type { ArchivePlace } from '../../archive/stored-archive.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import type { StateScope } from '../prefixes/state-scope.ts';

/** Where the originals of the record of a prefix are. */
export function archivePlace(
  store: SealedStore,
  scope: Pick<StateScope, 'archiveKey'>,
  digest: string,
): ArchivePlace {
  return { store, keyOf: (part) => scope.archiveKey(store.keys, digest, part) };
}
