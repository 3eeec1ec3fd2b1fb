import { itemsOf, withItems } from './content-items.ts';
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

/**
 * Content that says nothing but a given summary, and keeps of another one what the user ruled, which no prompt then
 * shows, and said.
 */
export function emptiedContent(summary: string, content: SummaryContent): SummaryContent {
  const { constraints, replacedConstraints, userWords } = itemsOf(content);
  return withItems(emptyContent(summary), () => ({
    constraints: constraints.map((rule) => ({ ...rule, isUnshown: true })),
    replacedConstraints,
    userWords,
  }));
}
