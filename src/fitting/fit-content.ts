import { mapItems } from '../record/content-items.ts';
import type { ItemField, SummaryContent } from '../record/summary-record.ts';
import { firstThat } from '../util/numbers.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';

/** How a summary is fitted. */
export interface FitContentOptions {
  /** Tokens the content may take. */
  readonly maxTokens: number;
  /** Tokens of the content as it will be injected, everything around it included. */
  readonly count: (content: SummaryContent) => Promise<number>;
  readonly slices: TimeSlices;
}

/** Where an item stands in a summary's content, and how long it is. */
interface PlacedItem {
  readonly field: ItemField;
  readonly index: number;
  readonly characters: number;
  /** Items of its list. */
  readonly ofItems: number;
}

/** What may go first. Fields of equal rank shrink together; what the user said and ruled goes last. */
const fieldRank: Readonly<Record<ItemField, number>> = {
  participants: 0,
  domainEntities: 0,
  keyPoints: 1,
  unresolved: 1,
  actionItems: 1,
  replacedConstraints: 2,
  decisions: 2,
  userWords: 3,
  constraints: 4,
};

/** Share of a summary for the rules of the user, where there is not room for everything. */
const ruleShare = 0.3;

/** More than ordinary text has: what is longer than the budget allows at that is cut before it is counted. */
const mostTokenCharacters = 16;

/**
 * Trims a summary until `count` gives at most `maxTokens`. The minutes go first, the oldest lines of them before the
 * others. The longest constraints beyond 30 % of it leave the prompt, and stay in the record. A narrative that takes more
 * than half of the room is cut to what the items leave of it, but not below that half; then items go: names, facts, tasks
 * and questions, decisions, the user's words but for the first and the newest ones, rules; if that is not enough, the
 * narrative is cut again. Deterministic; the number of counts grows with the logarithm of items and sentences.
 *
 * @returns The same object when it fits. A content without narrative and items when even that does not.
 */
// oxlint-disable-next-line max-lines-per-function -- one step after another, each where the last was not enough
export async function fitContent(
  given: SummaryContent,
  options: FitContentOptions,
): Promise<SummaryContent> {
  const { maxTokens, count } = options;
  const bound = bounded(given, maxTokens);
  const fits = async (content: SummaryContent): Promise<boolean> =>
    (await count(content)) <= maxTokens;
  if (await fits(bound)) return bound;
  const { minutes = '', ...withoutMinutes } = bound;
  const lines = minutes.split('\n');
  const withNewest = (gone: number): SummaryContent => ({
    ...bound,
    minutes: lines.slice(gone).join('\n'),
  });
  const gone = await leastOf(lines.length, (line) => line > 0 && fits(withNewest(line)), options);
  if (gone !== undefined) return withNewest(gone);
  const content = await withRulesInShare(withoutMinutes, options);
  const whole = await count(content);
  if (whole <= maxTokens) return content;
  const order = dropOrder(content);
  const bare = withoutItems(content, order);
  const frame = await count({ ...bare, summary: '' });
  const narrative = (await count(bare)) - frame;
  const half = Math.max(Math.floor((maxTokens - frame) / 2), maxTokens - (whole - narrative));
  const cut = (most: number): Promise<string> =>
    cutNarrative(
      content.summary,
      async (text) => (await count({ ...bare, summary: text })) <= most,
      options,
    );
  const summary = narrative <= half ? content.summary : await cut(frame + half);
  const shorter = { ...content, summary };
  const without = (items: number): SummaryContent => withoutItems(shorter, order.slice(0, items));
  const few = await leastOf(order.length + 1, (items) => fits(without(items)), options);
  return few === undefined ? { ...bare, summary: await cut(maxTokens) } : without(few);
}

/** The least number below `end` that will do, where larger ones do too. */
function leastOf(
  end: number,
  does: (number: number) => boolean | Promise<boolean>,
  { slices }: Pick<FitContentOptions, 'slices'>,
): Promise<number | undefined> {
  return firstThat([...Array(end).keys()], does, slices.pause);
}

