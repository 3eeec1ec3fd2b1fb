import type { SummaryRecord } from './summary-record.ts';

/** How the prompt stood right after the last summarisation; cooldown and arming are read from it. */
export interface LastSummarization {
  readonly depth: number;
  /** Significant messages of the conversation at that time, summarised ones included. */
  readonly messageCount: number;
  /** Tokens of the rewritten prompt over the tokens the model accepts. */
  readonly tokenRatio: number;
}

/** What the store holds for a summarised prefix. */
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
  /** Where its originals are; written only once the store has confirmed that it has them. */
  readonly archiveId?: string | undefined;
  /** Milliseconds since the epoch until which the archives of all that it continues are kept. */
  readonly archivesUntil?: number | undefined;
  /** It was made ahead of need, and stands in no prompt yet. */
  readonly prepared?: true | undefined;
}
