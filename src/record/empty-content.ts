import type { SummaryContent } from './summary-record.ts';

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
