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
import { contentOf, itemsOf, withItems, emptyContent } from '../record/content-items.ts';
import { modelOrigin } from '../record/item-origin.ts';
import type { SummaryContent } from '../record/summary-record.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import { legalCuts } from '../selection/cuts.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { plainRates } from '../sizing/calibration.ts';
import { measureWith, type TokenMeasure } from '../sizing/token-measure.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { sumOf, sumsBefore, sumsFrom } from '../util/numbers.ts';
import { fitContent } from './fit-content.ts';
import { condenserOf, cutTexts, restoreMessages, type Shortened } from './shorter-messages.ts';

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
    counted: measure.counter.counted(prompt),
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

/** Characters that a shortened text keeps, for each token of the room, and their bounds. */
const characterBounds = { perToken: 1 / 4, min: 200, max: 2000 };

/** Shares of the room: for what the user said in messages that are left out, and for the newest messages. */
const wordShare = 1 / 8;
const newestShare = 3 / 4;

/** Share of the room that may stay empty before it is asked what plainly dropping the oldest messages would keep. */
const mostEmpty = 1 / 16;

/** Tokens that a record may take more than counted: it may stand in a message with other texts. */
const placementTokens = 16;

/**
 * Writes shorter prompts, the gentlest first. Tool outputs give way to their facts and long texts of the user to head and
 * tail, the oldest groups are left out behind a record that repeats what the user said in them, and what room that leaves
 * is given back, to the newest messages first. Where plainly dropping the oldest groups keeps more, that is done. At last
 * all that may be is left out, the rest is as short as it can be, and what the summary says goes: as much of it as has to.
 *
 * All is measured in tokens of o200k, so that what is learned of a model changes nothing from call to call.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is the conversation and its sizes
async function* shorterPrompts(call: CallToFit, target: number): AsyncGenerator<ShorterPrompt> {
  const { view, style, measure, abortSignal } = call;
  const { conversation, systems, pinned, identity } = view;
  const plain = measureWith(measure.counter, plainRates(1));
  const count = async (message: Message): Promise<number> => {
    await measure.count([message], abortSignal);
    return plain.message(message);
  };
  /** Tokens that a prompt leaves free. */
  const leftBy = async (prompt: Prompt): Promise<number> => {
    await measure.count(prompt, abortSignal);
    return measure.room(target) - plain.prompt(prompt);
  };

  // What was left out of a refused attempt is chosen anew, so that what the user said in it is kept.
  const { instead } = call.composition ?? {};
  const composition = instead === undefined ? call.composition : instead.of;
  const said = composition?.record;
  const start = composition?.cut ?? 0;
  const cuts = [start, ...legalCuts(view, start)];
  const last = cuts.at(-1) ?? start;
  await measure.count(conversation, abortSignal);
  const sizes = conversation.map((message) => plain.message(message));
  const tokensFrom = sumsFrom(sizes);
  const history = tokensFrom[start] ?? 0;
  const kept = (cut: number): readonly number[] => keptMessages({ ...view, cut }).indexes;
  const keptTokens = (cut: number): number => sumOf(kept(cut), (index) => sizes[index] ?? 0);
  const whole = composition?.prompt ?? [...systems, ...conversation];
  const room = Math.max(0, (await leftBy(whole)) + history + keptTokens(start));
  const words = room * wordShare;
  // Anchor and pins are kept wherever the cut is.
  const newestRoom = Math.max(0, newestShare * (room - keptTokens(conversation.length)));
  const { perToken, min, max } = characterBounds;
  const characters = Math.min(max, Math.max(min, Math.floor(room * perToken)));

  const condense = condenserOf(conversation, call.toolResults);
  const latestUser = conversation.findLastIndex(({ role }) => role === 'user');
  /**
   * The least forms of messages, from the newest back until even these fill the room: what is older is never looked at,
   * however long the history. Pinned messages, the model's and the user's latest stay.
   */
  const shortened = async (
    indexes: readonly number[],
    most: number,
    mostTokens = Number.POSITIVE_INFINITY,
  ): Promise<readonly Shortened[]> => {
    const forms: Shortened[] = [];
    let left = mostTokens;
    for (const index of indexes.toReversed()) {
      const full = conversation[index];
      if (left < 0 || full === undefined) break;
      const tokens = sizes[index] ?? 0;
      left -= tokens;
      if (pinned.has(index) || index === latestUser) continue;
      const least = cutTexts(condense(full), most);
      const saved = least === full ? 0 : tokens - (await count(least));
      if (saved <= 0) continue;
      forms.push({ index, full, least, tokens, saved });
      left += saved;
    }
    return forms;
  };

  /**
   * What the user said in messages that a cut leaves out, oldest first: the first text, which mostly says what all is
   * about, and of the others those that matter most, the newest first, while there is room.
   */
  const userTexts = async (cut: number): Promise<readonly string[]> => {
    const sent = new Set(kept(cut));
    const indexes = [...sizes.keys()]
      .slice(start, cut)
      .filter((index) => conversation[index]?.role === 'user' && !sent.has(index));
    const texts = indexes.flatMap((index) => {
      const message = conversation[index];
      if (message === undefined) return [];
      const rank = index === indexes[0] ? Number.POSITIVE_INFINITY : view.priority(message);
      return [{ index, rank, message: cutTexts(message, characters) }];
    });
    let left = words;
    const chosen: typeof texts = [];
    for (const each of texts.toSorted((a, b) => b.rank - a.rank || b.index - a.index)) {
      left -= await count(each.message);
      if (left < 0) break;
      chosen.push(each);
    }
    const repeated = chosen
      .toSorted((a, b) => a.index - b.index)
      .map((each) => userText(each.message));
    return repeated.filter((text) => text.trim() !== '');
  };

  /**
   * A record, made without a model and never stored, that names the messages up to a cut and says that they were left out,
   * beside what is said already.
   */
  const omission = async (
    cut: number,
    says: SummaryContent | undefined,
  ): Promise<SummarisedPart> => {
    const covered = identity.significantBefore(cut);
    const frame = {
      key: await call.keyOf(covered),
      depth: said?.depth ?? 0,
      // In its own place it is not its own parent.
      parent: said?.coveredMessages === covered ? undefined : said,
      coveredMessages: covered,
      prefixDigest: await identity.prefixDigest(covered),
      strategy: 'trim',
      degraded: true,
      inputTokens: 0,
    };
    const item = `${cut - start} messages after the ones summarised here were left out because they did not fit.`;
    const content =
      says !== undefined && cut > start
        ? withItems(says, ({ keyPoints }) => ({
            keyPoints: [{ item, origin: modelOrigin }, ...keyPoints],
          }))
        : (says ?? emptyContent(omittedSummary));
    return { record: buildRecord(frame, content, 0), cut, instead: { of: composition } };
  };
  const recordTokens = ({ record }: SummarisedPart): Promise<number> =>
    count({ role: 'system', content: renderSummary(record) });

  const write = (part: SummarisedPart | undefined, forms: readonly Shortened[]): Draft => {
    const written = [...conversation];
    for (const { index, least } of forms) written[index] = least;
    const composed = part && composePrompt({ ...view, conversation: written }, style, part);
    return { composition: composed, prompt: composed?.prompt ?? [...systems, ...written] };
  };
  const priority = ({ index, full }: Shortened): number =>
    (tokensFrom[index] ?? 0) <= newestRoom ? Number.POSITIVE_INFINITY : view.priority(full);
  /** Writes a prompt in which as much of shortened messages is given back as there is room for. */
  const restored = async (
    part: SummarisedPart | undefined,
    forms: readonly Shortened[],
  ): Promise<ShorterPrompt> => {
    const free = await leftBy(write(part, forms).prompt);
    const shown = await restoreMessages(forms, free, count, priority);
    const draft = write(part, shown);
    // A message may hold the summary too, in front of its own parts.
    const lastParts = new Set<unknown>(
      shown.flatMap(({ full, least }) => (least === full ? [] : [least.content.at(-1)])),
    );
    const shortenedMessages = [...draft.prompt.keys()].filter((index) =>
      lastParts.has(draft.prompt[index]?.content.at(-1)),
    );
    return { ...draft, shortenedMessages };
  };

  const shortest = await omission(last, said);
  const addedByRecord =
    (await recordTokens(shortest)) -
    (composition === undefined ? 0 : await recordTokens(composition));
  const wordsBefore = sumsBefore(
    sizes.map((size, index) => (conversation[index]?.role === 'user' && index >= start ? size : 0)),
  );
  /** The prompt behind the earliest cut that has room for what follows it, and for so much besides. */
  const filled = async (
    forms: readonly Shortened[],
    spare = 0,
    newest = 0,
  ): Promise<ShorterPrompt | undefined> => {
    const savings = new Map(forms.map(({ index, saved }) => [index, saved]));
    const savedFrom = sumsFrom(sizes.map((_, index) => savings.get(index) ?? 0));
    const needed = (cut: number): number => {
      const saved = savedFrom[cut] ?? 0;
      const record = cut === start ? 0 : addedByRecord + Math.min(words, wordsBefore[cut] ?? 0);
      return record + (tokensFrom[cut] ?? 0) - saved + spare + Math.min(saved, newest);
    };
    for (let short = 0; ;) {
      const most = room - short;
      const cut = cuts.find(
        (each) => needed(each) <= most && needed(each) + keptTokens(each) <= most,
      );
      if (cut === undefined) return undefined;
      const part =
        cut === start
          ? composition
          : { ...(await omission(cut, said)), userTexts: await userTexts(cut) };
      const recent = forms.filter(({ index }) => index >= cut);
      const left = await leftBy(write(part, recent).prompt);
      if (left >= 0) return restored(part, recent);
      // What is escaped in a record takes more than it did.
      short = 2 * short - left;
    }
  };
  const forms = await shortened([...sizes.keys()].slice(start), characters, room);
  const condensed =
    (await filled(forms, spareOf(target, room, history), newestRoom)) ?? (await filled(forms));
  const empty = condensed === undefined ? room : await leftBy(condensed.prompt);
  const dropped = empty > room * mostEmpty ? await filled([]) : undefined;
  const fuller =
    dropped !== undefined && (await leftBy(dropped.prompt)) < empty ? dropped : condensed;
  if (fuller !== undefined) yield fuller;

  const ahead = kept(last).filter((index) => index < last);
  const least = await shortened([...ahead, ...[...sizes.keys()].slice(last)], min);
  yield restored(last === start ? composition : shortest, least);
  if (composition === undefined) return;
  const bare = await omission(last, undefined);
  const saying = (content: SummaryContent): SummarisedPart => ({
    ...bare,
    record: { ...bare.record, minutes: undefined, ...contentOf(content, itemsOf(content)) },
  });
  const content = await fitContent(shortest.record, {
    maxTokens:
      (await leftBy(write(bare, least).prompt)) + (await recordTokens(bare)) - placementTokens,
    count: (some) => recordTokens(saying(some)),
  });
  const rest = await restored(content.summary === '' ? bare : saying(content), least);
  yield { ...rest, losesSummary: true };
}

/** The largest step by which more is given up, as a share of the whole prompt and of the room for the conversation. */
const stepShares = { prompt: 1 / 8, room: 1 / 4 };

/** The room itself moves in fractions of a step, so that a slightly different target changes nothing. */
const fractionsOfStep = 8;

/**
 * What is left empty so that calls in a row leave out the same: what the room for a conversation is more than a round
 * number, and its history less. Steps are powers of two: a target that drifts, as learned sizes do, seldom changes them.
 */
function spareOf(target: number, room: number, history: number): number {
  const largest = Math.min(target * stepShares.prompt, room * stepShares.room);
  const step = 2 ** Math.floor(Math.log2(Math.max(1, largest)));
  return (room % (step / fractionsOfStep)) + Math.ceil(history / step) * step - history;
}
