import type { ReactElement } from 'react';
import type { ItemOrigin } from '../record/item-origin.ts';
import type { ActionItem, SummaryRecord } from '../record/summary-record.ts';
import type { MessageNumbers } from '../ui/message-numbers.ts';
import { englishLabels, type SummarizationLabels } from './labels.ts';

/** Properties of {@link SummaryRecordView}. */
export interface SummaryRecordViewProps {
  readonly record: SummaryRecord;
  /** `numbers` of `useSummarization`: each item leads to its message. */
  readonly numbers?: MessageNumbers | undefined;
  /**
   * Address of a message on the page.
   * @default `#` and the id
   */
  readonly hrefOf?: ((messageId: string) => string) | undefined;
  readonly className?: string | undefined;
  readonly labels?: Partial<SummarizationLabels> | undefined;
}

/**
 * What a record says, for people: rules, the user's words, decisions, what is open, key points, files and names, and then
 * the narrative; each item with a link to the message that it comes from. Unstyled: its elements bear `data-slot`
 * (`summary-record`, `-narrative`, `-section`, `-title`, `-list`, `-item`, `-origin`), sections `data-section`.
 */
export function SummaryRecordView(props: SummaryRecordViewProps): ReactElement {
  const { record, numbers, hrefOf = fragmentOf, className } = props;
  const labels = { ...englishLabels, ...props.labels };
  const linkTo = (origin: ItemOrigin | undefined) => {
    const id = numbers?.originIds[origin?.message ?? -1];
    if (id === undefined || origin === undefined) return undefined;
    const { role } = origin;
    return (
      <a data-slot="summary-record-origin" href={hrefOf(id)} aria-label={labels.showOrigin(role)}>
        {labels.origin(role)}
      </a>
    );
  };
  return (
    <section data-slot="summary-record" aria-label={labels.record} className={className}>
      {sectionsOf(record).map(([name, texts, origins]) => (
        <div key={name} data-slot="summary-record-section" data-section={name}>
          <p data-slot="summary-record-title">{labels[name]}</p>
          <ul data-slot="summary-record-list" aria-label={labels[name]}>
            {texts.map((text, index) => (
              // A record may say the same twice, and is never reordered.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} data-slot="summary-record-item">
                {text} {linkTo(origins[index])}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {record.summary.trim() !== '' && <p data-slot="summary-record-narrative">{record.summary}</p>}
    </section>
  );
}

type SectionName = 'constraints' | 'userWords' | 'decisions' | 'openItems' | 'keyPoints' | 'names';
type Section = readonly [SectionName, texts: readonly string[], origins: readonly ItemOrigin[]];

function sectionsOf({ keyPoints, context, origins }: SummaryRecord): readonly Section[] {
  const tasks = context.actionItems.map(taskText);
  // An item without an origin must not lend its place to the next list.
  const ofTasks = tasks.map((_, index) => origins.actionItems[index] ?? { role: 'model' as const });
  const sections: readonly Section[] = [
    ['constraints', context.constraints, origins.constraints],
    ['userWords', context.userWords ?? [], origins.userWords],
    ['decisions', context.decisions, origins.decisions],
    ['openItems', [...tasks, ...context.unresolved], [...ofTasks, ...origins.unresolved]],
    ['keyPoints', keyPoints, origins.keyPoints],
    ['names', context.domainEntities, origins.domainEntities],
  ];
  return sections.filter(([, texts]) => texts.length > 0);
}

function taskText({ owner, task, due }: ActionItem): string {
  const who = owner === undefined ? '' : `${owner}: `;
  return `${who}${task}${due === undefined ? '' : ` (${due})`}`;
}

function fragmentOf(messageId: string): string {
  return `#${encodeURIComponent(messageId)}`;
}
