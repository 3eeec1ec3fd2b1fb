import type { SummaryLevel } from './summary-record.ts';

/** The summary of one chunk of a text, or of a group of such summaries. */
export interface ChunkSummary {
  /** Place among the summaries of its kind, from 0. */
  readonly chunkIndex: number;
  readonly content: string;
  /** Tokens of `content`. */
  readonly tokenCount: number;
  /** Tokens of what it was made from: the chunk, or the group's summaries. */
  readonly sourceTokens: number;
  /**
   * Index in `l2Summaries` of the group it was merged into; `undefined` when the final summary was made
   * from it.
   */
  readonly parentGroup: number | undefined;
}

/** The summaries a long text was condensed through. */
export interface HierarchicalSummary {
  /** One for each chunk, in the order of the text. */
  readonly l1Summaries: readonly ChunkSummary[];
  /**
   * One for each group; groups of groups follow the groups they hold. Empty below
   * HIERARCHICAL, unless the model reads too little to merge all chunks at once.
   */
  readonly l2Summaries: readonly ChunkSummary[];
  /** The final summary. */
  readonly l3Summary: string;
  /** Tokens a chunk had at most, its overlap with the chunk before included. */
  readonly chunkSize: number;
  /** Tokens of the end of the chunk before that a chunk begins with. */
  readonly chunkOverlap: number;
}

/** A text and how it was condensed. */
export interface SummaryResult {
  readonly level: SummaryLevel;
  /** From `summarize` at level NONE the text itself; `''` for a blank one. */
  readonly summary: string;
  /**
   * Present when the text was read in chunks; from `summarize` always at the levels DETAILED and
   * HIERARCHICAL.
   */
  readonly hierarchical?: HierarchicalSummary | undefined;
  /** Tokens of the text. */
  readonly inputTokens: number;
  /** Tokens of `summary`; from the middleware those of the record as it is injected. */
  readonly outputTokens: number;
  /** `outputTokens / inputTokens`, clamped to [0, 1]; 0 for an empty text. */
  readonly compressionRatio: number;
}
