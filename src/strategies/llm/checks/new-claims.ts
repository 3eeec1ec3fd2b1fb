import { itemsOf, type ContentItem } from '../../../record/content-items.ts';
import { actionItemText } from '../../../record/content-text.ts';
import type { ActionItem, SummaryContent } from '../../../record/summary-record.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { readClaim, soughtKeys, type Claim } from '../../grounding/claim.ts';
import { sameness } from '../../rule-based/texts/sentences.ts';

/** Lists of a record that a model writes, and code checks. */
const checkedFields = [
  'keyPoints',
  'decisions',
  'actionItems',
  'unresolved',
  'participants',
  'domainEntities',
] as const;

/** A list that is checked. */
export type CheckedField = (typeof checkedFields)[number];

/** What a model added to the lists of a record. */
export interface NewClaims {
  /** The claim of an item; `undefined` of one that an earlier record holds. */
  readonly of: (field: CheckedField, item: ContentItem<string | ActionItem>) => Claim | undefined;
  /** Keys under which the claims are looked up. */
  readonly keys: ReadonlySet<string>;
}

/** Reads what is new in a content: an item of an earlier record was checked when it was new. */
export async function newClaims(
  content: SummaryContent,
  previous: SummaryContent | undefined,
  slices: TimeSlices,
): Promise<NewClaims> {
  const lists = itemsOf(content);
  const old = previous === undefined ? undefined : itemsOf(previous);
  const claims = new Map<ContentItem<string | ActionItem>['item'], Claim>();
  const keys = new Set<string>();
  for (const field of checkedFields) {
    const known = new Set(old?.[field].map(({ item }) => sameness(textOf(item))));
    for (const { item, origin } of lists[field]) {
      const text = textOf(item);
      if (known.has(sameness(text))) continue;
      const claim = readClaim(text, origin.message);
      claims.set(keyOf(field, item), claim);
      for (const key of soughtKeys(claim)) keys.add(key);
      await slices.pause();
    }
  }
  return { of: (field, { item }) => claims.get(keyOf(field, item)), keys };
}

function keyOf(field: CheckedField, item: string | ActionItem): string | ActionItem {
  return typeof item === 'string' ? `${field} ${item}` : item;
}

function textOf(item: string | ActionItem): string {
  return typeof item === 'string' ? item : actionItemText(item);
}
