import { parseJson } from '../../json/parse-json.ts';
import { isObject } from '../../util/is-object.ts';
import type { StoredSummary } from '../../record/stored-summary.ts';
import type { RecordFigures } from '../../record/summary-record.ts';

/**
 * What stays of a superseded record when its texts have left: enough to go back along a conversation's
 * records, to tell which messages each stands for, and what it was like.
 */
export interface Skeleton
  extends RecordFigures, Pick<StoredSummary, 'parentDigest' | 'archiveId' | 'treeId'> {
  /** Digest of what the record stands for that took its place last. */
  readonly childDigest?: string | undefined;
}

/** The skeleton of a record. */
export function skeletonOf(
  { record, parentDigest, archiveId, treeId }: StoredSummary,
  childDigest?: string,
): Skeleton {
  const { id, parentId, timestamp, depth, coveredMessages, originalMessageIds } = record;
  const { prefixDigest, strategy, promptVersion, degraded, metrics } = record;
  return {
    id,
    parentId,
    parentDigest,
    childDigest,
    archiveId,
    treeId,
    timestamp,
    depth,
    coveredMessages,
    originalMessageIds,
    prefixDigest,
    strategy,
    ...(promptVersion === undefined ? {} : { promptVersion }),
    degraded,
    metrics,
  };
}

/** What a sealed skeleton leads to: what its parent stands for, or its child, its archive or its tree. */
export function fieldIn(
  text: string,
  name: 'parentDigest' | 'childDigest' | 'archiveId' | 'treeId',
): string | undefined {
  const skeleton = parseJson(text);
  const field = isObject(skeleton) ? skeleton[name] : undefined;
  return typeof field === 'string' ? field : undefined;
}
