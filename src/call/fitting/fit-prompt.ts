import {
  composePrompt,
  userText,
  type Composition,
  type CompositionStyle,
  type SummarizedPart,
} from '../../planning/composing/compose-prompt.ts';
import {
  costliestId,
  omittedSummary,
  renderSummary,
} from '../../planning/composing/render-summary.ts';
import { ContextOverflowError } from '../../foundations/errors/context-overflow-error.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import type { Message, Prompt } from '../../prompt/messages/prompt-types.ts';
import { buildRecord } from '../../foundations/record/build-record.ts';
import {
  contentOf,
  itemsOf,
  withItems,
  emptyContent,
} from '../../foundations/record/content-items.ts';
import { type SummaryContent, modelOrigin } from '../../foundations/record/summary-record.ts';
import {
  priorityOf,
  type ConversationView,
  type Priority,
} from '../../planning/selection/conversation-view.ts';
import { legalCuts } from '../../planning/selection/cuts.ts';
import { keptMessages } from '../../planning/selection/kept-messages.ts';
import { plainRates } from '../../planning/sizing/calibration.ts';
import { measureWith, type TokenMeasure } from '../../planning/sizing/token-measure.ts';
import type { ToolResultOptions } from '../../summaries/strategies/summary-strategy.ts';
import { bisectFirst, sumOf, sumsBefore } from '../../foundations/util/numbers.ts';
import { condenserOf } from './condensed-messages.ts';
import { fitContent } from './fit-content.ts';
import { cutTexts, restoreMessages, type ShortenedMessage } from './shorter-messages.ts';

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
  readonly policy: Pick<
    Policy,
    'limit' | 'refusedAbove' | 'contextLength' | 'tokenMultiplierGiven'
  > & { readonly keptTo?: number | undefined };
  /** Gives the key of a record of so many messages that identify the conversation. */
  readonly state: { readonly keyOf: (count: number) => Promise<string> };
  /** How tool results are condensed. */
  readonly toolResults: ToolResultOptions;
  readonly options: { readonly priority?: Priority | undefined };
  readonly params: { readonly abortSignal?: AbortSignal | undefined };
}

/** A prompt that fits the model. */
export interface FittedCall extends Draft {
  readonly tokens: number;
  /** Tokens under o200k, if it was counted. */
  readonly o200kTokens: number | undefined;
  /** Indexes in the prompt of the messages that were shortened; `undefined` when it fitted as it was. */
  readonly shortenedMessages?: readonly number[] | undefined;
}

/** Share of the limit that a shortened prompt leaves free where the model's tokenizer is not ours. */
const estimateMargin = 0.05;

/**
 * Makes a prompt fit without a model, with the least that helps: see {@link shorterPrompts}. Nothing of this is stored:
 * the next call may find a better way.
 *
 * @throws {ContextOverflowError} when even the smallest legal prompt certainly does not fit. A prompt that may fit,
 *   because the model's tokenizer is only guessed at, is sent: the provider knows.
 */
export async function fitPrompt(call: CallToFit): Promise<FittedCall> {
  const { policy, measure, params } = call;
  const { limit, keptTo = limit, tokenMultiplierGiven } = policy;
  await measure.count(call.prompt, params.abortSignal);
  const figuresOf = ({ prompt, composition }: Draft): FittedCall => ({
    prompt,
    composition,
    tokens: measure.prompt(prompt),
    o200kTokens: measure.o200kTokens(prompt),
  });
  const whole = figuresOf(call);
  let smallest = whole;
  // A prompt that fits by the figures of the decision is not touched: the next call would send it whole.
  if (smallest.tokens <= keptTo) return smallest;

  const most = Math.min(keptTo, limit);
  const target = Math.min(most, tokenMultiplierGiven ? limit : limit * (1 - estimateMargin));
  for await (const shorter of shorterPrompts(call, target, most)) {
    // For what is left free because sizes are estimates, nothing of a summary is given up.
    if (shorter.losesSummary === true && smallest.tokens <= limit) break;
    const fitted = figuresOf(shorter);
    if (fitted.tokens >= smallest.tokens) continue;
    smallest = { ...fitted, shortenedMessages: shorter.shortenedMessages };
    if (fitted.tokens <= target) return smallest;
  }
  // Where there is no room for an answer whatever goes, nothing goes for it.
  if (smallest.tokens > keptTo && whole.tokens <= limit) return whole;
  if (measure.leastPrompt(smallest.prompt) <= (policy.refusedAbove ?? limit)) return smallest;
  throw overflowOf(call, smallest.prompt);
}

