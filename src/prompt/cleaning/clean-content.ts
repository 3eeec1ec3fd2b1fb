import type { JSONValue } from 'ai';
import {
  contentOf,
  itemsOf,
  type ContentItem,
  type ContentItems,
  type ContentTexts,
} from '../../foundations/record/content-items.ts';
import {
  changedItem,
  itemText,
  mapFields,
  type RecordItem,
} from '../../foundations/record/record-fields.ts';
import {
  type ItemOrigins,
  type SummaryContent,
  type SummaryRecord,
  modelOrigin,
  type ItemOrigin,
} from '../../foundations/record/summary-record.ts';
import { readableCopy } from '../../foundations/util/json.ts';
import { visibleText } from './visible-text.ts';
import { withheldText, type Redactor } from './redactor.ts';

/** UTF-16 characters of a narrative and of an item, and items of a list, that a record can hold. */
const maxRecordSummaryCharacters = 400_000;
const maxRecordItemCharacters = 4000;
const maxRecordItems = 1000;

/** UTF-16 characters of a list: most lists are held to the budget of a summary, far below. */
const maxRecordListCharacters = 400_000;

/** UTF-16 characters of JSON that a record can hold of what a strategy keeps for itself. */
const maxRawCharacters = 8000;

/**
 * The content as a record may hold it: every text has gone through the redactor, none is longer and no list has more
 * items than any strategy writes; items that say nothing, or that were withheld, leave, and every item has an origin.
 * Written and read values both pass through here; a second pass changes nothing, if the redactor is stable.
 */
export function cleanContent(
  content: SummaryContent,
  clean: Redactor,
): SummaryContent & { readonly origins: ItemOrigins } {
  const textOf = (given: string, characters: number): string => {
    const cleaned = clean(given);
    return cleaned === withheldText ? '' : cut(cleaned, characters);
  };
  const lists = itemsOf(content);
  return contentOf(
    cleanTexts(content, clean),
    mapFields<ContentItems>((name, { keepsLast, maxCharacters = maxRecordItemCharacters }) => {
      const items: readonly ContentItem<RecordItem>[] = lists[name];
      const first = keepsLast === true ? items.toReversed() : items;
      const cleaned = cleanList(first, (text) => textOf(text, maxCharacters));
      return keepsLast === true ? cleaned.toReversed() : cleaned;
    }),
  );
}

function cleanTexts(
  { summary, plan = '', activity = '', context }: SummaryContent,
  clean: Redactor,
): ContentTexts {
  const optional = (text: string): string | undefined => {
    const cleaned = clean(text);
    const isNothing = cleaned === '' || cleaned === withheldText;
    return isNothing ? undefined : cut(cleaned, maxRecordSummaryCharacters);
  };
  return {
    summary: cut(clean(summary), maxRecordSummaryCharacters),
    plan: optional(plan),
    activity: optional(activity),
    context: { raw: cleanRaw(context.raw, clean) },
  };
}

/**
 * Data of a strategy for a record: JSON, with every string, number and key redacted; `undefined` if it is larger than
 * a record allows, or cannot be read.
 */
function cleanRaw(raw: unknown, clean: Redactor): JSONValue | undefined {
  if (raw === undefined) return undefined;
  try {
    const text = JSON.stringify(readableCopy(raw, clean)) ?? '';
    return text.length > maxRawCharacters ? undefined : JSON.parse(text);
  } catch {
    // A getter that throws, or nothing at all.
    return undefined;
  }
}

/** So many first items of a list as a record can hold, cleaned. */
function cleanList(
  items: readonly ContentItem<RecordItem>[],
  clean: (text: string) => string,
): readonly ContentItem<RecordItem>[] {
  let left = maxRecordListCharacters;
  return items.slice(0, maxRecordItems).flatMap((each) => {
    const item = changedItem(each.item, clean);
    if (item === undefined) return [];
    left -= itemText(item).length;
    return left < 0 ? [] : [{ ...each, item, origin: checkedOrigin(each.origin) }];
  });
}

/** An origin that names a message and is the model's, or the other way round, is none. */
function checkedOrigin(origin: ItemOrigin): ItemOrigin {
  const { role, message } = origin;
  return (role === 'model') === (message === undefined) ? origin : modelOrigin;
}

/** A record as it may be read back or carried on: its content and the name of its strategy. */
export function cleanRecord(record: SummaryRecord, clean: Redactor): SummaryRecord {
  // A withheld item is left out of the content, and an earlier version of it must not stay.
  const { plan: _plan, activity: _activity, ...others } = record;
  return {
    ...others,
    ...cleanContent(record, clean),
    strategy: cut(visibleText(record.strategy), maxRecordItemCharacters),
  };
}

/** A surrogate pair that would be cut in two leaves. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return text.slice(0, characters).replace(/[\ud800-\udbff]$/, '');
}
