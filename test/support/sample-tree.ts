import type { ChunkSummary, SummaryResult } from '../../src/index.ts';

/** Summaries in a group. */
const groupSize = 5;

/** A summary made through a tree of so many chunks, all of whose texts hold a label. */
export function sampleTree(label: string, chunks: number): SummaryResult {
  const summary = `final ${label}`;
  const summaries = (
    count: number,
    kind: string,
    parentGroup: (index: number) => number | undefined,
  ) =>
    Array.from({ length: count }, (_, index): ChunkSummary => ({
      chunkIndex: index,
      content: `${kind} ${index} ${label}`,
      tokenCount: 300 + index,
      sourceTokens: 3000,
      parentGroup: parentGroup(index),
    }));
  return {
    level: 'HIERARCHICAL',
    summary,
    hierarchical: {
      l1Summaries: summaries(chunks, 'chunk', (index) => Math.floor(index / groupSize)),
      l2Summaries: summaries(Math.ceil(chunks / groupSize), 'group', () => undefined),
      l3Summary: summary,
      chunkSize: 3000,
      chunkOverlap: 200,
    },
    inputTokens: 3000 * chunks,
    outputTokens: 200,
    compressionRatio: 200 / (3000 * chunks),
  };
}

/** A summary without a tree. */
export function sampleText(
  summary: string,
  level: SummaryResult['level'] = 'BRIEF',
): SummaryResult {
  return { level, summary, inputTokens: 300, outputTokens: 60, compressionRatio: 0.2 };
}
