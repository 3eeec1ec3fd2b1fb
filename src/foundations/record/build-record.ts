import { compressionRatio } from '../util/numbers.ts';
import { contentOf, itemsOf } from './content-items.ts';
import type {
  RecordFigures,
  SummaryContent,
  LastSummarization,
  SummaryLevel,
  SummaryRecord,
} from './summary-record.ts';

/** A record in the store, with its summarized prefix. */
export interface StoredSummary {
  readonly record: SummaryRecord;
  readonly lastSummarization: LastSummarization;
  /** Where a tree store keeps the conversation's summaries, if one does. */
  readonly treeId?: string | undefined;
  /** Digest of what the record's parent stands for. */
  readonly parentDigest?: string | undefined;
  /** Messages that its parent stands for. */
  readonly from: number;
  /** Content digests of the last messages it stands for, those of its ancestors included. */
  readonly lastIds?: readonly string[] | undefined;
  /**
   * The `tokenRatio` from which growth counts should it be undone: the largest that the whole prompt can have
   * before the next summary is due.
   */
  readonly ratioIfUndone?: number | undefined;
  /** Where its originals are, if all of them were sent to who wrote it. */
  readonly archiveId?: string | undefined;
  /** Milliseconds since the epoch until which the archives of all that it continues are kept. */
  readonly archivesUntil?: number | undefined;
  /** It was made ahead of need, and stands in no prompt yet. */
  readonly prepared?: true | undefined;
}

/** Fields of a record that code knows before its sizes are known. */
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
    version: 3,
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

/**
 * The level of a text of so many tokens: one that is left as it is, has one sentence, one paragraph, is read in chunks
 * whose summaries are merged, or in chunks, groups of chunks and one final summary.
 */
export function summaryLevelOf(tokens: number): SummaryLevel {
  if (tokens < 100) return 'NONE';
  if (tokens < 500) return 'BRIEF';
  if (tokens < 3000) return 'STANDARD';
  return tokens < 15_000 ? 'DETAILED' : 'HIERARCHICAL';
}
