import type { SealedStore } from '../stores/seal/sealed-store.ts';
import { fromBase64 } from '../util/strings/base64.ts';
import { runLimited } from '../util/async/run-limited.ts';
import { parseManifest, partsOf, type ArchiveBlock } from './archive-manifest.ts';
import { parseArchived, type ArchivedMessage } from './archived-message.ts';
import { decompressText } from './compress.ts';
import type { PackedArchive } from './pack-archive.ts';

/** Where the archive of a record is. */
export interface ArchivePlace {
  readonly store: Pick<SealedStore, 'read' | 'write' | 'remove'>;
  /** Key of the manifest, or of a part. */
  readonly keyOf: (part?: number) => Promise<string>;
}

/** What could be read of an archive. */
export interface ReadArchive {
  /** Whether the store answered. */
  readonly known: boolean;
  /** In order; `undefined` where one is gone or damaged. None at all when there is no manifest. */
  readonly messages: readonly (ArchivedMessage | undefined)[];
}

/** Values that are read or written at once. */
const maxAtOnce = 4;

/** Writes an archive. Returns whether the store confirmed all of it. */
export async function writeArchive(
  { store, keyOf }: ArchivePlace,
  { manifest, parts }: PackedArchive,
  ttlMs: number,
): Promise<boolean> {
  const named = await store.write(await keyOf(), JSON.stringify(manifest), { ttlMs });
  if (named !== 'written') return false;
  const written = await runLimited(parts, maxAtOnce, async (text, part) =>
    store.write(await keyOf(part), text, { ttlMs }),
  );
  return written.every((answer) => answer === 'written');
}

/** Reads an archive, as far as it is there. */
export async function readStoredArchive({ store, keyOf }: ArchivePlace): Promise<ReadArchive> {
  const { known, text } = await store.read(await keyOf());
  const manifest = text === undefined ? undefined : parseManifest(text);
  let first = 0;
  const blocks = (manifest?.blocks ?? []).map((block) => {
    const start = first;
    first += block.parts;
    return { block, start };
  });
  const messages: (ArchivedMessage | undefined)[] = [];
  let allKnown = known;
  for (const { block, start } of blocks) {
    const parts = Array.from({ length: block.parts }, (_, index) => start + index);
    const answers = await runLimited(parts, maxAtOnce, async (part) =>
      store.read(await keyOf(part)),
    );
    allKnown &&= answers.every((answer) => answer.known);
    messages.push(
      ...(await unpack(
        block,
        answers.map((answer) => answer.text),
      )),
    );
  }
  return { known: allKnown, messages };
}

async function unpack(
  { messages }: ArchiveBlock,
  parts: readonly (string | undefined)[],
): Promise<readonly (ArchivedMessage | undefined)[]> {
  const lost = Array.from({ length: messages }, () => undefined);
  if (parts.includes(undefined)) return lost;
  try {
    const read = parseArchived(await decompressText(fromBase64(parts.join(''))));
    return read?.length === messages ? read : lost;
  } catch {
    return lost;
  }
}

/** Writes an archive again, so that it is kept for longer. */
export async function renewArchive(place: ArchivePlace, ttlMs: number): Promise<void> {
  for (const key of await archiveKeys(place)) await renewValue(place.store, key, ttlMs);
}

/** Writes a value again, so that it is kept for longer. */
export async function renewValue(
  store: ArchivePlace['store'],
  key: string,
  ttlMs: number,
): Promise<void> {
  const { text, isEncrypted } = await store.read(key);
  if (text !== undefined) await store.write(key, text, { ttlMs, isEncrypted });
}

/**
 * Removes an archive. Returns whether the store confirmed it.
 *
 * @param written - Parts that may be there although the manifest is not: an erasure may have taken it meanwhile.
 */
export async function removeArchive(place: ArchivePlace, written = 0): Promise<boolean> {
  const keys = await archiveKeys(place, written);
  // The manifest last, so that what is left can be found again.
  const parts = await runLimited(keys.slice(1), maxAtOnce, place.store.remove);
  return parts.every(Boolean) && place.store.remove(keys[0] ?? (await place.keyOf()));
}

/** Keys of the manifest and of all parts. */
async function archiveKeys(
  { store, keyOf }: ArchivePlace,
  written = 0,
): Promise<readonly string[]> {
  const own = await keyOf();
  const { text } = await store.read(own);
  const manifest = text === undefined ? undefined : parseManifest(text);
  const length = Math.max(written, manifest === undefined ? 0 : partsOf(manifest));
  return [own, ...(await Promise.all(Array.from({ length }, (_, part) => keyOf(part))))];
}
