import {
  carriedItems,
  type ContentItems,
  contentOf,
  contentText,
  emptyContent,
  itemsOf,
} from '../../foundations/record/content-items.ts';
import { mapFields } from '../../foundations/record/record-fields.ts';
import { countText } from '../../sizes/tokens/text-counter.ts';
import type { TranscriptPart } from '../messages/read-messages.ts';
import { maxAskedTokens, type SummaryInput } from '../strategies/summary-strategy.ts';

/** Tokens around the texts of a record: its tags and headings. */
const envelopeTokens = 64;

/** Share of the room that a model is told of. Told 0.92 of it, 4 of 12 records that continue one lost an item. */
const toldShare = 0.88;

/** Least characters of a record so far that say what its characters take. */
const leastSample = 400;

/** Least words that a model is told of: fewer say nothing. */
const leastWords = 25;

/** Words of an item and its part of the narrative, by which their number is told. */
const wordsOfItem = 14;

/** Characters of a source that are sampled for its words and characters per token. */
const sampleCharacters = 20_000;

/**
 * Calculates the room for a record that a model is told of: that of the summary without its envelope and the content
 * that code carries, in characters as the record so far has them, or else the messages, and in as many words and items.
 */
export async function recordRoom(
  { maxSummaryTokens, previous, tokenMultiplier = 1, plan }: SummaryInput,
  parts: readonly TranscriptPart[],
): Promise<Readonly<Record<'max_words' | 'max_chars' | 'max_items', string>>> {
  const lists = itemsOf(previous ?? emptyContent(''));
  // Ended constraints stand only where room is left.
  const carried = { ...carriedItems(lists), endedConstraints: [] };
  const taken = await countText(
    `${contentText(contentOf({ summary: '' }, carried))}\n${plan ?? ''}`,
  );
  const most = Math.min(maxSummaryTokens, maxAskedTokens) / tokenMultiplier;
  const rewritten = mapFields<ContentItems>((name, { asked, isCarried }) =>
    asked === undefined || isCarried === true ? [] : lists[name],
  );
  const before = contentText(contentOf({ summary: previous?.summary ?? '' }, rewritten)).trim();
  const isKnown = before.length >= leastSample;
  const tokens = Math.max(0, toldShare * (most - envelopeTokens - taken));
  // A record is written as people write, not as tools answer.
  const written = parts.filter(({ kind }) => kind === 'text').map(({ text }) => text);
  const source = (written.length > 0 ? written : parts.map(({ text }) => text)).join('\n');
  const sample = source.slice(0, sampleCharacters);
  const known = isKnown ? before.slice(0, sampleCharacters) : sample;
  const all = (tokens * known.length) / Math.max(1, await countText(known));
  const words = Math.floor(
    (all * (sample.match(/\S+/g)?.length ?? 0)) / Math.max(1, sample.length),
  );
  const told = Math.max(leastWords, rounded(Math.min(words, source.length), 10));
  const characters = rounded(all, 100);
  return {
    max_words: String(told),
    max_chars: String(Math.max(4 * leastWords, characters)),
    max_items: String(Math.max(3, Math.floor(told / wordsOfItem))),
  };
}

/** Rounds down: an estimate is no more exact, and requests stay the same. */
function rounded(value: number, step: number): number {
  return step * Math.floor(value / step);
}
