import type { ContentItem } from '../../record/content-items.ts';
import { modelOrigin } from '../../record/item-origin.ts';
import type { ActionItem } from '../../record/summary-record.ts';
import { unitText, type ItemList, type SummaryUnit } from './summary-unit.ts';
import { sameness } from './texts/sentences.ts';

/** Makes units of the items of a list. */
export function itemUnit(field: ItemList): (item: ContentItem) => SummaryUnit {
  return ({ item, origin }) => ({ type: 'item', field, text: item, origin });
}

/** Items of a list, each once, without those that newer ones repeat. */
export function items(
  field: ItemList,
  list: readonly ContentItem[],
  newer: readonly ContentItem[] = [],
): readonly SummaryUnit[] {
  const said = new Set(newer.map(({ item }) => sameness(item)));
  const units: SummaryUnit[] = [];
  for (const each of list) {
    const wording = sameness(each.item);
    if (!said.has(wording)) units.push(itemUnit(field)(each));
    said.add(wording);
  }
  return units;
}

/** Files of a list, the last changed first, without those that were changed once more. */
export function fileUnits(
  files: readonly string[],
  newer: readonly string[] = [],
): readonly SummaryUnit[] {
  const changed = [...newer, ...files].map((item) => ({ item, origin: modelOrigin }));
  const all = items('changedFiles', changed).map((unit, age) => ({ ...unit, order: -age }));
  const known = new Set(newer);
  return all.filter((unit) => !known.has(unitText(unit)));
}

/** Tasks of a list, without those that newer items repeat. */
export function actions(
  list: readonly ContentItem<ActionItem>[],
  newer: readonly ContentItem[] = [],
): readonly SummaryUnit[] {
  const said = new Set(newer.map(({ item }) => sameness(item)));
  return list
    .filter(({ item }) => !said.has(sameness(item.task)))
    .map(({ item, origin }) => ({ type: 'action', item, origin }));
}
