import type { SummaryContent } from '../../src/index.ts';

/** Content that says nothing but a given summary. */
export function emptyContent(summary: string): SummaryContent {
  return {
    summary,
    keyPoints: [],
    context: {
      participants: [],
      decisions: [],
      actionItems: [],
      unresolved: [],
      domainEntities: [],
      constraints: [],
    },
  };
}
