import type { ActionItem, ItemField, EndedConstraint } from './summary-record.ts';

/** An item of any list. */
export type RecordItem = string | ActionItem | EndedConstraint;

/** A list of a record: all that is said of it, once. */
export interface RecordField {
  /** Its heading where a record is shown. */
  readonly title: string;
  /** When its items give way where room is short: lower ranks first, those of equal rank together. */
  readonly rank: number;
  /** Whether a content may be without it. */
  readonly isOptional?: true;
  /** Whether the newest items are worth most and stand last; of other lists the first items are. */
  readonly keepsLast?: true;
  /** UTF-16 characters of an item. @default 4000 */
  readonly maxCharacters?: number;
  /** How a model is asked for its items. Without, a model is not asked, and code writes them. */
  readonly asked?: AskedForm;
  /** Whether its items are carried from record to record; the others are written anew each time. */
  readonly isCarried?: true;
}

/**
 * How models are asked for the items of a list: constraints with the message they come from, statements, tasks, or what
 * has ended and by what.
 */
export type AskedForm = 'constraint' | 'statement' | 'task' | 'ended';

const last = { keepsLast: true } as const;
const later = { ...last, isOptional: true } as const;
const statement = { rank: 3, asked: 'statement' } as const;

/** The lists of a record, in the order in which they are asked for and read. */
export const recordFields: Readonly<Record<ItemField, RecordField>> = {
  constraints: { title: 'Constraints', rank: 4, asked: 'constraint', isCarried: true, ...last },
  endedConstraints: {
    title: 'Ended constraints',
    rank: 2,
    asked: 'ended',
    isCarried: true,
    ...later,
  },
  decisions: { title: 'Decisions', ...statement },
  actionItems: { title: 'Action items', rank: 3, asked: 'task' },
  unresolved: { title: 'Unresolved', ...statement },
  keyPoints: { title: 'Key points', ...statement },
  domainEntities: { title: 'Entities', rank: 0, asked: 'statement' },
  participants: { title: 'Participants', rank: 0 },
  // Whole messages of the user: longer than what a model writes.
  userQuotes: { title: 'Said by the user', rank: 1, maxCharacters: 400_000, ...later },
};

/** The names of the lists, in that order. */
export const fieldNames: readonly ItemField[] = Object.keys(recordFields).filter(
  (name): name is ItemField => Object.hasOwn(recordFields, name),
);

/** Makes something of each list, by its name: the one place where what is made has the type that is said of it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- no type follows from a table's names
export function mapFields<Made>(make: (name: ItemField, field: RecordField) => unknown): Made {
  return Object.fromEntries(
    fieldNames.map((name): unknown[] => [name, make(name, recordFields[name])]),
  );
}

/** Makes something of each list that models are asked for, by the name under which they write it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- no type follows from a table's names
export function mapAskedFields<Made>(make: (name: string, form: AskedForm) => unknown): Made {
  return Object.fromEntries(
    fieldNames.flatMap((name): unknown[][] => {
      const { asked } = recordFields[name];
      if (asked === undefined) return [];
      const written = asked === 'ended' ? asked : name;
      return [[written, make(written, asked)]];
    }),
  );
}

/** Text of an item. */
export function itemText(item: RecordItem): string {
  if (typeof item === 'string') return item;
  if ('rule' in item) return `${item.rule} → ${item.by}`;
  const { owner, task, due } = item;
  return [task, owner, due].filter((text) => text !== undefined).join(' ');
}

/** An item with each of its texts changed; `undefined` where what it needs says nothing then. */
export function changedItem(
  item: RecordItem,
  change: (text: string) => string,
): RecordItem | undefined {
  if (typeof item === 'string') {
    const text = change(item);
    return text.trim() === '' ? undefined : text;
  }
  if ('rule' in item) {
    const [rule, by] = [change(item.rule), change(item.by)];
    return rule.trim() === '' || by.trim() === '' ? undefined : { rule, by };
  }
  const [owner, task, due] = [item.owner ?? '', item.task, item.due ?? ''].map(change);
  if (task === undefined || task.trim() === '') return undefined;
  return { ...(owner?.trim() && { owner }), task, ...(due?.trim() && { due }) };
}
