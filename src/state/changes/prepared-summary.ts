import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { StoredSummary } from '../../record/stored-summary.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { knownLocally } from '../lookup/known-locally.ts';
import { isInUse, type KnownSummary } from '../lookup/known-summary.ts';
import { readRecord } from '../lookup/look-up.ts';
import type { StatePlace } from './state-place.ts';
import { supersede } from './supersede.ts';
import { takeBackIfErased } from './take-back.ts';

/** How the prompt stands with a summary in its place. */
export type Standing = Pick<StoredSummary, 'lastSummarization' | 'ratioIfUndone'>;

/** Where prepared summaries are. */
export interface PreparedPlace extends Omit<StatePlace, 'home' | 'store'> {
  /** With the current secret, then with the former one. */
  readonly stores: readonly SealedStore[];
}

/** The longest prepared summary that this process knows of a conversation, and that continues what was found. */
export async function findPrepared(
  { copy, scope, stores }: Pick<PreparedPlace, 'copy' | 'scope' | 'stores'>,
  identity: ConversationIdentity,
  found: StoredSummary | undefined,
): Promise<KnownSummary | undefined> {
  if (copy.isEmpty()) return undefined;
  const { coveredMessages: least = 0, prefixDigest: before } = found?.record ?? {};
  const range = { least, most: identity.significantBefore(Number.POSITIVE_INFINITY) - 1 };
  const continues = (known: KnownSummary): boolean =>
    !isInUse(known) && known.summary.parentDigest === before;
  for (const { keys } of stores) {
    const known = await knownLocally({ copy, scope, keys }, identity, range, continues);
    if (known !== undefined) return known;
  }
  return undefined;
}

/** A prepared summary as it stands in a prompt. */
export function inUse(
  summary: StoredSummary,
  { lastSummarization, ratioIfUndone }: Standing,
): StoredSummary {
  return { ...summary, prepared: undefined, lastSummarization, ratioIfUndone };
}

/** Puts a prepared summary in place, see `ConversationState.putInPlace`. */
export async function putPreparedInPlace(
  place: PreparedPlace,
  { record: { prefixDigest: digest } }: StoredSummary,
  standing: Standing,
): Promise<void> {
  const { copy, scope, stores } = place;
  for (const store of stores) {
    const home = await scope.homeKey(store.keys);
    const mine = copy.get(home, digest);
    if (mine === undefined || isInUse(mine)) continue;
    // Before anything is waited for: the next call of this process sends it, too.
    copy.keep(home, { ...mine, summary: inUse(mine.summary, standing) });
    await shareInUse({ ...place, store, home }, mine, standing).catch(() => {});
  }
}

/** Tells the other processes; lets the summary before it go. What fails here is done by who looks next. */
async function shareInUse(
  place: StatePlace,
  mine: KnownSummary,
  standing: Standing,
): Promise<void> {
  const { copy, home, scope, store, times } = place;
  const { key, expiresAt, erasures, summary } = mine;
  const { prefixDigest: digest } = summary.record;
  const answer = await readRecord(store, scope, digest, erasures);
  if (answer.state === 'ended') copy.forget(home, digest);
  if (answer.state !== 'known' || isInUse(answer.known)) return;
  const ttlMs = expiresAt - Date.now();
  await store.write(key, JSON.stringify(inUse(answer.known.summary, standing)), { ttlMs });
  await takeBackIfErased(store, scope, mine, times.retentionMs);
  const { parentDigest } = summary;
  const parent = parentDigest === undefined ? undefined : copy.get(home, parentDigest);
  if (parent !== undefined) await supersede(place, parent, digest);
}
