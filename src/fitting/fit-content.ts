import type { SummaryContent } from '../record/summary-record.ts';
import { firstThat } from '../util/first-that.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import { cutNarrative } from '../strategies/llm/cut-narrative.ts';
import {
  dropOrder,
  fieldTexts,
  withoutItems,
  type ItemPosition,
} from '../strategies/llm/drop-order.ts';

/** How a summary is fitted. */
export interface FitContentOptions {
  /** Tokens the content may take. */
  readonly maxTokens: number;
  /** Tokens of the content as it will be injected, everything around it included. */
  readonly count: (content: SummaryContent) => Promise<number>;
  /** Texts of the messages that follow; items they mention outrank others. Asked for only where items may go. */
  readonly recentTexts: () => Promise<Iterable<string>>;
  readonly slices: TimeSlices;
}

/** Shares of a summary for the rules of the user, changed files and names, where there is not room for everything. */
const ruleShare = 0.3;
const fileShare = 0.25;
const nameShare = 0.1;

/** Items that are looked at again: each costs a count. */
const mostTakenBack = 12;

/** More than ordinary text has: what is longer than the budget allows at that is cut before it is counted. */
const mostTokenCharacters = 16;

/**
 * Trims a summary until `count` gives at most `maxTokens`. The minutes go first, the oldest lines of them before the
 * others. The oldest constraints beyond 30 % of it leave the prompt, and stay in the record; as far as that is not enough,
 * names beyond 10 % leave, which must not push out what is said of them, and the first changed files beyond 25 %. A
 * narrative that takes more than half of the room is first cut to what the items leave of it, but not below that half;
 * then items go, see {@link dropOrder}; if that is not enough, the narrative is cut again. Deterministic; the number of
 * counts grows with the logarithm of items and sentences.
 *
 * @returns The same object when it fits. A content without narrative and items when even that does not.
 */
export async function fitContent(
  given: SummaryContent,
  options: FitContentOptions,
): Promise<SummaryContent> {
  const { maxTokens, count, slices } = options;
  const bound = bounded(given, maxTokens);
  if ((await count(bound)) <= maxTokens) return bound;
  const fitting = await withNewestMinutes(bound, options);
  if (fitting !== undefined) return fitting;
  const { minutes: _minutes, ...withoutMinutes } = bound;
  const recent = [...(await options.recentTexts())];
  const content = await withinShares(withoutMinutes, recent, options);
  const whole = await count(content);
  if (whole <= maxTokens) return content;
  const order = await dropOrder(content, recent, slices);
  const narrativeAlone = withoutItems(content, order);
  const frame = await count({ ...narrativeAlone, summary: '' });
  const bare = await count(narrativeAlone);
  const room = maxTokens - frame;
  const narrativeRoom = Math.max(Math.floor(room / 2), room - (whole - bare));
  const summary =
    bare - frame <= narrativeRoom
      ? content.summary
      : await cutNarrative(
          content.summary,
          async (text) =>
            (await count({ ...narrativeAlone, summary: text })) <= frame + narrativeRoom,
          slices,
        );
  const { changedFiles = [], ...others } = content;
  // Names of files alone say less than any sentence.
  if (summary === '' && changedFiles.length > 0) return fitContent(others, options);
  const fits = async (candidate: SummaryContent): Promise<boolean> =>
    (await count(candidate)) <= maxTokens;
  return dropItems({ ...content, summary }, order, fits, slices);
}

/** The content with as many of the newest lines of its minutes as fit; `undefined` where none does. */
async function withNewestMinutes(
  { minutes = '', ...others }: SummaryContent,
  { maxTokens, count, slices }: FitContentOptions,
): Promise<SummaryContent | undefined> {
  const lines = minutes.split('\n');
  const withoutOldest = (gone: number): SummaryContent => ({
    ...others,
    minutes: lines.slice(gone).join('\n'),
  });
  const gone = await firstThat(
    [...lines.keys()].slice(1),
    async (line) => (await count(withoutOldest(line))) <= maxTokens,
    slices.pause,
  );
  return gone === undefined ? undefined : withoutOldest(gone);
}

