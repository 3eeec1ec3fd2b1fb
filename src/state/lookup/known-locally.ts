import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { KnownSummary, ProcessCopy } from './process-copy.ts';

/** Lengths that are tried. The longest nearly always matches, unless many conversations open alike. */
const maxTried = 64;

/**
 * The longest summary that this process knows of a prefix, of those that `accepts` accepts.
 *
 * @param range - How many messages it may stand for: more than `least`, and `most` at the most.
 */
export async function knownLocally(
  copy: Pick<ProcessCopy, 'counts' | 'get'>,
  home: string,
  identity: Pick<ConversationIdentity, 'prefixDigest'>,
  { least = 0, most }: { readonly least?: number; readonly most: number },
  accepts: (known: KnownSummary) => boolean,
): Promise<KnownSummary | undefined> {
  const counts = copy.counts(home).filter((count) => count > least && count <= most);
  for (const count of counts.slice(0, maxTried)) {
    const known = copy.get(home, await identity.prefixDigest(count));
    if (known !== undefined && accepts(known)) return known;
  }
  return undefined;
}
