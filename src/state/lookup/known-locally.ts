import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { StoreKeys } from '../../stores/seal/store-keys.ts';
import type { StateScope } from '../prefixes/state-scope.ts';
import { maxTried, type ProcessCopy } from './process-copy.ts';
import type { KnownSummary } from './known-summary.ts';

/** What is known, and where what is looked for is filed. */
export interface FiledPlace {
  readonly copy: Pick<ProcessCopy, 'counts' | 'get'>;
  readonly scope: Pick<StateScope, 'homeKey' | 'octaveKeys'>;
  readonly keys: StoreKeys;
}

/**
 * The longest summary that this process knows of a prefix, of those that `accepts` accepts. The longest length
 * that is known nearly always matches, unless many conversations open alike: then few of those do that go on
 * alike.
 *
 * @param range - How many messages it may stand for: more than `least`, and `most` at the most.
 */
export async function knownLocally(
  { copy, scope, keys }: FiledPlace,
  identity: Pick<ConversationIdentity, 'prefixDigest'>,
  { least = 0, most }: { readonly least?: number; readonly most: number },
  accepts: (known: KnownSummary) => boolean,
): Promise<KnownSummary | undefined> {
  const home = await scope.homeKey(keys);
  const isInRange = (count: number): boolean => count > least && count <= most;
  const firstOf = async (counts: readonly number[]): Promise<KnownSummary | undefined> => {
    for (const count of counts.slice(0, maxTried)) {
      const known = copy.get(home, await identity.prefixDigest(count));
      if (known !== undefined && accepts(known)) return known;
    }
    return undefined;
  };
  const counts = copy.counts(home).filter(isInRange);
  const longest = await firstOf(counts);
  if (longest !== undefined || counts.length <= maxTried) return longest;
  const crowd = (await scope.octaveKeys(keys, most)).flatMap(copy.counts);
  return firstOf(crowd.filter(isInRange).toSorted((a, b) => b - a));
}
