import type { ActionItem, SummaryContent } from './summary-record.ts';

/** The words of an action item: task, owner and due date. */
export function actionItemText({ owner, task, due }: ActionItem): string {
  return [task, owner, due].filter((text) => text !== undefined).join(' ');
}

/** All a summary says, one statement a line, without any JSON around it. */
export function contentText({ summary, keyPoints, context }: SummaryContent): string {
  return [
    summary,
    ...keyPoints,
    ...context.participants,
    ...context.decisions,
    ...context.actionItems.map(actionItemText),
    ...context.unresolved,
    ...context.domainEntities,
    ...context.constraints,
  ].join('\n');
}