function overflowOf(
  { measure, view, policy: { limit, contextLength } }: CallToFit,
  smallest: readonly Message[],
): ContextOverflowError {
  const tokens = measure.prompt(smallest);
  const fixed = measure.prompt(view.systems);
  const latest = view.conversation.findLast(({ role }) => role === 'user');
  const latestTokens = latest === undefined ? 0 : measure.messages([latest]);
  // Without it, all that has to be sent would fit.
  const isTooLong = tokens - latestTokens <= limit && latestTokens > limit / 2;
  return new ContextOverflowError({
    tokens,
    limit,
    message:
      `The smallest prompt that can be sent takes ${tokens} tokens, the model accepts ${limit} ` +
      `(context length ${contextLength}, less the room for the answer). ` +
      `System messages, tools and response schema take ${fixed}.` +
      (isTooLong
        ? ` The latest message of the user takes ${latestTokens}: it is too long for the model. Show the user an error text with onError of the response.`
        : ''),
  });
}

/** A prompt whose older messages were shortened or left out. */
interface ShorterPrompt extends Draft {
  /** Indexes in the prompt of the messages that were shortened. */
  readonly shortenedMessages: readonly number[];
  /** Whether it says less than the summary that applied. */
  readonly losesSummary?: boolean | undefined;
}

/** Characters that a shortened text keeps: two for each token of a step, within these bounds. */
const leastCharacters = 200;
const mostCharacters = 2000;

/** Tokens that a record may take more than counted: it may stand in a message with other texts. */
const placementTokens = 16;

/**
 * Writes shorter prompts, the gentlest first:
 *
 * 1. Ahead of the newest messages, tool outputs give way to their facts and long texts of the user to head and tail.
 * If that is not enough, the oldest groups are left out too, with a record that repeats the user's texts in them.
 * 2. All that may be is left out, and the rest is as short as it can be.
 * 3. The text of the summary is dropped too, as much of it as necessary.
 *
 * Shortened texts get the remaining room back.
 *
 * @param most - Tokens up to which a prompt is longer than the target, if nothing of the summary would be left.
 */
async function* shorterPrompts(
  given: CallToFit,
  target: number,
  most: number,
): AsyncGenerator<ShorterPrompt> {
  const call = await sizedCall(given, target);
  const { composition, start, cuts, tokens, before, room, step } = call;
  const characters = Math.min(mostCharacters, Math.max(leastCharacters, 2 * step));
  const indexes = [...tokens.keys()];
  const older = await shortForms(call, indexes.slice(start, newestFrom(call)), characters, room);
  const behind = (cut: number): readonly ShortenedMessage[] =>
    older.filter(({ index }) => index >= cut);
  const standingFor = async (cut: number): Promise<SummarizedPart | undefined> =>
    cut === start
      ? composition
      : { ...(await omission(call, cut)), userTexts: await userTexts(call, cut, characters) };
  const largest = room + sumOf(older, ({ saved }) => saved);
  const cut = await bisectFirst(
    [start, ...cuts].filter((each) => (before.at(-1) ?? 0) - (before[each] ?? 0) <= largest),
    async (each) => (await leftBy(call, await standingFor(each), behind(each))) >= 0,
  );
  if (cut !== undefined) yield restored(call, await standingFor(cut), behind(cut));

  const last = cuts.at(-1) ?? start;
  const sent = [...keptAt(call, last).filter((index) => index < last), ...indexes.slice(last)];
  const least = await shortForms(call, sent, leastCharacters);
  const shortest = await omission(call, last);
  yield restored(call, last === start ? composition : shortest, least);
  if (composition === undefined) return;

  const bare = await omission(call, last, emptyContent(omittedSummary));
  const saying = (content: SummaryContent): SummarizedPart => ({
    ...bare,
    record: { ...bare.record, activity: undefined, ...contentOf(content, itemsOf(content)) },
  });
  const recordTokens = ({ record }: SummarizedPart): Promise<number> =>
    call.count({ role: 'system', content: renderSummary({ ...record, id: costliestId }) });
  // A summary keeps no reserve for the calls to come.
  const free = (await leftBy(call, bare, least)) + call.reserve;
  const withinRoom = async (budget: number): Promise<SummaryContent> =>
    fitContent(shortest.record, {
      maxTokens: budget + (await recordTokens(bare)) - placementTokens,
      count: (some) => recordTokens(saying(some)),
    });
  let content = await withinRoom(free);
  if (content.summary === '')
    content = await withinRoom(free + call.measure.room(most) - call.measure.room(target));
  const lesser = content.summary === '' ? bare : saying(content);
  yield { ...(await restored(call, lesser, least)), losesSummary: true };
}

