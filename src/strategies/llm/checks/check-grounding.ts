import { contentOf, itemsOf, withItems, type ContentItem } from '../../../record/content-items.ts';
import type { Message } from '../../../prompt/prompt-types.ts';
import { contentText } from '../../../record/content-text.ts';
import type { SummaryContent } from '../../../record/summary-record.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import type { TextReading } from '../../../tokens/text/count-text.ts';
import { readClaim, soughtKeys } from '../../grounding/claim.ts';
import { indexSources } from '../../grounding/grounding-index.ts';
import { doubtMark } from '../../../record/doubt-mark.ts';
import { markNarrative } from '../../grounding/mark-narrative.ts';
import { stretchesOf } from '../../grounding/stretches.ts';
import { plainText } from '../../grounding/values/plain-text.ts';
import { messagePositions } from '../../messages/message-positions.ts';
import { toolUses } from '../../rule-based/facts/tool-uses.ts';
import { sourceTexts, type SourceText } from '../../rule-based/texts/source-texts.ts';
import type { SummaryInput } from '../../summary-strategy.ts';
import { addIdentifiers } from './add-identifiers.ts';
import { changedFiles } from './changed-files.ts';
import { groundItems } from './ground-items.ts';
import { groundNames } from './ground-names.ts';
import { newClaims } from './new-claims.ts';

/** Exact enough for a bound. */
const charactersPerToken = 4;

/**
 * Checks what a model wrote by what the messages say literally: numbers, dates, times and identifiers in
 * whatever form, and words where the language is the same.
 *
 * - A new item that a message bears out has that message as its origin, whatever the model cited; one that
 *   none bears out stays as the model's.
 * - Where a message gives the same thing another value, or says the contrary, its sentence takes the place of
 *   the item. A later sentence of the user counts for more than an earlier one.
 * - A decision stands in the model's words if user or assistant said most of them in one place, in the words
 *   of user or assistant if those hold its values; else it becomes a key point. What only a tool said is none.
 * - In the narrative, what no message and no earlier record bears out is marked with `(?)`.
 * - An earlier record bears out nothing else: what it says was checked when it was new.
 * - The files that were changed are listed, see {@link changedFiles}, and identifiers added, see {@link addIdentifiers}.
 *
 * Rules of the user are not the model's to write and are left as they are.
 */
export async function checkGrounding(
  written: SummaryContent,
  input: Pick<SummaryInput, 'messages' | 'previous' | 'redact' | 'maxSummaryTokens'>,
  reading: TextReading,
): Promise<SummaryContent> {
  const { messages, previous, redact } = input;
  const { slices } = reading;
  const sources = await sourceTexts(messages, slices, redact);
  const room = roomOf(input, sources);
  const tools = { extractors: {}, preserveErrorDetails: false, redact, slices };
  const uses = await toolUses(messages, tools);
  const files = await changedFiles(previous, uses, room, reading);
  const content = withoutNames(written, files);
  const positions = messagePositions(input);
  const claims = await newClaims(content, previous, slices);
  const told = await keysTold(content, slices);
  const placed = [...toolNames(messages), ...sources].map((source) => ({
    ...source,
    index: positions.positionOf(source.index),
  }));
  const index = await indexSources(placed, new Set([...claims.keys, ...told]), slices);
  const earlier = await indexSources(recordTexts(previous), told, slices);
  const given = itemsOf(content);
  const options = { claims, index, positions, slices };
  const lists = {
    ...given,
    ...(await groundItems(given, options)),
    ...(await groundNames(given, options)),
  };
  const summary = await markNarrative(content.summary, index, earlier, slices);
  const checked = contentOf({ ...content, summary, changedFiles: files }, lists);
  const budget = { ...input, room, isAgent: uses.length > 0 };
  return addIdentifiers(checked, sources, budget, positions, reading);
}

/** Tokens that a summary may take: it must stay smaller than what it replaces. */
function roomOf(
  { previous, maxSummaryTokens }: Pick<SummaryInput, 'previous' | 'maxSummaryTokens'>,
  sources: readonly SourceText[],
): number {
  const replaced = sources.reduce(
    (sum, { text }) => sum + text.length,
    previous === undefined ? 0 : contentText(previous).length,
  );
  return Math.min(maxSummaryTokens, replaced / charactersPerToken);
}

/** Without the names of files that are listed as changed, in whatever spelling. */
function withoutNames(content: SummaryContent, files: readonly string[]): SummaryContent {
  const listed = new Set(files.map(plainText));
  return withItems(content, ({ domainEntities }) => ({
    domainEntities: domainEntities.filter(({ item }) => !listed.has(plainText(item))),
  }));
}

/** The tools that were called, by name: their texts do not say it. */
function toolNames(messages: readonly Message[]): readonly SourceText[] {
  const first = new Map<string, number>();
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'assistant') continue;
    for (const part of content)
      if (part.type === 'tool-call' && !first.has(part.toolName)) first.set(part.toolName, index);
  }
  return Array.from(first, ([text, index]) => ({ index, role: 'call', text }));
}

/** Keys under which what a narrative says is looked up. */
async function keysTold(
  { summary }: SummaryContent,
  slices: TimeSlices,
): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (const sentence of stretchesOf(summary)) {
    for (const key of soughtKeys(readClaim(sentence))) told.add(key);
    await slices.pause();
  }
  return told;
}

/** What of an earlier record is borne out, to be looked up. */
function recordTexts(previous: SummaryContent | undefined): readonly SourceText[] {
  return previous === undefined ? [] : [{ index: -1, role: 'memory', text: checkedText(previous) }];
}

function checkedText(previous: SummaryContent): string {
  const lists: readonly (readonly ContentItem<string | object>[])[] = Object.values(
    itemsOf(previous),
  );
  const items = lists
    .flat()
    .filter(({ origin }) => origin.role !== 'model')
    .map(({ item }) => (typeof item === 'string' ? item : Object.values(item).join(' ')));
  const told = [...stretchesOf(previous.summary)].filter((text) => !text.includes(doubtMark));
  return [...told, ...items, ...(previous.changedFiles ?? [])].join('\n');
}
