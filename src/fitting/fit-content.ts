import { mapItems } from '../record/content-items.ts';
import { recordFields } from '../record/record-fields.ts';
import type { ItemField, SummaryContent } from '../record/summary-record.ts';
import { firstThat } from '../util/numbers.ts';

/** How a summary is fitted. */
export interface FitContentOptions {
  /** Tokens the content may take. */
  readonly maxTokens: number;
  /** Tokens of the content as it will be injected, everything around it included. */
  readonly count: (content: SummaryContent) => Promise<number>;
}

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
  { maxTokens, count }: FitContentOptions,
): Promise<SummaryContent> {
  const fits = async (content: SummaryContent, most = maxTokens): Promise<boolean> =>
    (await count(content)) <= most;
  const bound = bounded(given, Math.max(maxTokens, 1) * mostTokenCharacters);
  if (await fits(bound)) return bound;

  const { minutes = '', ...withoutMinutes } = bound;
  const lines = minutes.split('\n');
  const withNewest = (gone: number): SummaryContent => ({
    ...bound,
    minutes: lines.slice(gone).join('\n'),
  });
  const linesGone = await firstThat(upTo(lines.length).slice(1), (gone) => fits(withNewest(gone)));
  if (linesGone !== undefined) return withNewest(linesGone);

  const rules = itemsToDrop(withoutMinutes).filter(({ field }) => field === 'constraints');
  const withRules = (gone: number): SummaryContent =>
    withoutItems(withoutMinutes, rules.slice(0, gone));
  const mostOfRules = (await count(withRules(rules.length))) + ruleShare * maxTokens;
  const rulesGone = await firstThat(upTo(rules.length), (gone) =>
    fits(withRules(gone), mostOfRules),
  );
  const content = withRules(rulesGone ?? rules.length);
  const whole = await count(content);
  if (whole <= maxTokens) return content;

  const items = itemsToDrop(content);
  const bare = withoutItems(content, items);
  const frame = await count({ ...bare, summary: '' });
  const narrative = (await count(bare)) - frame;
  const half = Math.max(Math.floor((maxTokens - frame) / 2), maxTokens - (whole - narrative));
  const cut = (most: number): Promise<string> =>
    cutNarrative(content.summary, (summary) => fits({ ...bare, summary }, most));
  const shorter = narrative <= half ? content : { ...content, summary: await cut(frame + half) };
  const without = (gone: number): SummaryContent => withoutItems(shorter, items.slice(0, gone));
  const gone = await firstThat(upTo(items.length + 1), (few) => fits(without(few)));
  return gone === undefined ? { ...bare, summary: await cut(maxTokens) } : without(gone);
}

function upTo(end: number): readonly number[] {
  return [...Array(end).keys()];
}

/** An item of a summary's content, named by where it stands. */
interface PlacedItem {
  readonly name: string;
  readonly field: ItemField;
  readonly characters: number;
  /** From 0 for what goes first of its list, so that no list is emptied before another one shrinks. */
  readonly age: number;
}

/** All items, the first to drop first: of constraints the longest; key points are kept most important first. */
function itemsToDrop(content: SummaryContent): readonly PlacedItem[] {
  const placed: PlacedItem[] = [];
  mapItems(content, (items, field) => {
    const { isRanked = false } = recordFields[field];
    for (const [index, { item }] of items.entries()) {
      const isFirstWords = field === 'userWords' && index === 0;
      const place = isRanked ? items.length - 1 - index : index;
      placed.push({
        name: `${field} ${index}`,
        field,
        characters: (typeof item === 'string' ? item : JSON.stringify(item)).length,
        age: isFirstWords ? 1 : place / items.length,
      });
    }
    return items;
  });
  const length = ({ field, characters }: PlacedItem): number =>
    field === 'constraints' ? characters : 0;
  return placed.toSorted(
    (one, other) =>
      recordFields[one.field].rank - recordFields[other.field].rank ||
      length(other) - length(one) ||
      one.age - other.age,
  );
}

/**
 * The same content without some of its items. Of a constraint that goes, only its place in the prompt does: it holds, and
 * stays in the record.
 */
function withoutItems(content: SummaryContent, dropped: readonly PlacedItem[]): SummaryContent {
  if (dropped.length === 0) return content;
  const gone = new Set(dropped.map(({ name }) => name));
  return mapItems(content, (items, field) => {
    const isGone = (index: number): boolean => gone.has(`${field} ${index}`);
    return field === 'constraints'
      ? items.map((rule, index) => (isGone(index) ? { ...rule, isUnshown: true } : rule))
      : items.filter((_, index) => !isGone(index));
  });
}

/** Without what could never fit. The same object where that is nothing. */
function bounded(content: SummaryContent, maxCharacters: number): SummaryContent {
  const tooLong = itemsToDrop(content).filter(({ characters }) => characters > maxCharacters);
  const shorter = withoutItems(content, tooLong);
  return content.summary.length <= maxCharacters
    ? shorter
    : { ...shorter, summary: content.summary.slice(0, maxCharacters).toWellFormed() };
}

/**
 * Cuts a text to the longest beginning that `fits`: at a sentence end, else, when not even the first sentence fits, at a
 * word end with an ellipsis. Empty when nothing fits.
 */
async function cutNarrative(
  text: string,
  fits: (text: string) => Promise<boolean>,
): Promise<string> {
  if (await fits(text)) return text;
  const longest = async (
    granularity: 'sentence' | 'word',
    part: string,
    mark: string,
  ): Promise<string | undefined> => {
    const segments = [...new Intl.Segmenter('en', { granularity }).segment(part)];
    const starts = segments.map(({ index }) => index).toReversed();
    const before = (end: number): string => part.slice(0, end).trimEnd() + mark;
    const end = await firstThat(starts.slice(0, -1), (start) => fits(before(start)));
    return end === undefined ? undefined : before(end);
  };
  const [first] = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return (
    (await longest('sentence', text, '')) ??
    (await longest('word', first?.segment ?? '', '…')) ??
    ''
  );
}
