import {
  readManifest,
  removeArchive,
  renewArchive,
  writeArchive,
  type ArchivePlace,
  type ArchivePolicy,
} from '../archive/stored-archive.ts';
import { randomId } from '../hash/random-id.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import {
  claimed,
  isErasedSince,
  isWhole,
  type ConversationDocument,
  type WholeRecord,
} from './document.ts';
import type { ProcessCopy } from './process-copy.ts';
import type { ChangeDocument, StoredDocument } from './stored-document.ts';

/** A conversation as its originals are kept: see `ConversationState`. */
export interface KeptConversation {
  readonly options: {
    readonly archive?: ArchivePolicy | undefined;
    readonly times: { readonly retentionMs: number };
    readonly conversation: readonly Message[];
    readonly copy: ProcessCopy;
  };
  readonly store: SealedStore;
  readonly names: ArchivePlace['names'];
  readonly identity: ConversationIdentity;
  readonly begunIn: ReadonlyMap<string, string>;
  readonly lastRead: ReadonlyMap<string, StoredDocument>;
  readonly isOurs: (of: { readonly count: number; readonly digest: string }) => Promise<boolean>;
  readonly change: (key: string, ...given: Parameters<ChangeDocument>) => Promise<StoredDocument>;
}

/** Milliseconds after which a claim is forgotten that nobody has ended. */
export const claimMs: number = 24 * 60 * 60_000;

const archiveAt = ({ store, names }: KeptConversation, archiveId: string): ArchivePlace => ({
  stores: [store],
  names,
  archiveId,
});

/** Milliseconds that an archive is kept after it was written: longer than the records that lead to it. */
export const archiveMs = ({ options }: KeptConversation): number => 2 * options.times.retentionMs;

/** Whether an archive that a record leads to has less than a retention left: all are written anew then, a few times in all. */
export function isDue(
  { options: { archive, times } }: KeptConversation,
  { archivesUntil = Infinity }: WholeRecord,
): boolean {
  return archive !== undefined && archivesUntil < Date.now() + times.retentionMs;
}

/**
 * Writes what a record newly stands for, which comes before the record itself, once the document names its archive:
 * nobody would find what a process leaves that ends in between.
 *
 * @param parent - Id of the archive of what the record continues.
 * @returns `none` where no originals are kept or not all of them are sent; `erased` where the archive cannot be named for
 * that reason; `failed` where the store did not confirm all of it.
 */
export async function keepOriginals(
  state: KeptConversation,
  key: string,
  made: WholeRecord,
  parent: string | undefined,
): Promise<'kept' | 'none' | 'erased' | 'failed'> {
  const { record, from, token, archiveId = '' } = made;
  const { coveredMessages: count, prefixDigest: digest } = record;
  const { archive } = state.options;
  const messages = archive && (await originalsOf(state, made));
  if (archive === undefined || messages === undefined) return 'none';
  const isNamed = ({ document }: StoredDocument): boolean =>
    document?.writing.some((each) => each.archiveId === archiveId) === true;
  // A claim has named it, where the store knows of one.
  let read = state.lastRead.get(key);
  if (read === undefined || !isNamed(read)) {
    const until = Date.now() + claimMs;
    const naming = (document: ConversationDocument): ConversationDocument =>
      isErasedSince(document, state.begunIn.get(key))
        ? document
        : claimed(document, { token, count, digest, until, archiveId });
    read = await state.change(key, naming, read);
    if (!isNamed(read)) return read.known ? 'erased' : 'failed';
  }
  const { packArchive } = await import('../archive/pack-archive.ts');
  const packed = { record, parent, from, parts: await packArchive(messages, archive) };
  if (await writeArchive(archiveAt(state, archiveId), packed, archiveMs(state))) return 'kept';
  await removeOriginals(state, made);
  return 'failed';
}

async function originalsOf(
  state: KeptConversation,
  { record: { coveredMessages: count, prefixDigest: digest }, from }: WholeRecord,
): Promise<readonly Message[] | undefined> {
  const { identity, options } = state;
  const start = identity.indexAfter(from);
  if (start === undefined || from < identity.significantBefore(0)) return undefined;
  const isAllSent = await state.isOurs({ count, digest });
  return isAllSent ? options.conversation.slice(start, identity.indexAfter(count)) : undefined;
}

/** Writes the originals again of the records that the store has lost, where they are gone, as far as they are sent. */
export async function restoreOriginals(
  state: KeptConversation,
  key: string,
  stored: ConversationDocument,
): Promise<void> {
  const { copy, archive } = state.options;
  const held = new Set(stored.records.map(({ record }) => record.prefixDigest));
  for (const kept of archive === undefined ? [] : copy.get(key).records.filter(isWhole)) {
    const { archiveId, token, record } = kept;
    const isThere =
      held.has(record.prefixDigest) ||
      (archiveId !== undefined && (await readManifest(archiveAt(state, archiveId))) !== undefined);
    const again = { ...kept, archiveId: randomId() };
    if (isThere || (await keepOriginals(state, key, again, undefined)) !== 'kept') continue;
    const mine = copy.get(key);
    const records = mine.records.map((each) =>
      each.token === token ? { ...each, archiveId: again.archiveId } : each,
    );
    copy.set(key, { ...mine, records });
  }
}

/** Removes the originals of a record that is not kept. */
export async function removeOriginals(
  state: KeptConversation,
  { archiveId }: WholeRecord,
): Promise<void> {
  if (archiveId !== undefined) await removeArchive(archiveAt(state, archiveId));
}

/** Keeps all originals that a record leads to for longer. */
export async function renewOriginals(
  state: KeptConversation,
  { archiveId }: WholeRecord,
): Promise<void> {
  const seen = new Set<string>();
  for (let id = archiveId; id !== undefined && !seen.has(id);) {
    seen.add(id);
    id = await renewArchive(archiveAt(state, id), archiveMs(state));
  }
}