/** Lets rules leave the prompt that are beyond their share, the longest first, of equal ones the oldest. */
async function withRulesInShare(
  content: SummaryContent,
  options: FitContentOptions,
): Promise<SummaryContent> {
  const { maxTokens, count } = options;
  const rules = dropOrder(content).filter(({ field }) => field === 'constraints');
  const without = (gone: number): SummaryContent => withoutItems(content, rules.slice(0, gone));
  if (rules.length === 0) return content;
  const most = (await count(without(rules.length))) + ruleShare * maxTokens;
  const gone = await leastOf(
    rules.length,
    async (few) => (await count(without(few))) <= most,
    options,
  );
  return without(gone ?? rules.length);
}

/** All items, the first to drop first. Key points are kept most important first, so of them the last goes first. */
function dropOrder(content: SummaryContent): readonly PlacedItem[] {
  // Relative, so that no list is emptied before another one shrinks.
  const age = ({ field, index, ofItems }: PlacedItem): number => {
    if (field === 'userWords' && index === 0) return 1;
    const isRanked = field === 'keyPoints' || field === 'domainEntities';
    return (isRanked ? ofItems - 1 - index : index) / ofItems;
  };
  const length = ({ field, characters }: PlacedItem): number =>
    field === 'constraints' ? characters : 0;
  return placedItems(content).toSorted(
    (one, other) =>
      fieldRank[one.field] - fieldRank[other.field] ||
      length(other) - length(one) ||
      age(one) - age(other),
  );
}

/**
 * The same content without some of its items. Of a constraint that goes, only its place in the prompt does: it holds, and
 * stays in the record.
 */
function withoutItems(content: SummaryContent, dropped: readonly PlacedItem[]): SummaryContent {
  const gone = new Set(dropped.map(({ field, index }) => `${field} ${index}`));
  return mapItems(content, (items, field) => {
    const isGone = (index: number): boolean => gone.has(`${field} ${index}`);
    return field === 'constraints'
      ? items.map((rule, index) => (isGone(index) ? { ...rule, isUnshown: true } : rule))
      : items.filter((_, index) => !isGone(index));
  });
}

function placedItems(content: SummaryContent): readonly PlacedItem[] {
  const placed: PlacedItem[] = [];
  mapItems(content, (items, field) => {
    for (const [index, { item }] of items.entries()) {
      const { length } = typeof item === 'string' ? item : JSON.stringify(item);
      placed.push({ field, index, characters: length, ofItems: items.length });
    }
    return items;
  });
  return placed;
}

/** Without what could never fit: an item takes a token at least. The same object where that is nothing. */
function bounded(content: SummaryContent, maxTokens: number): SummaryContent {
  const maxCharacters = Math.max(maxTokens, 1) * mostTokenCharacters;
  const dropped = placedItems(content).filter(({ field, index, characters, ofItems }) => {
    const first = field === 'keyPoints' ? 0 : ofItems - maxTokens;
    return index < first || characters > maxCharacters;
  });
  const { summary } = content;
  if (dropped.length === 0 && summary.length <= maxCharacters) return content;
  return {
    ...withoutItems(content, dropped),
    summary: summary.slice(0, maxCharacters).toWellFormed(),
  };
}

/**
 * Cuts a text to the longest beginning that `fits`: at a sentence end, else, when not even the first sentence fits, at a
 * word end with an ellipsis. Empty when nothing fits.
 */
async function cutNarrative(
  text: string,
  fits: (text: string) => Promise<boolean>,
  options: Pick<FitContentOptions, 'slices'>,
): Promise<string> {
  if (await fits(text)) return text;
  const longest = async (
    granularity: 'sentence' | 'word',
    part: string,
    mark: string,
  ): Promise<string | undefined> => {
    const ends: number[] = [];
    for (const { index, segment } of new Intl.Segmenter('en', { granularity }).segment(part)) {
      ends.push(index + segment.length);
      await options.slices.pause();
    }
    const upTo = (place: number): string => part.slice(0, ends.at(-1 - place)).trimEnd() + mark;
    const found = await leastOf(ends.length, (place) => place > 0 && fits(upTo(place)), options);
    return found === undefined ? undefined : upTo(found);
  };
  const [first] = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return (
    (await longest('sentence', text, '')) ??
    (await longest('word', first?.segment ?? '', '…')) ??
    ''
  );
}
