import { isObject } from '../../util/is-object.ts';
import type { StoredSummary } from '../../record/stored-summary.ts';
import type { RecordFigures } from '../../record/summary-record.ts';

/**
 * What stays of a superseded record when its texts have left: enough to go back along a conversation's
 * records, to tell which messages each stands for, and what it was like.
 */
export interface Skeleton extends RecordFigures, Pick<StoredSummary, 'parentDigest'> {
  /** Digest of what the record stands for that took its place last. */
  readonly childDigest?: string | undefined;
}

/** The skeleton of a record. */
export function skeletonOf(
  { record, parentDigest }: StoredSummary,
  childDigest?: string,
): Skeleton {
  const { id, parentId, timestamp, depth, coveredMessages, originalMessageIds } = record;
  const { prefixDigest, strategy, degraded, metrics } = record;
  return {
    id,
    parentId,
    parentDigest,
    childDigest,
    timestamp,
    depth,
    coveredMessages,
    originalMessageIds,
    prefixDigest,
    strategy,
    degraded,
    metrics,
  };
}

/** The digest of what the parent of a sealed skeleton stands for, or of its child. */
export function digestIn(
  text: string,
  of: 'parentDigest' | 'childDigest' = 'parentDigest',
): string | undefined {
  try {
    const skeleton: unknown = JSON.parse(text);
    const digest = isObject(skeleton) ? skeleton[of] : undefined;
    return typeof digest === 'string' ? digest : undefined;
  } catch {
    return undefined;
  }
}
