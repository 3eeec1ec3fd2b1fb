import { mapItems } from '../../foundations/record/content-items.ts';
import { recordFields } from '../../foundations/record/record-fields.ts';
import type { ItemField, SummaryContent } from '../../foundations/record/summary-record.ts';
import { bisectFirst } from '../../foundations/util/numbers.ts';
import { sentencesOf } from '../../summaries/strategies/texts.ts';

/** How a summary is fitted. */
export interface FitContentOptions {
  /** Tokens the content may take. */
  readonly maxTokens: number;
  /** Tokens of the content as it will be injected, everything around it included. */
  readonly count: (content: SummaryContent) => Promise<number>;
}

/** More than ordinary text has: a narrative that is longer than the budget allows at that is cut before it is counted. */
const mostTokenCharacters = 16;

/**
 * Trims a summary until `count` gives at most `maxTokens`. Items are dropped in this order: names; activity, the
 * oldest lines first; quotes of the user except the first and the newest ones; ended constraints; other lists from
 * their ends, each to the same share of it; the narrative in its middle, words of its last sentence after the other
 * sentences; the plan; the oldest constraints, which leave the prompt and stay in the record. Deterministic; the number
 * of counts grows with the logarithm of items and sentences.
 *
 * @returns The same object when it fits. A content without narrative and items when even that does not.
 */
export async function fitContent(
  given: SummaryContent,
  { maxTokens, count }: FitContentOptions,
): Promise<SummaryContent> {
  const fits = async (content: SummaryContent): Promise<boolean> =>
    (await count(content)) <= maxTokens;
  const most = Math.max(maxTokens, 1) * mostTokenCharacters;
  const isLong = given.summary.length > most;
  const content = isLong ? { ...given, summary: cutInMiddle(given.summary, most) } : given;
  if (!isLong && (await fits(content))) return given;

  const items = itemsToDrop(content);
  const names = items.filter(({ field }) => recordFields[field].rank === 0).length;
  const others = items.filter(({ field }) => field !== 'constraints').length - names;
  const lines = content.activity?.split('\n') ?? [];
  const sentences = sentencesOf(content.summary);
  // Names, lines of activity, other items, sentences, then the plan and constraints.
  const listed = names + lines.length + others;
  const told = listed + sentences.length;
  const without = (gone: number): SummaryContent => {
    const upTo = (size: number, from: number): number => Math.min(Math.max(0, gone - from), size);
    const ofItems =
      upTo(names, 0) + upTo(others, names + lines.length) + upTo(items.length, told + 1);
    const left = lines.slice(upTo(lines.length, names)).join('\n');
    return {
      ...withoutItems(content, items.slice(0, ofItems)),
      activity: left === '' ? undefined : left,
      plan: gone > told ? undefined : content.plan,
      summary:
        gone > listed ? withoutMiddle(sentences, upTo(sentences.length, listed)) : content.summary,
    };
  };
  const all = told + 1 + items.length - names - others;
  const gone = await firstThat(all, async (few) => fits(without(few)));
  const fewer = without(gone ?? all);
  if (gone === undefined || gone <= listed || fewer.summary !== '') return fewer;
  const words = wordsOf(sentences.at(-1) ?? '');
  const opened = (few: number): SummaryContent => ({
    ...fewer,
    summary: withoutMiddle(words, few),
  });
  // Less than half of a sentence says nothing.
  const few = await firstThat(Math.floor(words.length / 2), async (each) => fits(opened(each)));
  return few === undefined ? fewer : opened(few);
}

/** A text without so many characters in its middle that the rest has so many. */
function cutInMiddle(text: string, characters: number): string {
  const half = Math.floor(characters / 2);
  return `${text.slice(0, half).toWellFormed()}${omission}${text.slice(-half).toWellFormed()}`;
}

/** Stands for what is left out of a narrative. */
const omission = ' … ';

/** Pieces of a text without so many in their middle: its end, where things stand, leaves last. */
function withoutMiddle(pieces: readonly string[], gone: number): string {
  if (gone === 0) return pieces.join('');
  const left = pieces.length - gone;
  const head = pieces
    .slice(0, Math.floor(left / 2))
    .join('')
    .trimEnd();
  const tail =
    left === 0
      ? ''
      : pieces
          .slice(-Math.ceil(left / 2))
          .join('')
          .trim();
  return left === 0 ? '' : `${head}${head === '' ? '… ' : omission}${tail}`;
}

function wordsOf(text: string): readonly string[] {
  return [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].map(
    ({ segment }) => segment,
  );
}

/** The least number up to a most that passes; `undefined` if none does. */
async function firstThat(
  most: number,
  passes: (few: number) => Promise<boolean>,
): Promise<number | undefined> {
  return bisectFirst([...Array(most + 1).keys()], passes);
}

/** An item of a summary's content, named by where it stands. */
interface PlacedItem {
  readonly name: string;
  readonly field: ItemField;
  /** From 0 for what goes first of its list, so that no list is emptied before another one shrinks. */
  readonly age: number;
}

/** All items, the first to drop first. */
function itemsToDrop(content: SummaryContent): readonly PlacedItem[] {
  const placed: PlacedItem[] = [];
  mapItems(content, (items, field) => {
    const { keepsLast = false } = recordFields[field];
    for (const index of items.keys()) {
      const isFirstWords = field === 'userQuotes' && index === 0;
      const place = keepsLast ? index : items.length - 1 - index;
      placed.push({
        name: `${field} ${index}`,
        field,
        age: isFirstWords ? 1 : place / items.length,
      });
    }
    return items;
  });
  return placed.toSorted(
    (one, other) =>
      recordFields[one.field].rank - recordFields[other.field].rank || one.age - other.age,
  );
}

/**
 * The same content without some of its items. A constraint only leaves the prompt: it holds, and stays in the record.
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
