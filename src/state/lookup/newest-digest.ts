import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import { isInUse } from './known-summary.ts';
import { knownLocally } from './known-locally.ts';
import { knownRecord, type KnownPlace } from './known-record.ts';
import { lookUp, readList } from './look-up.ts';

/**
 * The digest of what the newest record of a conversation stands for, of those that have stood in a prompt: in the
 * store or as this process knows it.
 *
 * @param identity - What the conversation says; `undefined` when its id is known.
 */
export async function newestDigest(
  place: KnownPlace,
  identity: ConversationIdentity | undefined,
): Promise<string | undefined> {
  return identity === undefined ? newestListed(place) : newestOf(place, identity);
}

async function newestOf(
  { store, copy, scope }: KnownPlace,
  identity: ConversationIdentity,
): Promise<string | undefined> {
  const most = identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  const place = { copy, scope, keys: store.keys };
  const known = await knownLocally(place, identity, { most }, isInUse);
  const mine = known?.summary.record;
  const { prefixes } = await lookUp(store, scope, identity, { most, also: mine?.prefixDigest });
  const stored = [...prefixes.values()].flatMap((answer) =>
    answer.state === 'known' && isInUse(answer.known) ? [answer.known.summary.record] : [],
  );
  const isEnded = mine !== undefined && prefixes.get(mine.prefixDigest)?.state === 'ended';
  return longestRecord(mine === undefined || isEnded ? stored : [...stored, mine])?.prefixDigest;
}

/** The record that was listed last, of those that are still there, unless this process knows a longer one. */
async function newestListed(place: KnownPlace): Promise<string | undefined> {
  const { store, copy, scope, home = '' } = place;
  const [listKey] = await scope.allListKeys(store.keys, 0);
  const { index } = await readList(store, listKey ?? '');
  const listed = index.entries.map(({ digest }) => digest).toReversed();
  const unlisted = copy.newest(home).filter((digest) => !listed.includes(digest));
  const newest = [await firstKnown(place, listed), await firstKnown(place, unlisted)];
  return longestRecord(newest.filter((record) => record !== undefined))?.prefixDigest;
}

async function firstKnown(
  place: KnownPlace,
  digests: readonly string[],
): Promise<SummaryRecord | undefined> {
  for (const digest of digests) {
    const answer = await knownRecord(place, digest);
    if (answer.state === 'known' && isInUse(answer.known)) return answer.known.summary.record;
  }
  return undefined;
}

function longestRecord(records: readonly SummaryRecord[]): SummaryRecord | undefined {
  return records.toSorted((a, b) => b.coveredMessages - a.coveredMessages)[0];
}
