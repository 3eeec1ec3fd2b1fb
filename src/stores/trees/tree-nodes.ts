import { compressionRatio } from '../../util/compression-ratio.ts';
import type { ChunkSummary, SummaryResult } from '../../record/summary-result.ts';
import type { SummaryTreeNode } from '../summary-tree-store.ts';

/**
 * The summaries of a result as a store holds them, layer by layer: chunks, groups, the final summary,
 * which is there always and says what `result.summary` says.
 *
 * @param createdAt - ISO 8601, UTC; one for all of them.
 */
export function treeNodes(
  conversationId: string,
  result: SummaryResult,
  createdAt: string,
): readonly SummaryTreeNode[] {
  const shared = { conversationId, summaryLevel: result.level, createdAt };
  const { l1Summaries = [], l2Summaries = [] } = result.hierarchical ?? {};
  const layerNodes = (layer: 1 | 2, summaries: readonly ChunkSummary[]): SummaryTreeNode[] =>
    summaries.map(({ content, tokenCount, sourceTokens, parentGroup }, index) => ({
      ...shared,
      id: nodeId(conversationId, layer, index),
      layer,
      index,
      ...(parentGroup === undefined ? {} : { parentGroup }),
      content,
      inputTokens: sourceTokens,
      outputTokens: tokenCount,
      compressionRatio: compressionRatio(sourceTokens, tokenCount),
    }));
  return [
    ...layerNodes(1, l1Summaries),
    ...layerNodes(2, l2Summaries),
    {
      ...shared,
      id: nodeId(conversationId, 3, 0),
      layer: 3,
      index: 0,
      content: result.summary,
      inputTokens: result.inputTokens,
      outputTokens: result.outputTokens,
      compressionRatio: result.compressionRatio,
    },
  ];
}

function nodeId(conversationId: string, layer: number, index: number): string {
  return `${conversationId}:summary:L${layer}:${index}`;
}
