import { visibleText } from './visible-text.ts';
import type { ActionItem, SummaryContent, SummaryRecord } from '../record/summary-record.ts';
import { withheldText, type RedactionDoor } from './redaction-door.ts';

/** UTF-16 characters of a narrative and of an item, and items of a list, that a record can hold. */
const maxRecordSummaryCharacters = 400_000;
const maxRecordItemCharacters = 4000;
const maxRecordItems = 1000;

/**
 * The content as a record may hold it: every text has gone through the door, none is longer and no list
 * has more items than any strategy writes; items that say nothing, or that were withheld, leave. What is
 * written and what is read back go through here alike; done twice it changes nothing more, as long as
 * the door does not.
 */
export function cleanContent(
  { summary, keyPoints, context }: SummaryContent,
  clean: RedactionDoor,
): SummaryContent {
  const item = (text: string): string => {
    const cleaned = clean(text);
    return cleaned === withheldText ? '' : cut(cleaned, maxRecordItemCharacters);
  };
  const list = (texts: readonly string[]): readonly string[] =>
    texts
      .slice(0, maxRecordItems)
      .map(item)
      .filter((text) => text.trim() !== '');
  const { participants, decisions, actionItems, unresolved, domainEntities, constraints } = context;
  return {
    summary: cut(clean(summary), maxRecordSummaryCharacters),
    keyPoints: list(keyPoints),
    context: {
      participants: list(participants),
      decisions: list(decisions),
      actionItems: actionItems
        .slice(0, maxRecordItems)
        .map((action) => cleanAction(action, item))
        .filter(({ task }) => task.trim() !== ''),
      unresolved: list(unresolved),
      domainEntities: list(domainEntities),
      constraints: list(constraints),
    },
  };
}

/** A record as it may be read back or carried on: its content and the name of its strategy. */
export function cleanRecord(record: SummaryRecord, clean: RedactionDoor): SummaryRecord {
  return {
    ...record,
    ...cleanContent(record, clean),
    strategy: cut(visibleText(record.strategy), maxRecordItemCharacters),
  };
}

function cleanAction({ owner, task, due }: ActionItem, item: RedactionDoor): ActionItem {
  const by = owner === undefined ? '' : item(owner);
  const until = due === undefined ? '' : item(due);
  return {
    ...(by.trim() === '' ? {} : { owner: by }),
    task: item(task),
    ...(until.trim() === '' ? {} : { due: until }),
  };
}

/** A surrogate pair that would be cut in two leaves. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return text.slice(0, characters).replace(/[\ud800-\udbff]$/, '');
}
