import { compressionRatio } from '../util/compression-ratio.ts';
import { summaryLevelOf } from './summary-level.ts';
import type { SummaryContent, SummaryRecord } from './summary-record.ts';

/** What code knows about a record before its sizes are known. */
export interface RecordFrame extends Pick<
  SummaryRecord,
  'depth' | 'prefixDigest' | 'strategy' | 'degraded'
> {
  /** Store key of the record; its beginning becomes the id. */
  readonly key: string;
  readonly parent?: SummaryRecord | undefined;
  readonly messageIds: readonly string[];
  /** Tokens of what the record replaces. */
  readonly inputTokens: number;
}

/** Hexadecimal digits of the store key that make a record's id. */
const idLength = 16;

/** The id of the record under a store key. */
export function recordIdOf(key: string): string {
  return key.slice(0, idLength);
}

/** Puts a record together from what a strategy wrote and what code computed. */
export function buildRecord(
  frame: RecordFrame,
  content: SummaryContent,
  outputTokens: number,
): SummaryRecord {
  const { summary, keyPoints, context } = content;
  return {
    version: 1,
    id: recordIdOf(frame.key),
    timestamp: Date.now(),
    depth: frame.depth,
    ...(frame.parent === undefined ? {} : { parentId: frame.parent.id }),
    summary,
    keyPoints,
    context,
    originalMessageIds: frame.messageIds,
    prefixDigest: frame.prefixDigest,
    strategy: frame.strategy,
    degraded: frame.degraded,
    metrics: {
      inputTokens: frame.inputTokens,
      outputTokens,
      compressionRatio: compressionRatio(frame.inputTokens, outputTokens),
      level: summaryLevelOf(frame.inputTokens),
    },
  };
}