type SizedCall = Awaited<ReturnType<typeof sizedCall>>;

/** A call measured in tokens of o200k, so that what is learned of a model changes nothing from call to call. */
async function sizedCall(call: CallToFit, limit: number) {
  const { view, measure, params } = call;
  const { abortSignal } = params;
  const { conversation, systems } = view;
  const plain = measureWith(measure.counter, plainRates(1));
  const count = async (prompt: readonly Message[]): Promise<number> => {
    await measure.count(prompt, abortSignal);
    return plain.prompt(prompt);
  };
  // Left-out messages of a refused attempt are chosen again, so that the user's texts in them are kept.
  const { instead } = call.composition ?? {};
  const composition = instead === undefined ? call.composition : instead.of;
  const start = composition?.cut ?? 0;
  const target = Math.floor(measure.room(limit));
  await measure.count(conversation, abortSignal);
  const tokens = conversation.map((message) => plain.message(message));
  const kept = keptMessages({ ...view, cut: start }).indexes.map((index) => tokens[index] ?? 0);
  const over = (await count(composition?.prompt ?? [...systems, ...conversation])) - target;
  // For the messages that no record stands for, and what is kept of the others.
  const room = Math.max(8, sumOf([...kept, ...tokens.slice(start)], Number) - over);
  // A power of two, so that a room that drifts, as learned sizes do, seldom changes it: an eighth of it at the most.
  const step = 2 ** Math.floor(Math.log2(room / 8));
  // Stays empty, so that what is given up is a whole number of steps: calls in a row, while they grow by less than a
  // step, give up the same and send the same bytes.
  const reserve = Math.ceil(over / step) * step - over;
  return {
    ...call,
    composition,
    /** Index of the first message without a record, and the index up to which messages may be left out. */
    start,
    cuts: legalCuts(view, start),
    /** Tokens of each message of the conversation, and of all before an index. */
    tokens,
    before: sumsBefore(tokens),
    room,
    step,
    reserve,
    count: async (message: Message): Promise<number> => {
      await measure.count([message], abortSignal);
      return plain.message(message);
    },
    /** Tokens that a prompt leaves free beyond the reserve. */
    leftBy: async (prompt: Prompt): Promise<number> => target - reserve - (await count(prompt)),
  };
}

/** Share of the room for the newest messages, which are not shortened before others are. */
const newestShare = 3 / 4;

/** Index of the first of the newest messages. */
function newestFrom(call: SizedCall): number {
  const { tokens, before, room, reserve } = call;
  // Anchor and pins are kept wherever the cut is.
  const kept = sumOf(keptAt(call, tokens.length), (index) => tokens[index] ?? 0);
  const older = (before.at(-1) ?? 0) + reserve - Math.max(reserve, newestShare * (room - kept));
  return before.findIndex((each) => each >= older);
}

/** Messages that are sent although they stand before a cut. */
function keptAt({ view }: SizedCall, cut: number): readonly number[] {
  return keptMessages({ ...view, cut }).indexes;
}

/**
 * Short forms of messages that have one, from the newest back until even these fill so many tokens: what is older is
 * never looked at, however long the history. Pinned messages, the model's and the user's latest have none.
 */
