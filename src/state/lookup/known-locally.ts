import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { KnownSummary, ProcessCopy } from './process-copy.ts';

/** Lengths that are tried. The longest nearly always matches, unless many conversations open alike. */
const maxTried = 64;

/**
 * The longest summary that this process knows of a prefix.
 *
 * @param most - The most messages that it may stand for.
 */
export async function knownLocally(
  copy: Pick<ProcessCopy, 'counts' | 'get'>,
  home: string,
  identity: Pick<ConversationIdentity, 'prefixDigest'>,
  most: number,
): Promise<KnownSummary | undefined> {
  const counts = copy.counts(home).filter((count) => count <= most);
  for (const count of counts.slice(0, maxTried)) {
    const known = copy.get(home, await identity.prefixDigest(count));
    if (known !== undefined) return known;
  }
  return undefined;
}
