import type { ContentItem, TextField } from '../../record/content-items.ts';
import type { ActionItem } from '../../record/summary-record.ts';
import type { SummaryUnit } from './summary-unit.ts';
import { sameness } from './texts/sentences.ts';

/** Makes units of the items of a list. */
export function itemUnit(field: TextField): (item: ContentItem) => SummaryUnit {
  return ({ item, origin }) => ({ type: 'item', field, text: item, origin });
}

/** Items of a list, each once, without those that newer ones repeat. */
export function items(
  field: TextField,
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
