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

/** More than ordinary text has: a narrative that is longer than the budget allows at that is cut before it is counted. */
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
export async function fitContent(
  given: SummaryContent,
  { maxTokens, count }: FitContentOptions,
): Promise<SummaryContent> {
  const fits = async (content: SummaryContent, most = maxTokens): Promise<boolean> =>
    (await count(content)) <= most;
  const most = Math.max(maxTokens, 1) * mostTokenCharacters;
  const { minutes = '', ...said } = given;
  const others =
    said.summary.length <= most
      ? said
      : { ...said, summary: said.summary.slice(0, most).toWellFormed() };
  if (others === said && (await fits(given))) return given;

  const lines = minutes.split('\n');
  const newestLines = (gone: number): SummaryContent =>
    gone < lines.length ? { ...others, minutes: lines.slice(gone).join('\n') } : others;
  const shortened = await firstWithout(lines.length, newestLines, fits);
  if (shortened !== undefined) return shortened;

  const rules = itemsToDrop(others).filter(({ field }) => field === 'constraints');
  const withRules = (gone: number): SummaryContent => withoutItems(others, rules.slice(0, gone));
  const mostOfRules = (await count(withRules(rules.length))) + ruleShare * maxTokens;
  const content =
    (await firstWithout(rules.length, withRules, (each) => fits(each, mostOfRules))) ?? others;
  const whole = await count(content);
  if (whole <= maxTokens) return content;

  const items = itemsToDrop(content);
  const bare = withoutItems(content, items);
  const frame = await count({ ...bare, summary: '' });
  const narrative = (await count(bare)) - frame;
  const half = Math.max(Math.floor((maxTokens - frame) / 2), maxTokens - (whole - narrative));
  const cut = (tokens: number): Promise<string> =>
    cutNarrative(content.summary, (summary) => fits({ ...bare, summary }, tokens));
  const shorter = narrative <= half ? content : { ...content, summary: await cut(frame + half) };
  const fewer = (gone: number): SummaryContent => withoutItems(shorter, items.slice(0, gone));
  return (
    (await firstWithout(items.length, fewer, fits)) ?? { ...bare, summary: await cut(maxTokens) }
  );
}

/** What fits with the fewest gone of so many; `undefined` where not even what is left without all of them does. */
async function firstWithout<Left>(
  all: number,
  left: (gone: number) => Left,
  fits: (left: Left) => Promise<boolean>,
): Promise<Left | undefined> {
  const gone = await firstThat([...Array(all + 1).keys()], (few) => fits(left(few)));
  return gone === undefined ? undefined : left(gone);
}

/** An item of a summary's content, named by where it stands. */
interface PlacedItem {
  readonly name: string;
  readonly field: ItemField;
  /** Of constraints: the longest go first. */
  readonly characters: number;
  /** From 0 for what goes first of its list, so that no list is emptied before another one shrinks. */
  readonly age: number;
}

/** All items, the first to drop first; key points are kept most important first. */
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
        characters: field === 'constraints' ? JSON.stringify(item).length : 0,
        age: isFirstWords ? 1 : place / items.length,
      });
    }
    return items;
  });
  return placed.toSorted(
    (one, other) =>
      recordFields[one.field].rank - recordFields[other.field].rank ||
      other.characters - one.characters ||
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

/**
 * Cuts a text to the longest beginning that `fits`: at a sentence end, else, when not even the first sentence fits, at a
 * word end with an ellipsis. Empty when nothing fits.
 */
async function cutNarrative(
  text: string,
  fits: (text: string) => Promise<boolean>,
): Promise<string> {
  const sentences = [text, ...beginnings('sentence', text)];
  const words = beginnings('word', sentences.at(-1) ?? '').map((beginning) => `${beginning}…`);
  const longest = [...sentences, ...words];
  return (await firstWithout(longest.length - 1, (gone) => longest[gone] ?? '', fits)) ?? '';
}

/** What stands before each sentence or word of a text but the first, the longest first. */
function beginnings(granularity: 'sentence' | 'word', text: string): readonly string[] {
  return [...new Intl.Segmenter('en', { granularity }).segment(text)]
    .map(({ index }) => text.slice(0, index).trimEnd())
    .filter((beginning) => beginning !== '')
    .toReversed();
}
