import {
  composePrompt,
  userText,
  type Composition,
  type CompositionStyle,
  type SummarisedPart,
} from '../composing/compose-prompt.ts';
import { omittedSummary, renderSummary } from '../composing/render-summary.ts';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import { buildRecord } from '../record/build-record.ts';
import { contentOf, itemsOf, withItems } from '../record/content-items.ts';
import { emptyContent } from '../record/empty-content.ts';
import { modelOrigin } from '../record/item-origin.ts';
import type { SummaryContent, SummaryRecord } from '../record/summary-record.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { legalCuts } from '../selection/legal-cuts.ts';
import { spareFrameTokens } from '../sizing/size-rates.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { firstThatFits, sumOf, sumsFrom } from '../util/numbers.ts';
import { condenserOf } from './condense-tool-results.ts';
import { fitContent } from './fit-content.ts';
import {
  cutTexts,
  leastForms,
  restoreMessages,
  type FormTools,
  type Shorten,
  type Shortened,
} from './shorter-forms.ts';

/** A prompt that is too long, and what a shorter one is written from. */
export interface FittingTask {
  readonly view: ConversationView;
  readonly style: CompositionStyle;
  readonly measure: TokenMeasure;
  /** Tokens that the whole prompt may take. */
  readonly target: number;
  /** The record that applies before anything is left out. */
  readonly composition: Composition | undefined;
  /** Gives the key of a record of so many messages that identify the conversation. */
  readonly keyOf: (count: number) => Promise<string>;
  /** How tool results are condensed. */
  readonly toolResults: ToolResultOptions;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A prompt whose older messages were shortened or left out. */
export interface ShorterPrompt {
  readonly prompt: Prompt;
  /** Indexes in the prompt of the messages that were shortened. */
  readonly shortenedMessages: readonly number[];
  readonly composition: Composition | undefined;
  /** Whether it says less than the summary that applied. */
  readonly losesSummary?: boolean | undefined;
}

/** One that is being written, and what it comes to. */
interface Draft extends ShorterPrompt {
  readonly fits: boolean;
  /** Tokens of the target that are left. */
  readonly left: number;
  /**
   * Tokens of the conversation that it keeps: messages, whole or shortened, and repeated texts of the user, each counted as
   * the message it was, less what a frame may take.
   */
  readonly kept: number;
}

/** A conversation that is too long, and what its pieces take. Tokens are unscaled ones. */
interface Ladder extends FittingTask, FormTools {
  /** Tokens of each message; 0 for those that a record stands for already. */
  readonly tokens: readonly number[];
  /** Index of the first message that no record stands for yet. */
  readonly start: number;
  /** Where the recent messages may begin, ascending: at `start`, or where the next record may end. */
  readonly cuts: readonly number[];
  /** Indexes of messages before a cut that are sent nevertheless: anchor, pins, system messages. */
  readonly kept: (cut: number) => readonly number[];
  /** Tokens that the conversation may take. */
  readonly room: number;
  /** Tokens of that which belong to the newest messages, before older ones are kept beside them. */
  readonly newestRoom: number;
  /** Tokens that are left empty so that the next calls, with longer histories, leave out the same. */
  readonly spare: number;
  /** Characters that a shortened text keeps. */
  readonly characters: number;
}

/** Characters that a shortened text keeps, for each token of the room, and their bounds. */
const characterBounds = { perToken: 1 / 4, min: 200, max: 2000 };

/** Share of the room for what the user said in messages that are left out. */
const wordShare = 1 / 8;

/** Tokens below which there is no room for words of the user. */
const leastWords = 8;

/** Share of the room that is tried next for words that do not fit: as JSON they take more than they did. */
const nextShare = 0.75;

/**
 * Writes shorter prompts, the gentlest first. The newest messages stay as they are; before them tool outputs give way to
 * their facts and long texts of the user to head and tail, and what room that leaves is given back. Where it is not enough,
 * the oldest groups are left out behind a record that repeats what the user said in them; where even the newest share is too
 * much, its outputs give way too. At last all that may be is left out, the rest is as short as it can be, and what the
 * summary says goes: as much of it as has to, then all.
 *
 * Until then each keeps as many tokens of the conversation as leaving out whole groups alone would, up to the earliest
 * legal cut that fits.
 */
export async function* shorterPrompts(task: FittingTask): AsyncGenerator<ShorterPrompt> {
  const ladder = await ladderOf(task);
  const { start, room, newestRoom, spare } = ladder;
  const shorten = leastForms(task.view, ladder, ladder.characters);
  const words = room * wordShare;
  const plain = await earliestCut(ladder, [], { words: 0, spare: 0, restored: 0 });
  const dropped =
    plain === undefined ? undefined : await filledDraft(ladder, await partAt(ladder, plain, 0), []);
  const better = async (
    cut: number,
    forms: readonly Shortened[],
    most: number,
  ): Promise<Draft[]> => {
    const recent = forms.filter(({ index }) => index >= cut);
    const draft = await filledDraft(ladder, await partAt(ladder, cut, most), recent);
    return draft.fits && (dropped === undefined || draft.kept > dropped.kept) ? [draft] : [];
  };
  const newest = verbatimFrom(ladder);
  const all = await shortenedFrom(ladder, start, room, shorten);
  const older = all.filter(({ index }) => index < newest);
  for (const { forms, ...wish } of [
    { forms: older, words, spare, restored: 0 },
    { forms: older, words, spare: 0, restored: 0 },
    // Where even the newest share is too much, its outputs give way too.
    { forms: all, words, spare, restored: newestRoom },
    { forms: all, words: 0, spare: 0, restored: 0 },
  ]) {
    const cut = await earliestCut(ladder, forms, wish);
    if (cut !== undefined) yield* await better(cut, forms, wish.words);
  }
  if (plain !== undefined && dropped !== undefined) {
    yield* await better(plain, all, words);
    for (let most = dropped.left; most >= leastWords; most *= nextShare)
      yield* await better(plain, all, most);
    yield dropped;
  }
  yield* shortestPrompts(ladder);
}

/** Counts a conversation that is to be shortened, behind the record that applies. */
async function ladderOf(task: FittingTask): Promise<Ladder> {
  const { view, composition, measure, target, abortSignal } = task;
  const { systems, conversation } = view;
  const slices = timeSlices({ abortSignal });
  const start = composition?.cut ?? 0;
  const cuts = [start, ...(await legalCuts(view, start, slices))];
  const whole = composition?.prompt ?? [...systems, ...conversation];
  await measure.count(conversation, abortSignal);
  await measure.count(whole, abortSignal);
  const sizes = conversation.map((message) => measure.unscaled.message(message));
  const tokens = sizes.map((size, index) => (index < start ? 0 : size));
  await slices.pause();
  const kept = (cut: number): readonly number[] => keptMessages({ ...view, cut }).indexes;
  const keptTokens = (cut: number): number => sumOf(kept(cut), (index) => sizes[index] ?? 0);
  const history = sumOf(tokens, (size) => size);
  const fixed = measure.unscaled.prompt(whole) - history - keptTokens(start);
  const room = Math.max(0, measure.unscaled.room(target) - fixed);
  const { perToken, min, max } = characterBounds;
  return {
    ...task,
    slices,
    count: async (message) => {
      await slices.pause();
      await measure.count([message], abortSignal);
      return measure.unscaled.message(message);
    },
    condense: await condenserOf(conversation, slices, task.toolResults),
    tokens,
    start,
    cuts,
    kept,
    room,
    // Anchor and pins are kept wherever the cut is.
    newestRoom: newestShare * (room - keptTokens(conversation.length)),
    spare: spareOf(target, room, history),
    characters: Math.min(max, Math.max(min, Math.floor(room * perToken))),
  };
}

/** Share of the room that belongs to the newest messages. */
const newestShare = 0.75;

/** The largest step by which more is given up, as a share of the whole prompt and of the room for the conversation. */
const stepShares = { prompt: 1 / 8, room: 1 / 4 };

/** The room itself moves in fractions of a step, so that a slightly different target changes nothing. */
const fractionsOfStep = 8;

/**
 * Rounds the room for a conversation down, and its history up to whole steps, so that calls in a row leave out the same.
 * Steps are powers of two: a target that drifts, as learned sizes do, seldom changes them.
 */
function spareOf(target: number, room: number, history: number): number {
  const largest = Math.min(target * stepShares.prompt, room * stepShares.room);
  const step = 2 ** Math.floor(Math.log2(Math.max(1, largest)));
  return (room % (step / fractionsOfStep)) + Math.ceil(history / step) * step - history;
}

/** Index from which messages stay as they are; the end of the conversation where already the last group is too large. */
function verbatimFrom({ view, tokens, start, newestRoom, spare }: Ladder): number {
  const newest = sumsFrom(tokens);
  const isSmall = (index: number): boolean => spare + (newest[index] ?? 0) <= newestRoom;
  return view.groups.boundaries.find((index) => index > start && isSmall(index)) ?? tokens.length;
}

/**
 * Shortens messages from the newest back to `start`, until even their least forms fill the room: what is older is never
 * looked at, however long the history.
 */
async function shortenedFrom(
  { tokens, slices }: Ladder,
  start: number,
  room: number,
  shorten: Shorten,
): Promise<readonly Shortened[]> {
  const forms: Shortened[] = [];
  let total = 0;
  for (let index = tokens.length - 1; index >= start && total <= room; index -= 1) {
    await slices.pause();
    const form = await shorten(index);
    if (form !== undefined) forms.push(form);
    total += form?.tokens.least ?? tokens[index] ?? 0;
  }
  return forms;
}

/**
 * Finds the earliest cut behind which a prompt fits in which some messages have their least forms.
 *
 * @param wish - Tokens for words of the user, to be left empty, and to show more of what was shortened.
 * @returns `start` for leaving nothing out; `undefined` where no cut is enough.
 */
async function earliestCut(
  ladder: Ladder,
  forms: readonly Shortened[],
  wish: { readonly words: number; readonly spare: number; readonly restored: number },
): Promise<number | undefined> {
  const { tokens, cuts, measure, target } = ladder;
  const saved = tokens.map(() => 0);
  for (const { index, tokens: sizes } of forms) saved[index] = sizes.full - sizes.least;
  const savedFrom = sumsFrom(saved);
  const fullFrom = sumsFrom(tokens);
  const room = measure.unscaled.room(target) - wish.spare;
  const takes = (cut: number): number => {
    const beyond = savedFrom[cut] ?? 0;
    return (fullFrom[cut] ?? 0) - beyond + Math.min(beyond, Math.max(0, wish.restored));
  };
  return firstThatFits(
    cuts.filter((cut) => takes(cut) <= room),
    async (cut) => {
      const recent = forms.filter(({ index }) => index >= cut);
      const part = await partAt(ladder, cut, wish.words);
      const { fits, left } = await writeDraft(ladder, part, leastOf(recent));
      return fits && left >= wish.spare + Math.min(savedFrom[cut] ?? 0, Math.max(0, wish.restored));
    },
  );
}

function leastOf(forms: readonly Shortened[]): ReadonlyMap<number, Message> {
  return new Map(forms.map(({ index, least }) => [index, least]));
}

/**
 * Writes what stands in front of recent messages that begin at `cut`: a record that names what is left
 * out, with as many of the user's words as `room` tokens hold. `undefined` for nothing.
 */
async function partAt(
  ladder: Ladder,
  cut: number,
  room: number,
): Promise<SummarisedPart | undefined> {
  const { composition, start } = ladder;
  if (cut === start) return composition;
  const userTexts = room > 0 ? await userWords(ladder, cut, room) : [];
  return { ...(await trimmedPart(ladder, cut, composition?.record)), userTexts };
}

/**
 * Makes a record, without a model and never stored, that names the messages up to `cut` and says that
 * they were left out, beside what is said already.
 */
async function trimmedPart(
  { view: { identity }, composition, start, keyOf }: Ladder,
  cut: number,
  said: SummaryContent | undefined,
): Promise<SummarisedPart> {
  const previous = composition?.record;
  const count = identity.significantBefore(cut);
  const frame = {
    key: await keyOf(count),
    depth: previous?.depth ?? 0,
    // In its own place it is not its own parent.
    parent: previous?.coveredMessages === count ? undefined : previous,
    coveredMessages: count,
    prefixDigest: await identity.prefixDigest(count),
    strategy: 'trim',
    degraded: true,
    inputTokens: 0,
  };
  const item = `${cut - start} messages after the ones summarised here were left out because they did not fit.`;
  const content =
    said === undefined || cut === start
      ? (said ?? emptyContent(omittedSummary))
      : withItems(said, ({ keyPoints }) => ({
          keyPoints: [{ item, origin: modelOrigin }, ...keyPoints],
        }));
  return { record: buildRecord(frame, content, 0), cut, instead: { of: composition } };
}

/**
 * Chooses what the user said in messages that a cut leaves out, to be repeated in the record: the first
 * text, which mostly says what all is about, and of the others those that matter most, the newest first, while
 * they fit beside it.
 *
 * @returns the texts, oldest first.
 */
async function userWords(
  { view: { conversation, priority }, start, kept, slices, characters, count }: Ladder,
  cut: number,
  room: number,
): Promise<readonly string[]> {
  const sent = new Set(kept(cut));
  const leftOut: { readonly index: number; readonly message: Message; readonly rank: number }[] =
    [];
  for (const [index, message] of conversation.slice(0, cut).entries()) {
    await slices.pause();
    if (index < start || message.role !== 'user' || sent.has(index)) continue;
    const rank = leftOut.length === 0 ? Number.POSITIVE_INFINITY : priority(message);
    leftOut.push({ index, message: cutTexts(message, characters), rank });
  }
  let left = room;
  const chosen: typeof leftOut = [];
  for (const each of leftOut.toSorted(
    (one, other) => other.rank - one.rank || other.index - one.index,
  )) {
    left -= await count(each.message);
    if (left < 0) break;
    chosen.push(each);
  }
  return chosen
    .toSorted((one, other) => one.index - other.index)
    .map(({ message }) => userText(message))
    .filter((text) => text.trim() !== '');
}

/** Writes a prompt with the least forms of what may be shortened, and gives back what there is room for. */
async function filledDraft(
  ladder: Ladder,
  part: SummarisedPart | undefined,
  forms: readonly Shortened[],
): Promise<Draft> {
  const { view, count, kept } = ladder;
  const { conversation, priority } = view;
  const least = leastOf(forms);
  const { left } = await writeDraft(ladder, part, least);
  const restored = await restoreMessages(forms, left, count, priority);
  const shown = new Map([...least, ...restored]);
  const written = await writeDraft(ladder, part, shown);
  const { cut = 0, userTexts = [] } = part ?? {};
  const sent = new Set([...kept(cut), ...[...conversation.keys()].slice(cut)]);
  const messages = [...sent].flatMap((index) => shown.get(index) ?? conversation[index] ?? []);
  let tokens = 0;
  for (const message of [...messages, ...userTexts.map(asMessage)])
    tokens += (await count(message)) - spareFrameTokens;
  const { prompt } = written;
  const placeOf = (index: number, form: Message): number =>
    // The recent messages are the end of the prompt; one before them may hold the summary too.
    index < cut
      ? prompt.findIndex(({ content }) => content.at(-1) === form.content.at(-1))
      : prompt.length - conversation.length + index;
  return {
    ...written,
    shortenedMessages: [...shown]
      .flatMap(([index, form]) => (form === conversation[index] ? [] : [placeOf(index, form)]))
      .toSorted((one, other) => one - other),
    kept: tokens,
  };
}

function asMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** Writes a prompt with other forms of some of its messages, by index. */
async function writeDraft(
  { view, style, measure, target, slices, abortSignal }: Ladder,
  part: SummarisedPart | undefined,
  forms: ReadonlyMap<number, Message>,
): Promise<Omit<Draft, 'shortenedMessages' | 'kept'>> {
  const given = view.conversation.map((message, index) => forms.get(index) ?? message);
  await slices.pause();
  const composition =
    part && (await composePrompt({ ...view, conversation: given }, style, part, slices));
  await slices.pause();
  const prompt = composition?.prompt ?? [...view.systems, ...given];
  await measure.count(prompt, abortSignal);
  const left = measure.unscaled.room(target) - measure.unscaled.prompt(prompt);
  return { prompt, composition, fits: left >= 0 && measure.prompt(prompt) <= target, left };
}

/** Tokens that a record may take more than counted: it may stand in a message with other texts. */
const placementTokens = 16;

/** Leaves out all that may be, and shortens the rest as far as has to be; then what the summary says gives way. */
async function* shortestPrompts(ladder: Ladder): AsyncGenerator<ShorterPrompt> {
  const { view, composition, cuts, start, slices, count } = ladder;
  const cut = cuts.at(-1) ?? start;
  const shorten = leastForms(view, ladder, characterBounds.min);
  const forms = [...(await shortenedFrom(ladder, cut, Number.POSITIVE_INFINITY, shorten))];
  for (const index of ladder.kept(cut)) {
    const form = index < cut ? await shorten(index) : undefined;
    if (form !== undefined) forms.push(form);
  }
  yield filledDraft(ladder, await partAt(ladder, cut, 0), forms);
  if (composition === undefined) return;
  const bare = await trimmedPart(ladder, cut, undefined);
  const tokensOf = (record: SummaryRecord): Promise<number> =>
    count({ role: 'system', content: renderSummary(record) });
  const { left } = await writeDraft(ladder, bare, leastOf(forms));
  const { record } = await trimmedPart(ladder, cut, composition.record);
  const saying = (content: SummaryContent): SummaryRecord => ({
    ...record,
    minutes: undefined,
    ...contentOf(content, itemsOf(content)),
  });
  const fitted = await fitContent(record, {
    maxTokens: left + (await tokensOf(bare.record)) - placementTokens,
    count: (content) => tokensOf(saying(content)),
    slices,
  });
  const records = fitted.summary === '' ? [bare.record] : [saying(fitted), bare.record];
  for (const each of records)
    yield { ...(await filledDraft(ladder, { ...bare, record: each }, forms)), losesSummary: true };
}