/**
 * Holds the rules of the user, the oldest first, to their share; then names, the least mentioned first, and changed
 * files, the first one first, as far as it has to be: as soon as all fits, no more of them leave.
 */
async function withinShares(
  content: SummaryContent,
  recentTexts: Iterable<string>,
  options: FitContentOptions,
): Promise<SummaryContent> {
  const { maxTokens, slices } = options;
  const rules = content.context.constraints.map(
    (_, index) => ({ field: 'constraints', index }) as const,
  );
  const ruled = await listWithin(
    rules.length,
    (gone) => withoutItems(content, rules.slice(0, gone)),
    (others) => others + ruleShare * maxTokens,
    options,
  );
  const order = await dropOrder(ruled, recentTexts, slices);
  const names = order.filter(({ field }) => field === 'domainEntities');
  const named = await listWithin(
    names.length,
    (gone) => withoutItems(ruled, names.slice(0, gone)),
    (others) => Math.max(maxTokens, others + nameShare * maxTokens),
    options,
  );
  const { changedFiles = [] } = named;
  return listWithin(
    changedFiles.length,
    (gone) => ({ ...named, changedFiles: changedFiles.slice(gone) }),
    (others) => Math.max(maxTokens, others + fileShare * maxTokens),
    options,
  );
}

/**
 * Leaves out so few items of a list, the first ones first, that the whole takes no more than it may.
 *
 * @param most - Tokens that it may take, by what it takes without the list.
 */
async function listWithin(
  length: number,
  without: (gone: number) => SummaryContent,
  most: (others: number) => number,
  { count, slices }: Pick<FitContentOptions, 'count' | 'slices'>,
): Promise<SummaryContent> {
  if (length === 0) return without(0);
  const bound = most(await count(without(length)));
  const few = await firstThat(
    [...Array(length).keys()],
    async (gone) => (await count(without(gone))) <= bound,
    slices.pause,
  );
  return without(few ?? length);
}

/** Without what could never fit: an item takes a token at least. The same object where that is nothing. */
function bounded(content: SummaryContent, maxTokens: number): SummaryContent {
  const maxCharacters = Math.max(maxTokens, 1) * mostTokenCharacters;
  const dropped = fieldTexts(content).flatMap(({ field, texts }) => {
    const first = field === 'keyPoints' ? 0 : texts.length - maxTokens;
    return texts.flatMap((text, index) =>
      index < first || text.length > maxCharacters ? [{ field, index }] : [],
    );
  });
  const { summary, changedFiles = [] } = content;
  const files = changedFiles
    .slice(-Math.max(maxTokens, 1))
    .filter(({ length }) => length <= maxCharacters);
  const isWhole = dropped.length === 0 && files.length === changedFiles.length;
  if (isWhole && summary.length <= maxCharacters) return content;
  const shorter = summary.slice(0, maxCharacters).toWellFormed();
  return { ...withoutItems({ ...content, changedFiles: files }, dropped), summary: shorter };
}

async function dropItems(
  content: SummaryContent,
  order: readonly ItemPosition[],
  fits: (content: SummaryContent) => Promise<boolean>,
  slices: TimeSlices,
): Promise<SummaryContent> {
  const bare = withoutItems(content, order);
  if (!(await fits(bare))) {
    const summary = await cutNarrative(
      content.summary,
      async (text) => fits({ ...bare, summary: text }),
      slices,
    );
    return { ...bare, summary };
  }
  const without = (count: number): SummaryContent => withoutItems(content, order.slice(0, count));
  const few = await firstThat([...order.keys()], (count) => fits(without(count)), slices.pause);
  if (few === undefined) return bare;
  // The last one to go may have been long: what went before it may fit beside the others.
  let gone = order.slice(0, few);
  for (const position of gone.slice(0, -1).toReversed().slice(0, mostTakenBack)) {
    const others = gone.filter((each) => each !== position);
    if (await fits(withoutItems(content, others))) gone = others;
  }
  return withoutItems(content, gone);
}
