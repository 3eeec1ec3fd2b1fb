import type { SummaryRecord } from '../../record/summary-record.ts';
import { knownRecord, type KnownPlace } from './known-record.ts';
import { skeletonOf, type Skeleton } from '../stored-values/skeleton.ts';

/** A record of a conversation, as far as it is still there. */
export interface ChainedRecord {
  readonly figures: Skeleton;
  /** With its texts, unless they have left. */
  readonly record?: SummaryRecord | undefined;
}

/** Records that are followed at most. */
const maxChain = 10_000;

/**
 * Reads a record and those that it continues, from the newest to the oldest: where one has left altogether,
 * what came before cannot be found.
 */
export async function readChain(
  place: KnownPlace,
  newest: string,
): Promise<readonly ChainedRecord[]> {
  const chain: ChainedRecord[] = [];
  const seen = new Set<string>();
  let digest: string | undefined = newest;
  while (digest !== undefined && !seen.has(digest) && chain.length < maxChain) {
    seen.add(digest);
    const link = await readLink(place, digest);
    if (link === undefined) break;
    chain.push(link);
    digest = link.figures.parentDigest;
  }
  return chain;
}

async function readLink(place: KnownPlace, digest: string): Promise<ChainedRecord | undefined> {
  const answer = await knownRecord(place, digest);
  if (answer.state === 'known') {
    const { summary } = answer.known;
    return { figures: skeletonOf(summary), record: summary.record };
  }
  if (answer.state === 'ended') return undefined;
  const { store, scope } = place;
  const { text } = await store.read(await scope.skeletonKey(store.keys, digest));
  if (text === undefined) return undefined;
  const { parseSkeleton } = await import('../stored-values/parse-skeleton.ts');
  const figures = parseSkeleton(text);
  return figures && { figures };
}
