import { itemsOf, withItems, type ContentItem } from '../../../record/content-items.ts';
import { contentText } from '../../../record/content-text.ts';
import type { SummaryContent } from '../../../record/summary-record.ts';
import { countText, type TextReading } from '../../../tokens/text/count-text.ts';
import type { MessagePositions } from '../../messages/message-positions.ts';
import type { SourceText } from '../../rule-based/texts/source-texts.ts';
import { firstWithin } from './first-within.ts';
import { sourceMatcher } from './grounding-sources.ts';
import { rankIdentifiers } from './rank-identifiers.ts';

/** Share of a summary's budget for the identifiers that code adds. */
const identifierShare = 0.1;

/** Share of a full summary for all identifiers, those of earlier generations included. */
const entityShare = 0.25;

/** Share of its budget from which on a summary counts as full: the rest goes into frame and keys. */
const fullShare = 0.7;

/** What identifiers are added to. */
interface IdentifierBudget {
  readonly maxSummaryTokens: number;
  /** Tokens that the summary may take: less where it replaces less. */
  readonly room: number;
  /** Whether there are tools. */
  readonly isAgent: boolean;
}

/**
 * Adds the identifiers most likely to be needed where the content does not say
 * them, for at most 10 % of the budget. A content that fills its budget keeps identifiers for a quarter of
 * it, those that messages mention and the newest first: names alone must not push out what is said about them.
 *
 * @returns The same object when there is nothing to add.
 */
export async function addIdentifiers(
  content: SummaryContent,
  sources: readonly SourceText[],
  { room, maxSummaryTokens, isAgent }: IdentifierBudget,
  positions: Pick<MessagePositions, 'originOf'>,
  reading: TextReading,
): Promise<SummaryContent> {
  const { count, slices } = reading;
  const isSaid = await sourceMatcher([contentText(content)], slices);
  const missing = (await rankIdentifiers(sources, isAgent, slices)).filter((text) => !isSaid(text));
  const identifiers = await firstWithin(missing, identifierShare * room, reading);
  if (identifiers.length === 0) return content;
  const added: ContentItem[] = [];
  for (const item of identifiers) {
    const index = sources.findLast(({ text }) => text.includes(item))?.index ?? -1;
    added.push({ item, origin: positions.originOf(index) });
    await slices.pause();
  }
  const complete = withItems(content, ({ domainEntities }) => ({
    domainEntities: [...domainEntities, ...added],
  }));
  const tokens = await countText(contentText(complete), count, slices);
  if (tokens < fullShare * maxSummaryTokens) return complete;
  const kept = await newestWithin(
    itemsOf(complete).domainEntities,
    entityShare * maxSummaryTokens,
    reading,
  );
  return withItems(complete, () => ({ domainEntities: kept }));
}

/** What of the names fits: those that messages mention first, the last before the first; in their order. */
async function newestWithin(
  names: readonly ContentItem[],
  maxTokens: number,
  reading: TextReading,
): Promise<readonly ContentItem[]> {
  const newest = names.toReversed();
  const order = [
    ...newest.filter(({ origin }) => origin.role !== 'model'),
    ...newest.filter(({ origin }) => origin.role === 'model'),
  ];
  const texts = order.map(({ item }) => item);
  const kept = new Set(await firstWithin(texts, maxTokens, reading));
  return names.filter(({ item }) => kept.has(item));
}
