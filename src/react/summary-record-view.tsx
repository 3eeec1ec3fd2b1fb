import { useId, type ReactElement } from 'react';
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

interface Item {
  readonly text: string;
  readonly origin: ItemOrigin | undefined;
}

/**
 * What a record says, for people: rules, the user's words, decisions, what is open, key points, files and names, and then
 * the narrative; each item with a link to the message that it comes from. Unstyled: its elements bear `data-slot`
 * (`summary-record`, `-narrative`, `-section`, `-title`, `-list`, `-item`, `-origin`), sections `data-section`.
 */
export function SummaryRecordView(props: SummaryRecordViewProps): ReactElement {
  const { record, className } = props;
  const labels = { ...englishLabels, ...props.labels };
  return (
    <section data-slot="summary-record" aria-label={labels.record} className={className}>
      {sectionsOf(record).map(({ name, items }) => (
        <RecordSection key={name} {...props} labels={labels} name={name} items={items} />
      ))}
      {record.summary.trim() !== '' && <p data-slot="summary-record-narrative">{record.summary}</p>}
    </section>
  );
}

type SectionName = 'constraints' | 'userWords' | 'decisions' | 'openItems' | 'keyPoints' | 'names';

interface RecordSectionProps extends Omit<SummaryRecordViewProps, 'labels'> {
  readonly name: SectionName;
  readonly items: readonly Item[];
  readonly labels: SummarizationLabels;
}

function RecordSection(props: RecordSectionProps): ReactElement {
  const { name, items, labels } = props;
  const id = useId();
  return (
    <div data-slot="summary-record-section" data-section={name}>
      <p data-slot="summary-record-title" id={id}>
        {labels[name]}
      </p>
      <ul data-slot="summary-record-list" aria-labelledby={id}>
        {items.map(({ text, origin }, index) => (
          // A record may say the same twice, and is never reordered.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-slot="summary-record-item">
            {text} <OriginLink {...props} origin={origin} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface OriginLinkProps extends Omit<RecordSectionProps, 'items' | 'name' | 'record'> {
  readonly origin: ItemOrigin | undefined;
}

/** Leads to the message that an item comes from, where the page has it. */
function OriginLink({ origin, numbers, hrefOf = fragmentOf, labels }: OriginLinkProps) {
  const id = numbers?.originIds[origin?.message ?? -1];
  if (id === undefined || origin === undefined) return undefined;
  return (
    <a
      data-slot="summary-record-origin"
      href={hrefOf(id)}
      aria-label={labels.showOrigin(origin.role)}
    >
      {labels.origin(origin.role)}
    </a>
  );
}

function sectionsOf({ keyPoints, context, origins }: SummaryRecord) {
  const sections: readonly { readonly name: SectionName; readonly items: readonly Item[] }[] = [
    { name: 'constraints', items: itemsOf(context.constraints, origins.constraints) },
    { name: 'userWords', items: itemsOf(context.userWords ?? [], origins.userWords) },
    { name: 'decisions', items: itemsOf(context.decisions, origins.decisions) },
    {
      name: 'openItems',
      items: [
        ...itemsOf(context.actionItems.map(taskText), origins.actionItems),
        ...itemsOf(context.unresolved, origins.unresolved),
      ],
    },
    { name: 'keyPoints', items: itemsOf(keyPoints, origins.keyPoints) },
    { name: 'names', items: itemsOf(context.domainEntities, origins.domainEntities) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function itemsOf(texts: readonly string[], origins: readonly ItemOrigin[]): readonly Item[] {
  return texts.map((text, index) => ({ text, origin: origins[index] }));
}

function taskText({ owner, task, due }: ActionItem): string {
  const who = owner === undefined ? '' : `${owner}: `;
  return `${who}${task}${due === undefined ? '' : ` (${due})`}`;
}

function fragmentOf(messageId: string): string {
  return `#${encodeURIComponent(messageId)}`;
}
