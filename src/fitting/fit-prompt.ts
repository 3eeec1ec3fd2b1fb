import {
  composePrompt,
  userText,
  type Composition,
  type CompositionStyle,
  type SummarisedPart,
} from '../composing/compose-prompt.ts';
import { omittedSummary, renderSummary } from '../composing/render-summary.ts';
import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import { buildRecord } from '../record/build-record.ts';
import { contentOf, itemsOf, withItems } from '../record/content-items.ts';
import { emptyContent } from '../record/content-items.ts';
import { modelOrigin } from '../record/item-origin.ts';
import type { SummaryContent, SummaryRecord } from '../record/summary-record.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import { legalCuts } from '../selection/cuts.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { firstThatFits, sumOf, sumsFrom } from '../util/numbers.ts';
import { fitContent } from './fit-content.ts';
import {
  condenserOf,
  cutTexts,
  restoreMessages,
  type Condenser,
  type CountTokens,
  type Shortened,
} from './shorter-messages.ts';

/** What a prompt must keep to. */
export interface FittingPolicy {
  /** Tokens the prompt may take. */
  readonly limit: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** Whether what the model makes of a text is known, not learned. */
  readonly tokenMultiplierGiven: boolean;
}

/** A prompt and the record that stands in it. */
export interface Draft {
  readonly prompt: Prompt;
  readonly composition: Composition | undefined;
}

