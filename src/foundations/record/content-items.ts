import { escapeJson } from '../util/json.ts';
import { changedItem, fieldNames, itemText, mapFields, type RecordItem } from './record-fields.ts';
import {
  type ActionItem,
  type ItemField,
  type ItemOrigins,
  type EndedConstraint,
  type SummaryContent,
  modelOrigin,
  type ItemOrigin,
} from './summary-record.ts';

/** Entries of those lists of a record that hold no texts. */
interface OtherItems {
  readonly actionItems: ActionItem;
  readonly endedConstraints: EndedConstraint;
}

/** An item with what code knows of it. */
export interface ContentItem<Item = string> {
  readonly item: Item;
  readonly origin: ItemOrigin;
  /** Whether a constraint is in no prompt. */
  readonly isUnshown?: boolean | undefined;
}

/** The lists of a content, each item with its origin. */
export type ContentItems = {
  readonly [Field in ItemField]: readonly ContentItem<
    Field extends keyof OtherItems ? OtherItems[Field] : string
  >[];
};

/** Fields of a content beside its lists. */
export interface ContentTexts extends Pick<SummaryContent, 'summary' | 'plan' | 'activity'> {
  readonly context?: Pick<SummaryContent['context'], 'raw'> | undefined;
}

/** The lists of a context. */
type Lists = Omit<SummaryContent['context'], 'unshownConstraints' | 'raw'>;

/** A content whose items have origins. */
export type OriginatedContent = SummaryContent & { readonly origins: ItemOrigins };

/** Joins the lists of a content with their origins: an item without one counts as the model's. */
export function itemsOf({ keyPoints, context, origins = {} }: SummaryContent): ContentItems {
  const unshown = new Set(context.unshownConstraints);
  const lists: Readonly<Partial<Record<ItemField, readonly RecordItem[] | undefined>>> = {
    ...context,
    keyPoints,
  };
  return mapFields<ContentItems>((name) =>
    (lists[name] ?? []).map((item, index): ContentItem<RecordItem> => {
      const origin = origins[name]?.[index] ?? modelOrigin;
      const isUnshown = name === 'constraints' && unshown.has(index);
      return { item, origin, ...(isUnshown && { isUnshown }) };
    }),
  );
}

/** Writes lists of items as a content: the other way round from {@link itemsOf}. */
export function contentOf(
  { summary, plan, activity, context: { raw } = {} }: ContentTexts,
  lists: ContentItems,
): OriginatedContent {
  const unshown = lists.constraints.flatMap(({ isUnshown }, index) =>
    isUnshown === true ? [index] : [],
  );
  const { keyPoints, ...context } = mapFields<Pick<SummaryContent, 'keyPoints'> & Lists>((name) =>
    textsOf<RecordItem>(lists[name]),
  );
  return {
    summary,
    plan,
    activity,
    keyPoints,
    context: { ...context, ...(unshown.length > 0 && { unshownConstraints: unshown }), raw },
    origins: mapFields<ItemOrigins>((name) => lists[name].map(({ origin }) => origin)),
  };
}

/** The lists of the next record before anything is added: what is carried. */
export function carriedItems(lists: ContentItems): ContentItems {
  return mapFields((name, { isCarried }) => (isCarried === true ? lists[name] : []));
}

/** The items of a list without what code knows of them. */
export function textsOf<Item>(items: readonly ContentItem<Item>[]): readonly Item[] {
  return items.map(({ item }) => item);
}

/** Changes every list of a content alike. */
export function mapItems(
  content: SummaryContent,
  change: <Item extends RecordItem>(
    items: readonly ContentItem<Item>[],
    field: ItemField,
  ) => readonly ContentItem<Item>[],
): OriginatedContent {
  const lists = itemsOf(content);
  const changed = mapFields<ContentItems>((name) => change<RecordItem>(lists[name], name));
  return contentOf(content, changed);
}

/** The same content with its lists changed. */
export function withItems(
  content: SummaryContent,
  change: (lists: ContentItems) => Partial<ContentItems>,
): OriginatedContent {
  const lists = itemsOf(content);
  return contentOf(content, { ...lists, ...change(lists) });
}

const noItems = mapFields<ContentItems>(() => []);

/** Content that says nothing but a given summary. */
export function emptyContent(summary: string): SummaryContent {
  return contentOf({ summary }, noItems);
}

/**
 * Content that says nothing but a given summary, and keeps of another one what the user ruled, which no prompt then
 * shows, and said.
 */
export function emptiedContent(summary: string, content: SummaryContent): SummaryContent {
  const { constraints, endedConstraints, userQuotes } = itemsOf(content);
  const unshown = constraints.map((rule) => ({ ...rule, isUnshown: true }));
  const kept = { constraints: unshown, endedConstraints, userQuotes };
  return contentOf({ summary }, { ...noItems, ...kept });
}

/** The id by which a model speaks of a constraint of the previous record. */
export function constraintId(index: number): string {
  return `c${index}`;
}

/** Writes the previous record for a model: one line of JSON, each constraint under its id. */
export function renderPreviousRecord(
  content: SummaryContent,
  withNarrative: boolean,
  clean: (text: string) => string,
): string {
  const lists = itemsOf(content);
  const shown = mapFields<object>((name, { asked }) => {
    const texts = textsOf<RecordItem>(lists[name]).map((item) => changedItem(item, clean) ?? '');
    if (texts.length === 0 || (asked === undefined && name !== 'userQuotes')) return undefined;
    if (name !== 'constraints') return texts;
    return Object.fromEntries(texts.map((item, index) => [constraintId(index), item]));
  });
  return escapeJson({ ...shown, ...(withNarrative && { summary: clean(content.summary) }) });
}

/** All a summary says, one statement a line, without any markup around it. */
export function contentText(content: SummaryContent): string {
  const { summary, plan = '', activity = '' } = content;
  const lists = itemsOf(content);
  const items = fieldNames.flatMap((name) => textsOf<RecordItem>(lists[name]));
  return [summary, ...items.map(itemText), plan, activity].join('\n');
}

/** Headings of what a record holds beside its lists. */
export const planTitle = 'Plan';
export const activityTitle = 'Activity';
