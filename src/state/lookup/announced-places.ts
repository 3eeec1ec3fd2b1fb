import { parseJson } from '../../json/parse-json.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { isObject } from '../../util/is-object.ts';
import type { StateScope } from '../prefixes/state-scope.ts';

/** Where a conversation was told of a summary to come. */
export interface AnnouncedPlace {
  /** Messages up to there that identify the conversation, and the digest of these. */
  readonly count: number;
  readonly digest: string;
}

/** The same as other processes are told of it. */
export interface SharedPlace extends AnnouncedPlace {
  /** Of which model and record. */
  readonly of: string;
}

/** Places that are kept of conversations that open alike. */
const maxPlaces = 8;
/** As long as any provider keeps a prompt cached: only for that does it matter where the model was told. */
const announcedMs = 24 * 60 * 60_000;

/** Reads where other processes have told models; nothing where the store does not answer. */
export async function readAnnounced(
  store: SealedStore,
  scope: Pick<StateScope, 'announcedKey'>,
): Promise<readonly SharedPlace[]> {
  const { text } = await store.read(await scope.announcedKey(store.keys));
  const places = parseJson(text ?? '');
  return Array.isArray(places) && places.every(isPlace) ? places.slice(0, maxPlaces) : [];
}

/**
 * Tells other processes where a model is told.
 *
 * @returns Whether none of them was first.
 */
export async function shareAnnounced(
  store: SealedStore,
  scope: Pick<StateScope, 'announcedKey'>,
  place: SharedPlace,
  others: readonly SharedPlace[],
): Promise<boolean> {
  const text = JSON.stringify([place, ...others].slice(0, maxPlaces));
  const ifAbsent = others.length === 0;
  const written = await store.write(await scope.announcedKey(store.keys), text, {
    ttlMs: announcedMs,
    ifAbsent,
  });
  return written !== 'taken';
}

function isPlace(place: unknown): place is SharedPlace {
  if (!isObject(place)) return false;
  const { of, count, digest } = place;
  return typeof of === 'string' && Number.isSafeInteger(count) && typeof digest === 'string';
}
