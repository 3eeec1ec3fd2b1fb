import type { ReactNode } from 'react';
import type { SummaryRecord } from 'ai-sdk-summarization';

/** What a record says: the narrative, then its lists. */
export function RecordView({ record }: { readonly record: SummaryRecord }): ReactNode {
  const { summary, keyPoints, context } = record;
  const tasks = context.actionItems.map(({ owner, task, due }) =>
    [owner && `${owner}:`, task, due].filter(Boolean).join(' '),
  );
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Key points', keyPoints],
    ['Decisions', context.decisions],
    ['Action items', tasks],
    ['Unresolved', context.unresolved],
    ['Constraints', context.constraints],
    ['Entities', joined(context.domainEntities)],
  ];
  return (
    <section aria-label="Record" className="record">
      <p>{summary}</p>
      {lists.map(
        ([title, items]) =>
          items.length > 0 && (
            <section key={title}>
              <h3>{title}</h3>
              <ul>
                {items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </section>
          ),
      )}
    </section>
  );
}

/** Names need no line each. */
function joined(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [names.join(', ')];
}
