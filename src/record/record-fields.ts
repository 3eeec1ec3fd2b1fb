import type { ActionItem, ItemField, ReplacedConstraint } from './summary-record.ts';

/** An item of any list. */
export type RecordItem = string | ActionItem | ReplacedConstraint;

/** A list of a record: all that is said of it, once. */
export interface RecordField {
  /** Its heading where a record is shown to people. */
  readonly title: string;
  /** When its items give way where room is short: lower ranks first, those of equal rank together. */
  readonly rank: number;
  /** Letter that begins the ids by which a model speaks of its items: `k0` is the first key point. Without, none ends them. */
  readonly id?: string;
  /** Whether a content may be without it. */
  readonly isOptional?: true;
  /** Whether its most important items come first, new statements among them; else the newest are worth most. */
  readonly isRanked?: true;
  /** Whether of more items than a record holds the last ones stay. */
  readonly keepsLast?: true;
  /** UTF-16 characters of an item. @default 4000 */
  readonly maxCharacters?: number;
  /** Whether a prompt says who an item comes from. */
  readonly isTold?: true;
  /**
   * How a model is asked for its items: statements with the message they come from, tasks with one, names, or what has
   * ended and by what. Without, a model is not asked, and its items are carried on.
   */
  readonly asked?: AskedForm;
  /** Whether a model may say that its items are done with; of others only a newer item can take the place. */
  readonly isResolvable?: true;
  /** Whether code quotes its items anew in each record: they are not carried on. */
  readonly isQuoted?: true;
}

/** How models are asked for the items of a list. */
export type AskedForm = 'statement' | 'task' | 'name' | 'ended';

const statement = { asked: 'statement', isTold: true } as const;
const ranked = { isRanked: true } as const;
const open = { isResolvable: true } as const;
const last = { keepsLast: true } as const;
const later = { ...last, isOptional: true } as const;

/** The lists of a record, in the order in which they are asked for and read. */
export const recordFields: Readonly<Record<ItemField, RecordField>> = {
  constraints: { title: 'Constraints', rank: 4, id: 'c', asked: 'statement', ...last },
  replacedConstraints: { title: 'Replaced constraints', rank: 2, asked: 'ended', ...later },
  // Whole messages of the user: longer than what a model writes.
  userWords: {
    title: 'Said by the user',
    rank: 3,
    isQuoted: true,
    maxCharacters: 400_000,
    ...later,
  },
  decisions: { title: 'Decisions', rank: 2, id: 'd', ...statement },
  actionItems: { title: 'Action items', rank: 1, id: 'a', asked: 'task', ...open },
  unresolved: { title: 'Unresolved', rank: 1, id: 'u', ...statement, ...open },
  keyPoints: { title: 'Key points', rank: 1, id: 'k', ...statement, ...ranked, ...open },
  participants: { title: 'Participants', rank: 0, id: 'p' },
  domainEntities: { title: 'Entities', rank: 0, id: 'e', asked: 'name', ...ranked },
};

/** The names of the lists, in that order. */
export const fieldNames: readonly ItemField[] = Object.keys(recordFields).filter(
  (name): name is ItemField => Object.hasOwn(recordFields, name),
);

/** Makes something of each list, by its name: the one place where what is made has the type that is said of it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- no type follows from a table's names
export function ofEachField<Made>(make: (name: ItemField, field: RecordField) => unknown): Made {
  return Object.fromEntries(
    fieldNames.map((name): unknown[] => [name, make(name, recordFields[name])]),
  );
}

/** Makes something of each list that models are asked for, by the name under which they write it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- no type follows from a table's names
export function ofAskedFields<Made>(make: (name: string, form: AskedForm) => unknown): Made {
  return Object.fromEntries(
    fieldNames.flatMap((name): unknown[][] => {
      const { asked } = recordFields[name];
      if (asked === undefined) return [];
      const written = asked === 'ended' ? asked : name;
      return [[written, make(written, asked)]];
    }),
  );
}

/** What an item says, in words. */
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
