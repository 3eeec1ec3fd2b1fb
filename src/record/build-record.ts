import { compressionRatio } from '../util/numbers.ts';
import { contentOf, itemsOf } from './content-items.ts';
import { summaryLevelOf } from './summary-level.ts';
import type { RecordFigures, SummaryContent, SummaryRecord } from './summary-record.ts';

/** What code knows about a record before its sizes are known. */
export interface RecordFrame extends Omit<
  RecordFigures,
  'id' | 'timestamp' | 'parentId' | 'metrics'
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
  { key, parent, inputTokens, ...frame }: RecordFrame,
  given: SummaryContent,
  outputTokens: number,
): SummaryRecord {
  return {
    version: 2,
    id: recordIdOf(key),
    timestamp: Date.now(),
    parentId: parent?.id,
    ...frame,
    ...contentOf(given, itemsOf(given)),
    metrics: {
      inputTokens,
      outputTokens,
      compressionRatio: compressionRatio(inputTokens, outputTokens),
      level: summaryLevelOf(inputTokens),
    },
  };
}
