import { compressionRatio } from '../util/numbers.ts';
import { contentOf, itemsOf } from './content-items.ts';
import { summaryLevelOf } from './summary-level.ts';
import type { SummaryContent, SummaryRecord } from './summary-record.ts';

/** What code knows about a record before its sizes are known. */
export interface RecordFrame extends Pick<
  SummaryRecord,
  | 'depth'
  | 'coveredMessages'
  | 'prefixDigest'
  | 'openingDigests'
  | 'strategy'
  | 'promptVersion'
  | 'degraded'
> {
  /** Store key of the record; digits of it become the id. */
  readonly key: string;
  readonly parent?: SummaryRecord | undefined;
  /** Tokens of what the record replaces. */
  readonly inputTokens: number;
}

/** The digits of a store key that make a record's id: those before them are of the namespace. */
const idDigits = [16, 32] as const;

/** The id of the record under a store key. */
export function recordIdOf(key: string): string {
  return key.slice(...idDigits);
}

/** Puts a record together from what a strategy wrote and what code computed. */
export function buildRecord(
  frame: RecordFrame,
  given: SummaryContent,
  outputTokens: number,
): SummaryRecord {
  const content = contentOf(given, itemsOf(given));
  return {
    version: 2,
    id: recordIdOf(frame.key),
    timestamp: Date.now(),
    depth: frame.depth,
    ...(frame.parent === undefined ? {} : { parentId: frame.parent.id }),
    ...content,
    coveredMessages: frame.coveredMessages,
    prefixDigest: frame.prefixDigest,
    ...(frame.openingDigests === undefined ? {} : { openingDigests: frame.openingDigests }),
    strategy: frame.strategy,
    ...(frame.promptVersion === undefined ? {} : { promptVersion: frame.promptVersion }),
    degraded: frame.degraded,
    metrics: {
      inputTokens: frame.inputTokens,
      outputTokens,
      compressionRatio: compressionRatio(frame.inputTokens, outputTokens),
      level: summaryLevelOf(frame.inputTokens),
    },
  };
}
