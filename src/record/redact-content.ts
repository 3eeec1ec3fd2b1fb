import type { SummaryContent } from './summary-record.ts';

/** Applies `redact` to every text of a summary, before it goes into the store. */
export function redactContent(
  content: SummaryContent,
  redact: ((text: string) => string) | undefined,
): SummaryContent {
  if (redact === undefined) return content;
  const all = (texts: readonly string[]): string[] => texts.map((text) => redact(text));
  const optional = (text: string | undefined): string | undefined => text && redact(text);
  const { participants, decisions, actionItems, unresolved, domainEntities, constraints } =
    content.context;
  return {
    summary: redact(content.summary),
    keyPoints: all(content.keyPoints),
    context: {
      participants: all(participants),
      decisions: all(decisions),
      actionItems: actionItems.map(({ owner, task, due }) => ({
        owner: optional(owner),
        task: redact(task),
        due: optional(due),
      })),
      unresolved: all(unresolved),
      domainEntities: all(domainEntities),
      constraints: all(constraints),
    },
  };
}
