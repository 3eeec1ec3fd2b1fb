import type { JSONValue } from 'ai';
import {
  contentOf,
  itemsOf,
  type ContentItem,
  type ContentItems,
  type ContentTexts,
} from '../record/content-items.ts';
import { changedItem, itemText, ofEachField, type RecordItem } from '../record/record-fields.ts';
import {
  type ItemOrigins,
  type SummaryContent,
  type SummaryRecord,
  modelOrigin,
  type ItemOrigin,
} from '../record/summary-record.ts';
import { visibleText } from './visible-text.ts';
import { withheldText, type RedactionDoor } from './redaction-door.ts';

/** UTF-16 characters of a narrative and of an item, and items of a list, that a record can hold. */
const maxRecordSummaryCharacters = 400_000;
const maxRecordItemCharacters = 4000;
const maxRecordItems = 1000;

/** UTF-16 characters of a list: most lists are held to the budget of a summary, far below. */
const maxRecordListCharacters = 400_000;

/** UTF-16 characters of JSON, and levels of it, that a record can hold of what a strategy keeps for itself. */
const maxRawCharacters = 8000;
const maxRawLevels = 32;

/**
 * The content as a record may hold it: every text has gone through the door, none is longer and no list
 * has more items than any strategy writes; items that say nothing, or that were withheld, leave, and every
 * item has an origin. What is written and what is read back go through here alike; done twice it changes
 * nothing more, as long as the door does not.
 */
export function cleanContent(
  content: SummaryContent,
  clean: RedactionDoor,
): SummaryContent & { readonly origins: ItemOrigins } {
  const textOf = (given: string, characters: number): string => {
    const cleaned = clean(given);
    return cleaned === withheldText ? '' : cut(cleaned, characters);
  };
  const lists = itemsOf(content);
  return contentOf(
    cleanTexts(content, clean),
    ofEachField<ContentItems>((name, { keepsLast, maxCharacters = maxRecordItemCharacters }) => {
      const cleaned = (items: readonly ContentItem<RecordItem>[]): typeof items =>
        cleanList(items, (text) => textOf(text, maxCharacters));
      return keepsLast === true
        ? cleaned(lists[name].toReversed()).toReversed()
        : cleaned(lists[name]);
    }),
  );
}

function cleanTexts(
  { summary, minutes = '', context }: SummaryContent,
  clean: RedactionDoor,
): ContentTexts {
  const said = clean(minutes);
  return {
    summary: cut(clean(summary), maxRecordSummaryCharacters),
    minutes:
      said === '' || said === withheldText ? undefined : cut(said, maxRecordSummaryCharacters),
    context: { raw: cleanRaw(context.raw, clean) },
  };
}

/**
 * What a strategy keeps for itself, as a record may hold it: JSON, every string and key through the door.
 *
 * @returns `undefined` for what is no JSON, or more of it than a record holds.
 */
function cleanRaw(raw: unknown, clean: RedactionDoor): JSONValue | undefined {
  try {
    if (!isWithin(raw, maxRawLevels)) return undefined;
    const text = JSON.stringify(raw);
    if (text.length > maxRawCharacters) return undefined;
    return JSON.parse(text, (_, value: unknown) => cleanValue(value, clean));
  } catch {
    // A cycle, a BigInt, a `toJSON` that throws, nothing at all.
    return undefined;
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

function cleanValue(value: unknown, clean: RedactionDoor): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), inner]));
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
export function cleanRecord(record: SummaryRecord, clean: RedactionDoor): SummaryRecord {
  // What is withheld of it is left out of the content, and must not stay from before.
  const { minutes: _, ...others } = record;
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
