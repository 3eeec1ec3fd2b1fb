import type { ArchivePolicy } from '../archive/archive-policy.ts';
import {
  archivePlace,
  readManifest,
  removeArchive,
  renewArchive,
  writeArchive,
  type ArchivePlace,
} from '../archive/stored-archive.ts';
import { randomId } from '../hash/random-id.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SealedStore } from '../stores/seal/sealed-store.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import type { StateTimes } from './conversation-state.ts';

/** Keeps the originals of the records of a conversation. */
export interface OriginalsKeeper {
  /**
   * Writes what a record newly stands for, which comes before the record itself.
   *
   * @param parent - Id of the archive of what it continues.
   * @returns whether the store confirmed it; `undefined` where not all of it is sent.
   */
  readonly keep: (
    made: StoredSummary,
    identity: ConversationIdentity,
    parent: string | undefined,
  ) => Promise<boolean | undefined>;
  /** Writes them again where they are gone, if `name` could name the archive; gives the id that they are kept under. */
  readonly keptAgain: (
    kept: StoredSummary,
    identity: ConversationIdentity,
    name: (archiveId: string) => Promise<boolean>,
  ) => Promise<string | undefined>;
  readonly remove: (made: StoredSummary) => Promise<void>;
  /** Until when all archives will be there that a record leads to. */
  readonly until: (parent: StoredSummary | undefined, now: number) => number;
  /** Keeps all that a record leads to for longer, where one of them has less than a retention left. */
  readonly renew: (parent: StoredSummary, now: number) => Promise<void>;
}

/** Makes a keeper of originals; `undefined` where none are kept. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function originalsKeeper({
  store,
  names,
  archive,
  times: { retentionMs },
  conversation,
}: {
  readonly store: SealedStore;
  readonly names: ConversationKeys;
  readonly archive?: ArchivePolicy | undefined;
  readonly times: Pick<StateTimes, 'retentionMs'>;
  readonly conversation: readonly Message[];
}): OriginalsKeeper | undefined {
  if (archive === undefined) return undefined;
  const placeOf = (archiveId: string): ArchivePlace => archivePlace(store, names, archiveId);
  const ttlMs = 2 * retentionMs;
  const originalsOf = async (
    { record: { coveredMessages: count, prefixDigest }, from }: StoredSummary,
    identity: ConversationIdentity,
  ): Promise<readonly Message[] | undefined> => {
    const [start, end] = [identity.indexAfter(from), identity.indexAfter(count)];
    if (from < identity.significantBefore(0) || start === undefined || end === undefined)
      return undefined;
    const isOurs = (await identity.prefixDigest(count)) === prefixDigest;
    return isOurs ? conversation.slice(start, end) : undefined;
  };
  const keep: OriginalsKeeper['keep'] = async (made, identity, parent) => {
    const { record, from, archiveId = '' } = made;
    const originals = await originalsOf(made, identity);
    if (originals === undefined) return undefined;
    const { packArchive } = await import('../archive/pack-archive.ts');
    const packed = await packArchive(originals, archive, { record, parent, from });
    return writeArchive(placeOf(archiveId), packed, ttlMs);
  };
  // They are written a few times in all, and not once for each record that leads to them.
  const isDue = ({ archivesUntil = Infinity }: StoredSummary, now: number): boolean =>
    archivesUntil < now + retentionMs;
  return {
    keep,
    keptAgain: async (kept, identity, name) => {
      const { archiveId } = kept;
      const held = archiveId === undefined ? undefined : await readManifest(placeOf(archiveId));
      if (held?.manifest !== undefined) return archiveId;
      if ((await originalsOf(kept, identity)) === undefined) return archiveId;
      const again = randomId();
      if (!(await name(again))) return archiveId;
      const isKept = await keep({ ...kept, archiveId: again }, identity, undefined);
      return isKept === true ? again : archiveId;
    },
    remove: async ({ archiveId }) => {
      if (archiveId !== undefined) await removeArchive(placeOf(archiveId));
    },
    until: (parent, now) =>
      parent === undefined || isDue(parent, now)
        ? now + ttlMs
        : Math.min(now + ttlMs, parent.archivesUntil ?? Infinity),
    renew: async (parent, now) => {
      if (!isDue(parent, now)) return;
      const seen = new Set<string>();
      for (let id = parent.archiveId; id !== undefined && !seen.has(id);) {
        seen.add(id);
        id = await renewArchive(placeOf(id), ttlMs);
      }
    },
  };
}
