import type { SummaryLevel } from '../record/summary-record.ts';
import type { SummaryResult } from '../record/summary-result.ts';

/** One summary of a tree as a {@link SummaryTreeStore} holds it. */
export interface SummaryTreeNode {
  /** `{conversation}:summary:L{n}:{index}`. */
  readonly id: string;
  readonly conversationId: string;
  /** 1 for a chunk, 2 for a group, 3 for the final summary. */
  readonly layer: 1 | 2 | 3;
  /** Place in its layer, from 0. */
  readonly index: number;
  /** Index of the group in layer 2 that it was merged into, if it was. */
  readonly parentGroup?: number | undefined;
  readonly content: string;
  /** Level of the whole summary. */
  readonly summaryLevel: SummaryLevel;
  /** Tokens of what it was made from. */
  readonly inputTokens: number;
  /** Tokens of `content`. */
  readonly outputTokens: number;
  /** `outputTokens / inputTokens`, clamped to [0, 1]. */
  readonly compressionRatio: number;
  /** When it was persisted: ISO 8601, UTC. */
  readonly createdAt: string;
}

/**
 * Keeps the current summary of each conversation, with the summaries it was made from, where people
 * and programs can find them.
 */
export interface SummaryTreeStore {
  /**
   * Puts a summary in the place of the conversation's previous one. Whatever happens in between, one
   * complete set can be read.
   */
  readonly persist: (conversationId: string, result: SummaryResult) => Promise<void>;
  /** The text of the final summary, `undefined` if there is none. */
  readonly getFinalSummary: (conversationId: string) => Promise<string | undefined>;
  /** The summaries of a conversation, layer by layer; empty if there are none. */
  readonly list: (conversationId: string) => Promise<readonly SummaryTreeNode[]>;
  /**
   * The trees that stood before the current one, the newest first, each as `list` gave it; as many as the store
   * keeps. A store that keeps none may leave it out.
   */
  readonly history?:
    | ((conversationId: string) => Promise<readonly (readonly SummaryTreeNode[])[]>)
    | undefined;
  /** Removes all summaries of a conversation, earlier ones included; removing what is not there is no error. */
  readonly delete: (conversationId: string) => Promise<void>;
}
