import { modelOrigin, type ItemOrigin } from './item-origin.ts';
import type {
  ActionItem,
  ItemField,
  ItemOrigins,
  ReplacedConstraint,
  SummaryContent,
} from './summary-record.ts';

/** What the lists of a record hold. */
interface ItemTypes {
  readonly keyPoints: string;
  readonly participants: string;
  readonly decisions: string;
  readonly actionItems: ActionItem;
  readonly unresolved: string;
  readonly domainEntities: string;
  readonly constraints: string;
  readonly replacedConstraints: ReplacedConstraint;
  readonly userWords: string;
}

/** An item with what code knows of it. */
export interface ContentItem<Item = string> {
  readonly item: Item;
  readonly origin: ItemOrigin;
  /** Of a constraint: whether it stands in no prompt. */
  readonly isUnshown?: boolean | undefined;
}

/** The lists of a content, each item with its origin. */
export type ContentItems = {
  readonly [Field in ItemField]: readonly ContentItem<ItemTypes[Field]>[];
};

/** Joins the lists of a content with their origins: an item without one counts as the model's. */
export function itemsOf({ keyPoints, context, origins = {} }: SummaryContent): ContentItems {
  const unshown = new Set(context.unshownConstraints);
  const joined = <Item>(field: ItemField, items: readonly Item[] = []): ContentItem<Item>[] =>
    items.map((item, index) => ({ item, origin: origins[field]?.[index] ?? modelOrigin }));
  return {
    keyPoints: joined('keyPoints', keyPoints),
    participants: joined('participants', context.participants),
    decisions: joined('decisions', context.decisions),
    actionItems: joined('actionItems', context.actionItems),
    unresolved: joined('unresolved', context.unresolved),
    domainEntities: joined('domainEntities', context.domainEntities),
    constraints: joined('constraints', context.constraints).map((rule, index) =>
      unshown.has(index) ? { ...rule, isUnshown: true } : rule,
    ),
    replacedConstraints: joined('replacedConstraints', context.replacedConstraints),
    userWords: joined('userWords', context.userWords),
  };
}

/** What a content says beside its lists. */
export interface ContentTexts extends Pick<SummaryContent, 'summary' | 'minutes'> {
  readonly context?: Pick<SummaryContent['context'], 'raw'> | undefined;
}

/** Writes lists of items as a content: the other way round from {@link itemsOf}. */
export function contentOf(
  { summary, minutes, context: { raw } = {} }: ContentTexts,
  lists: ContentItems,
): SummaryContent & { readonly origins: ItemOrigins } {
  const unshown = lists.constraints.flatMap(({ isUnshown }, index) =>
    isUnshown === true ? [index] : [],
  );
  const replaced = textsOf(lists.replacedConstraints);
  const userWords = textsOf(lists.userWords);
  return {
    summary,
    ...(minutes === undefined ? {} : { minutes }),
    keyPoints: textsOf(lists.keyPoints),
    context: {
      participants: textsOf(lists.participants),
      decisions: textsOf(lists.decisions),
      actionItems: textsOf(lists.actionItems),
      unresolved: textsOf(lists.unresolved),
      domainEntities: textsOf(lists.domainEntities),
      constraints: textsOf(lists.constraints),
      ...(unshown.length === 0 ? {} : { unshownConstraints: unshown }),
      ...(replaced.length === 0 ? {} : { replacedConstraints: replaced }),
      ...(userWords.length === 0 ? {} : { userWords }),
      ...(raw === undefined ? {} : { raw }),
    },
    origins: {
      keyPoints: originsOf(lists.keyPoints),
      participants: originsOf(lists.participants),
      decisions: originsOf(lists.decisions),
      actionItems: originsOf(lists.actionItems),
      unresolved: originsOf(lists.unresolved),
      domainEntities: originsOf(lists.domainEntities),
      constraints: originsOf(lists.constraints),
      replacedConstraints: originsOf(lists.replacedConstraints),
      userWords: originsOf(lists.userWords),
    },
  };
}

/** The items of a list without what code knows of them. */
export function textsOf<Item>(items: readonly ContentItem<Item>[]): readonly Item[] {
  return items.map(({ item }) => item);
}

/** The origins of a list. */
function originsOf(items: readonly ContentItem<unknown>[]): readonly ItemOrigin[] {
  return items.map(({ origin }) => origin);
}

/** Changes every list of a content alike. */
export function mapItems(
  content: SummaryContent,
  change: <Item>(
    items: readonly ContentItem<Item>[],
    field: ItemField,
  ) => readonly ContentItem<Item>[],
): ReturnType<typeof contentOf> {
  const lists = itemsOf(content);
  return contentOf(content, {
    keyPoints: change(lists.keyPoints, 'keyPoints'),
    participants: change(lists.participants, 'participants'),
    decisions: change(lists.decisions, 'decisions'),
    actionItems: change(lists.actionItems, 'actionItems'),
    unresolved: change(lists.unresolved, 'unresolved'),
    domainEntities: change(lists.domainEntities, 'domainEntities'),
    constraints: change(lists.constraints, 'constraints'),
    replacedConstraints: change(lists.replacedConstraints, 'replacedConstraints'),
    userWords: change(lists.userWords, 'userWords'),
  });
}

/** The same content with its lists changed. */
export function withItems(
  content: SummaryContent,
  change: (lists: ContentItems) => Partial<ContentItems>,
): ReturnType<typeof contentOf> {
  const lists = itemsOf(content);
  return contentOf(content, { ...lists, ...change(lists) });
}
