import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { lookUp, readList, readRecord, type RecordAnswer } from './look-up.ts';
import type { StateScope } from '../prefixes/state-scope.ts';

/** Where the newest record of a conversation is looked for. */
export interface NewestPlace {
  readonly store: SealedStore;
  readonly scope: StateScope;
  /** What the conversation says; `undefined` when its id is known. */
  readonly identity: ConversationIdentity | undefined;
}

/** The digest of what the newest record of a conversation stands for, of those that have stood in a prompt. */
export async function newestDigest(place: NewestPlace): Promise<string | undefined> {
  const { store, scope, identity } = place;
  if (identity === undefined) return newestListed(place);
  const most = identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  const { prefixes } = await lookUp(store, scope, identity, { most });
  const known = [...prefixes.values()].flatMap((answer) =>
    isInUse(answer) ? [answer.known.summary.record] : [],
  );
  const [longest] = known.toSorted((a, b) => b.coveredMessages - a.coveredMessages);
  return longest?.prefixDigest;
}

/** The record that was listed last, of those that are still there. */
async function newestListed({ store, scope }: NewestPlace): Promise<string | undefined> {
  const [listKey] = await scope.allListKeys(store.keys, 0);
  const { index } = await readList(store, listKey ?? '');
  for (const { digest } of index.entries.toReversed()) {
    if (isInUse(await readRecord(store, scope, digest, new Map()))) return digest;
  }
  return undefined;
}

function isInUse(answer: RecordAnswer): answer is Extract<RecordAnswer, { state: 'known' }> {
  return answer.state === 'known' && answer.known.summary.prepared !== true;
}