async function shortForms(
  { view, tokens, toolResults, count }: SizedCall,
  indexes: readonly number[],
  characters: number,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly ShortenedMessage[]> {
  const { conversation, pinned } = view;
  const latestUser = conversation.findLastIndex(({ role }) => role === 'user');
  const condense = condenserOf(conversation, toolResults);
  const forms: ShortenedMessage[] = [];
  let left = most;
  for (const index of indexes.toReversed()) {
    const full = conversation[index];
    if (left < 0 || full === undefined) break;
    const whole = tokens[index] ?? 0;
    left -= whole;
    if (pinned.has(index) || index === latestUser) continue;
    const least = cutTexts(condense(full), characters);
    const saved = least === full ? 0 : whole - (await count(least));
    if (saved <= 0) continue;
    forms.push({ index, full, least, tokens: whole, saved });
    left += saved;
  }
  return forms;
}

/**
 * Texts of the user in the messages before a cut, oldest first, at most a step of it: the first text, which mostly
 * states the topic, and of the others those that matter most, the newest first.
 */
async function userTexts(
  call: SizedCall,
  cut: number,
  characters: number,
): Promise<readonly string[]> {
  const { view, options, start, step, count } = call;
  const sent = new Set(keptAt(call, cut));
  const priority = priorityOf(options.priority);
  const [first, ...others] = [...view.conversation.keys()].slice(start, cut).flatMap((index) => {
    const message = view.conversation[index];
    if (message?.role !== 'user' || sent.has(index)) return [];
    return [{ index, rank: priority(message), message: cutTexts(message, characters) }];
  });
  if (first === undefined) return [];
  const ranked = others.toSorted((a, b) => b.rank - a.rank || b.index - a.index);
  const chosen: (typeof first)[] = [];
  let left = step;
  for (const each of [first, ...ranked]) {
    left -= await count(each.message);
    if (left < 0) break;
    chosen.push(each);
  }
  return chosen
    .toSorted((a, b) => a.index - b.index)
    .map(({ message }) => userText(message))
    .filter((text) => text.trim() !== '');
}

/**
 * A record, made without a model and never stored, that names the messages up to a cut and says that they were left out,
 * beside what is said already.
 */
async function omission(
  { view: { identity }, state, start, composition }: SizedCall,
  cut: number,
  says?: SummaryContent,
): Promise<SummarizedPart> {
  const said = composition?.record;
  const covered = identity.significantBefore(cut);
  const frame = {
    key: await state.keyOf(covered),
    depth: said?.depth ?? 0,
    // In its own place it is not its own parent.
    parent: said?.coveredMessages === covered ? undefined : said,
    coveredMessages: covered,
    prefixDigest: await identity.prefixDigest(covered),
    strategy: 'trim',
    degraded: true,
    inputTokens: 0,
  };
  const item = `${cut - start} messages after the ones summarized here were left out because they did not fit.`;
  const content =
    says ??
    (said === undefined
      ? emptyContent(omittedSummary)
      : withItems(said, ({ keyPoints }) => ({
          keyPoints: cut > start ? [{ item, origin: modelOrigin }, ...keyPoints] : keyPoints,
        })));
  return { record: buildRecord(frame, content, 0), cut, instead: { of: composition } };
}

function write(
  { view, style }: SizedCall,
  part: SummarizedPart | undefined,
  forms: readonly ShortenedMessage[],
): Draft {
  const conversation = [...view.conversation];
  for (const { index, least } of forms) conversation[index] = least;
  const composed = part && composePrompt({ ...view, conversation }, style, part);
  return { composition: composed, prompt: composed?.prompt ?? [...view.systems, ...conversation] };
}

/** Tokens that a prompt with messages in their least forms leaves free, whatever the id of its record takes. */
function leftBy(
  call: SizedCall,
  part: SummarizedPart | undefined,
  forms: readonly ShortenedMessage[],
): Promise<number> {
  const dearest = part && { ...part, record: { ...part.record, id: costliestId } };
  return call.leftBy(write(call, dearest, forms).prompt);
}

/** Writes a prompt in which shortened messages save no more than they have to. */
async function restored(
  call: SizedCall,
  part: SummarizedPart | undefined,
  forms: readonly ShortenedMessage[],
): Promise<ShorterPrompt> {
  const left = await leftBy(call, part, forms);
  const shown = await restoreMessages(forms, left, call.count, priorityOf(call.options.priority));
  const draft = write(call, part, shown);
  // A message may hold the summary too, in front of its own parts.
  const lastParts = new Set<unknown>(
    shown.filter(({ full, least }) => least !== full).map(({ least }) => least.content.at(-1)),
  );
  const shortenedMessages = [...draft.prompt.keys()].filter((index) =>
    lastParts.has(draft.prompt[index]?.content.at(-1)),
  );
  return { ...draft, shortenedMessages };
}
