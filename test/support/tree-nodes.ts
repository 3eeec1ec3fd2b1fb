import type { ChunkSummary, SummaryResult, SummaryTreeNode } from '../../src/index.ts';

/** The summaries of a result as every store shows them: chunks, groups, the final summary. */
export function treeNodes(
  conversationId: string,
  result: SummaryResult,
  createdAt: string,
): readonly SummaryTreeNode[] {
  const node = (
    layer: 1 | 2 | 3,
    index: number,
    content: string,
    tokens: readonly [number, number],
  ) => {
    const [inputTokens, outputTokens] = tokens;
    const id = `${conversationId}:summary:L${layer}:${index}`;
    const written = {
      conversationId,
      summaryLevel: result.level,
      createdAt,
      id,
      layer,
      index,
      content,
    };
    return { ...written, inputTokens, outputTokens, compressionRatio: outputTokens / inputTokens };
  };
  const layerNodes = (layer: 1 | 2, summaries: readonly ChunkSummary[] = []): SummaryTreeNode[] =>
    summaries.map(({ content, sourceTokens, tokenCount, parentGroup }, index) => ({
      ...node(layer, index, content, [sourceTokens, tokenCount]),
      ...(parentGroup === undefined ? {} : { parentGroup }),
    }));
  return [
    ...layerNodes(1, result.hierarchical?.l1Summaries),
    ...layerNodes(2, result.hierarchical?.l2Summaries),
    node(3, 0, result.summary, [result.inputTokens, result.outputTokens]),
  ];
}
