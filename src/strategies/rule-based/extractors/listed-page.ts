import { integerField, ownProperty } from './fields.ts';

/** A list in a JSON value, and how far it goes on. */
export interface ListedPage {
  readonly items: readonly unknown[] | undefined;
  /** Whether it says which part of the list it is: an order has items and a total, too. */
  readonly isPage: boolean;
  /** Items of all pages, where the value says so. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
}

const usualLists = [
  'items',
  'results',
  'data',
  'records',
  'entries',
  'rows',
  'values',
  'hits',
  'nodes',
];
const totals = [
  'total',
  'total_count',
  'totalCount',
  'total_results',
  'totalResults',
  'totalItems',
  'count',
];
const pageFields = [
  'page',
  'offset',
  'limit',
  'per_page',
  'perPage',
  'page_size',
  'pageSize',
  'cursor',
];
const nextPages = ['next', 'next_page', 'nextPage', 'next_cursor', 'nextCursor', 'nextPageToken'];

/** Reads a value as a page of a list: the list itself, or under one of the names such lists have. */
export function pageOf(value: unknown, names: readonly string[] = usualLists): ListedPage {
  const lists = [value, ...names.map((name) => ownProperty(value, name))];
  const items: readonly unknown[] | undefined = lists.find((each) => Array.isArray(each));
  const isMore = [value, ownProperty(value, 'page_info'), ownProperty(value, 'pageInfo')].some(
    (place) =>
      ['has_more', 'hasMore', 'has_next_page', 'hasNextPage'].some(
        (name) => ownProperty(place, name) === true,
      ) || nextPages.some((name) => isNamed(ownProperty(place, name))),
  );
  const hasMore = items !== undefined && isMore;
  const isPage = hasMore || pageFields.some((name) => ownProperty(value, name) !== undefined);
  return { items, isPage, total: isPage ? integerField(value, totals) : undefined, hasMore };
}

function isNamed(next: unknown): boolean {
  return typeof next === 'number' || (typeof next === 'string' && next !== '');
}