/** A prompt that may be too long, and what a shorter one is written from. */
export interface CallToFit extends Draft {
  readonly view: ConversationView;
  readonly style: CompositionStyle;
  readonly measure: TokenMeasure;
  readonly policy: FittingPolicy;
  /** Gives the key of a record of so many messages that identify the conversation. */
  readonly keyOf: (count: number) => Promise<string>;
  /** How tool results are condensed. */
  readonly toolResults: ToolResultOptions;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A prompt that fits the model. */
export interface FittedCall extends Draft {
  readonly tokens: number;
  /** Tokens under o200k, if it was counted. */
  readonly counted: number | undefined;
  /** What was done to make it fit; `undefined` when it fitted as it was. */
  readonly shortening?:
    | {
        readonly tokensBefore: number;
        readonly tokensAfter: number;
        readonly shortenedMessages: readonly number[];
      }
    | undefined;
}

/** Share of the limit that a shortened prompt leaves free where the model's tokenizer is not ours. */
const estimateMargin = 0.05;

/**
 * Makes a prompt fit without a model, with the least that helps: see {@link shorterPrompts}. Nothing of this is stored:
 * the next call may find a better way.
 *
 * @throws {ContextOverflowError} when even the smallest legal prompt certainly does not fit. One that may fit,
 * because the model's tokenizer is only guessed at, is sent: the provider knows.
 */
export async function fitPrompt(call: CallToFit): Promise<FittedCall> {
  const { policy, measure, abortSignal } = call;
  const { limit, tokenMultiplierGiven } = policy;
  await measure.count(call.prompt, abortSignal);
  const tokensBefore = measure.prompt(call.prompt);
  const figuresOf = ({ prompt, composition }: Draft): FittedCall => ({
    prompt,
    composition,
    tokens: measure.prompt(prompt),
    counted: measure.counted(prompt),
  });
  let smallest = figuresOf(call);
  // What fits by the figures that calls are decided on is not touched: the next call would send it whole.
  if (tokensBefore <= limit) return smallest;

  const target = tokenMultiplierGiven ? limit : limit * (1 - estimateMargin);
  for await (const shorter of shorterPrompts(call, target)) {
    // For what is left free because sizes are estimates, nothing of a summary is given up.
    if (shorter.losesSummary === true && smallest.tokens <= limit) break;
    const fitted = figuresOf(shorter);
    if (fitted.tokens >= smallest.tokens) continue;
    const { shortenedMessages } = shorter;
    const shortening = { tokensBefore, tokensAfter: fitted.tokens, shortenedMessages };
    smallest = { ...fitted, shortening };
    if (fitted.tokens <= target) return smallest;
  }
  if (measure.leastPrompt(smallest.prompt) <= limit) return smallest;
  throw overflowOf(call, smallest.prompt);
}

function overflowOf(
  { measure, view, policy: { limit, contextLength } }: CallToFit,
  smallest: readonly Message[],
): ContextOverflowError {
  const tokens = measure.prompt(smallest);
  const latestUser = smallest.findLast((message) => message.role === 'user');
  return new ContextOverflowError({
    tokens,
    limit,
    message:
      `The smallest prompt that can be sent takes ${tokens} tokens, the model accepts ${limit} ` +
      `(context length ${contextLength}, less the room for the answer). ` +
      `System messages, tools and response schema take ${measure.prompt(view.systems)}` +
      `${latestUser === undefined ? '' : `, the latest user message takes ${measure.message(latestUser)}`}.`,
  });
}

/** A prompt whose older messages were shortened or left out. */
interface ShorterPrompt extends Draft {
  /** Indexes in the prompt of the messages that were shortened. */
  readonly shortenedMessages: readonly number[];
  /** Whether it says less than the summary that applied. */
  readonly losesSummary?: boolean | undefined;
}

/** A conversation that is too long, and what its pieces take. Tokens are unscaled ones. */
interface Ladder extends Omit<CallToFit, 'prompt' | 'policy'> {
  /** Tokens that the whole prompt may take. */
  readonly target: number;
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
  readonly count: CountTokens;
  readonly condense: Condenser;
}

/** Characters that a shortened text keeps, for each token of the room, and their bounds. */
const characterBounds = { perToken: 1 / 4, min: 200, max: 2000 };

/** Share of the room for what the user said in messages that are left out. */
const wordShare = 1 / 8;

/** Share of the room that belongs to the newest messages. */
const newestShare = 0.75;

/** What a prompt should have room for, in tokens. */
interface Wish {
  /** For words of the user that are left out. */
  readonly words: number;
  /** To be left empty. */
  readonly spare: number;
  /** To show the newest of what was shortened. */
  readonly restored: number;
}

/**
 * Writes shorter prompts, the gentlest first. Tool outputs give way to their facts and long texts of the user to head and
 * tail, the oldest groups are left out behind a record that repeats what the user said in them, and what room that leaves
 * is given back, to the newest messages first. At last all that may be is left out, the rest is as short as it can be, and
 * what the summary says goes: as much of it as has to, then all.
 */
async function* shorterPrompts(call: CallToFit, target: number): AsyncGenerator<ShorterPrompt> {
  const ladder = await ladderOf(call, target);
  const { tokens, start, room, newestRoom, spare } = ladder;
  const words = room * wordShare;
  const recent = [...tokens.keys()].slice(start);
  const forms = await shortened(ladder, recent, ladder.characters, room);
  const wishes: readonly Wish[] = [
    { words, spare, restored: newestRoom },
    { words, spare: 0, restored: 0 },
    { words: 0, spare: 0, restored: 0 },
  ];
  for (const wish of wishes) {
    const cut = await earliestCut(ladder, forms, wish);
    if (cut === undefined) continue;
    const part = await partAt(ladder, cut, wish.words);
    yield filledPrompt(
      ladder,
      part,
      forms.filter(({ index }) => index >= cut),
    );
  }
  yield* shortestPrompts(ladder);
}

/** Leaves out all that may be, and shortens the rest as far as has to be; then what the summary says gives way. */
async function* shortestPrompts(ladder: Ladder): AsyncGenerator<ShorterPrompt> {
  const { composition, tokens, cuts, kept, start, count } = ladder;
  const cut = cuts.at(-1) ?? start;
  const recent = [...tokens.keys()].slice(cut);
  const stays = [...kept(cut).filter((index) => index < cut), ...recent];
  const least = await shortened(ladder, stays, characterBounds.min);
  yield filledPrompt(ladder, await partAt(ladder, cut, 0), least);
  if (composition === undefined) return;
  const bare = await trimmedPart(ladder, cut, undefined);
  const tokensOf = (record: SummaryRecord): Promise<number> =>
    count({ role: 'system', content: renderSummary(record) });
  const { left } = await write(ladder, bare, leastOf(least));
  const { record } = await trimmedPart(ladder, cut, composition.record);
  const saying = (content: SummaryContent): SummaryRecord => ({
    ...record,
    minutes: undefined,
    ...contentOf(content, itemsOf(content)),
  });
  const fitted = await fitContent(record, {
    maxTokens: left + (await tokensOf(bare.record)) - placementTokens,
    count: (content) => tokensOf(saying(content)),
  });
  for (const each of fitted.summary === '' ? [bare.record] : [saying(fitted), bare.record])
    yield { ...(await filledPrompt(ladder, { ...bare, record: each }, least)), losesSummary: true };
}

/** Tokens that a record may take more than counted: it may stand in a message with other texts. */
const placementTokens = 16;

/** Counts a conversation that is to be shortened, behind the record that applies. */
async function ladderOf(call: CallToFit, target: number): Promise<Ladder> {
  const { view, measure, abortSignal, toolResults, composition: standing } = call;
  const { systems, conversation } = view;
  // What was left out of a refused attempt is chosen anew, so that what the user said in it is kept.
  const composition = standing?.instead === undefined ? standing : standing.instead.of;
  const start = composition?.cut ?? 0;
  const whole = composition?.prompt ?? [...systems, ...conversation];
  await measure.count(conversation, abortSignal);
  await measure.count(whole, abortSignal);
  const sizes = conversation.map((message) => measure.unscaled.message(message));
  const tokens = sizes.map((size, index) => (index < start ? 0 : size));
  const kept = (cut: number): readonly number[] => keptMessages({ ...view, cut }).indexes;
  const keptTokens = (cut: number): number => sumOf(kept(cut), (index) => sizes[index] ?? 0);
  const history = sumOf(tokens, (size) => size);
  const fixed = measure.unscaled.prompt(whole) - history - keptTokens(start);
  const room = Math.max(0, measure.unscaled.room(target) - fixed);
  const { perToken, min, max } = characterBounds;
  return {
    ...call,
    composition,
    target,
    tokens,
    start,
    cuts: [start, ...legalCuts(view, start)],
    kept,
    room,
    // Anchor and pins are kept wherever the cut is.
    newestRoom: Math.max(0, newestShare * (room - keptTokens(conversation.length))),
    spare: spareOf(target, room, history),
    characters: Math.min(max, Math.max(min, Math.floor(room * perToken))),
    count: async (message) => {
      await measure.count([message], abortSignal);
      return measure.unscaled.message(message);
    },
    condense: condenserOf(conversation, toolResults),
  };
}

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

/**
 * Shortens tool outputs to their facts, texts of the user to head and tail of so many characters, from the newest back
 * until even these fill the room: what is older is never looked at, however long the history. Pinned messages, the model's
 * and the user's latest stay.
 */
async function shortened(
  { view: { conversation, pinned }, tokens, condense, count }: Ladder,
  indexes: readonly number[],
  characters: number,
  room = Number.POSITIVE_INFINITY,
): Promise<readonly Shortened[]> {
  const latestUser = conversation.findLastIndex(({ role }) => role === 'user');
  const forms: Shortened[] = [];
  let left = room;
  for (const index of indexes.toReversed()) {
    const full = conversation[index];
    if (left < 0 || full === undefined) break;
    left -= tokens[index] ?? 0;
    if (pinned.has(index) || index === latestUser) continue;
    const least = cutTexts(condense(full), characters);
    if (least === full) continue;
    const sizes = { full: await count(full), least: await count(least) };
    if (sizes.least >= sizes.full) continue;
    forms.push({ index, full, least, tokens: sizes });
    left += sizes.full - sizes.least;
  }
  return forms;
}

/**
 * Finds the earliest cut behind which a prompt fits in which some messages have their least forms.
 *
 * @returns `start` for leaving nothing out; `undefined` where no cut is enough.
 */
async function earliestCut(
  ladder: Ladder,
  forms: readonly Shortened[],
  { words, spare, restored }: Wish,
): Promise<number | undefined> {
  const { tokens, cuts, measure, target } = ladder;
  const saved = tokens.map(() => 0);
  for (const { index, tokens: sizes } of forms) saved[index] = sizes.full - sizes.least;
  const savedFrom = sumsFrom(saved);
  const fullFrom = sumsFrom(tokens);
  const wanted = (cut: number): number => spare + Math.min(savedFrom[cut] ?? 0, restored);
  const room = measure.unscaled.room(target);
  return firstThatFits(
    cuts.filter((cut) => (fullFrom[cut] ?? 0) - (savedFrom[cut] ?? 0) + wanted(cut) <= room),
    async (cut) => {
      const recent = forms.filter(({ index }) => index >= cut);
      const part = await partAt(ladder, cut, words);
      const { fits, left } = await write(ladder, part, leastOf(recent));
      return fits && left >= wanted(cut);
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
  { view: { conversation, priority }, start, kept, characters, count }: Ladder,
  cut: number,
  room: number,
): Promise<readonly string[]> {
  const sent = new Set(kept(cut));
  const leftOut: { readonly index: number; readonly message: Message; readonly rank: number }[] =
    [];
  for (const [index, message] of conversation.slice(0, cut).entries()) {
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
async function filledPrompt(
  ladder: Ladder,
  part: SummarisedPart | undefined,
  forms: readonly Shortened[],
): Promise<ShorterPrompt> {
  const { view, tokens, count, newestRoom } = ladder;
  const least = leastOf(forms);
  const { left } = await write(ladder, part, least);
  const newest = sumsFrom(tokens);
  const priority = ({ index, full }: Shortened): number =>
    (newest[index] ?? 0) <= newestRoom ? Number.POSITIVE_INFINITY : view.priority(full);
  const shown = new Map([...least, ...(await restoreMessages(forms, left, count, priority))]);
  const { prompt, composition } = await write(ladder, part, shown);
  // A message may hold the summary too, in front of its own parts.
  const lastParts = new Set<unknown>(
    [...shown].flatMap(([index, form]) =>
      form === view.conversation[index] ? [] : [form.content.at(-1)],
    ),
  );
  const shortenedMessages = [...prompt.keys()].filter((index) =>
    lastParts.has(prompt[index]?.content.at(-1)),
  );
  return { prompt, composition, shortenedMessages };
}

/** Writes a prompt with other forms of some of its messages, by index. */
async function write(
  { view, style, measure, target, abortSignal }: Ladder,
  part: SummarisedPart | undefined,
  forms: ReadonlyMap<number, Message>,
): Promise<Draft & { readonly fits: boolean; readonly left: number }> {
  const conversation = view.conversation.map((message, index) => forms.get(index) ?? message);
  const composition = part && composePrompt({ ...view, conversation }, style, part);
  const prompt = composition?.prompt ?? [...view.systems, ...conversation];
  await measure.count(prompt, abortSignal);
  const left = measure.unscaled.room(target) - measure.unscaled.prompt(prompt);
  return { prompt, composition, fits: left >= 0 && measure.prompt(prompt) <= target, left };
}
