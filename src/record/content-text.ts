import type { ActionItem, ReplacedConstraint, SummaryContent } from './summary-record.ts';

/** The words of an action item: task, owner and due date. */
function actionItemText({ owner, task, due }: ActionItem): string {
  return [task, owner, due].filter((text) => text !== undefined).join(' ');
}

/** A rule that was ended, with what ended it. */
function replacementText({ rule, by }: ReplacedConstraint): string {
  return `${rule} → ${by}`;
}

/** All a summary says, one statement a line, without any JSON around it. */
export function contentText(content: SummaryContent): string {
  const { summary, minutes = '' } = content;
  return [summary, ...titledLists(content).flatMap(([, items]) => items), minutes].join('\n');
}

/** A summary as Markdown for people: the narrative, then each list that holds something. */
export function recordText(content: SummaryContent): string {
  const sections = titledLists(content)
    .filter(([, items]) => items.length > 0)
    .map(([title, items]) => [`## ${title}`, '', ...items.map(listItem)].join('\n'));
  const minutes = content.minutes?.split('\n') ?? [];
  if (minutes.length > 0) sections.push(['## Minutes', '', ...minutes.map(listItem)].join('\n'));
  return [content.summary, ...sections].join('\n\n');
}

function titledLists({
  keyPoints,
  context,
}: SummaryContent): readonly (readonly [title: string, items: readonly string[]])[] {
  return [
    ['Key points', keyPoints],
    ['Participants', context.participants],
    ['Decisions', context.decisions],
    ['Action items', context.actionItems.map(actionItemText)],
    ['Unresolved', context.unresolved],
    ['Entities', context.domainEntities],
    ['Constraints', context.constraints],
    ['Replaced constraints', (context.replacedConstraints ?? []).map(replacementText)],
    ['Said by the user', context.userWords ?? []],
  ];
}

function listItem(text: string): string {
  return `- ${text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')}`;
}
