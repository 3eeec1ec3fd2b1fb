import type { Message } from '../prompt/prompt-types.ts';
import { sumsBefore } from '../util/numbers.ts';
import type { TokenPrices } from './trigger-options.ts';

/** What a summary would cost and save, in tokens at the price of uncached input of the model of the conversation. */
export interface SummaryCost {
  /** Whether it pays. */
  readonly pays: boolean;
  /** What it costs now: reading, writing, and sending what stays anew. */
  readonly cost: number;
  /** What it saves with each call to come. */
  readonly savingPerCall: number;
  /** Calls to come that are assumed: as many again as there were. */
  readonly callsAssumed: number;
  /** What the calls since the last summary have paid more than they would have with one. */
  readonly paidMore: number;
}

/** What came of the summary that stands in the prompt, in the unit of {@link SummaryCost}. */
export interface SummaryOutcome {
  /** Calls since it was made. */
  readonly calls: number;
  /** What it has cost and saved by now, by the prices and the sizes that its record holds. */
  readonly cost: number;
  readonly saved: number;
}

/** A message that no record stands for. */
export interface CountedMessage extends Pick<Message, 'role'> {
  readonly tokens: number;
  /** Tokens that go when its tool outputs give way to a line of facts each. */
  readonly freed: number;
}

/** The calls that a conversation is gone through for. */
export interface ReplayedCalls {
  readonly messages: readonly CountedMessage[];
  /** Index from which on assistant messages are answers to calls that came after it. */
  readonly firstCall: number;
  readonly preserveRecent: number;
  readonly preserveRecentTokenRatio: number;
  readonly prices: TokenPrices;
}

/** How it stands after them, in tokens. */
export interface Replay {
  /** Index up to which tool outputs are condensed, and whether that is so since the last call. */
  readonly condensedUpTo: number;
  readonly isNew: boolean;
  /** What stands in front of the recent messages, condensed, and these. */
  readonly stale: number;
  readonly recent: number;
}

/** Calls ahead that are looked at: so many steps of an agent are among the recent messages at the least. */
const callsAhead = 3;

/**
 * Goes through the calls of a conversation once more, each answer a call with all before it: what is decided at one
 * depends on nothing that came after, so that every process finds the same, and what was once condensed stays so.
 *
 * Tool outputs are condensed in one step, which sends anew what stands behind the first of them: where the calls to come
 * pay for that, and a few calls later would make a cycle no cheaper for each of its calls (E. A. Silver and H. C. Meal,
 * 1973). Of those is known what leaves the recent messages: a large output that is about to is waited for.
 */
// oxlint-disable-next-line max-lines-per-function -- one pass over the calls
export function replayCalls(given: ReplayedCalls): Replay {
  const { messages, firstCall, prices, preserveRecent } = given;
  const read = prices.cacheRead;
  const rewrite = prices.cacheWrite - read;
  const tokens = sumsBefore(messages.map((message) => message.tokens));
  const freed = sumsBefore(messages.map((message) => message.freed));
  let [condensedUpTo, isNew, first, byShare, recentStart] = [0, false, 0, 0, 0];
  let answers = messages.slice(0, firstCall).filter(isAnswer).length;
  let [calls, held] = [0, 0];
  for (let end = firstCall; end <= messages.length; end += 1) {
    const next = messages[end];
    if (next !== undefined && !isAnswer(next)) continue;
    calls += 1;
    answers += 1;
    const room = given.preserveRecentTokenRatio * between(tokens, 0, end);
    while (byShare < end && between(tokens, byShare, end) > room) byShare += 1;
    let start = Math.min(byShare, end - preserveRecent);
    while (start > recentStart && messages[start]?.role === 'tool') start -= 1;
    recentStart = Math.max(recentStart, start);
    const spare = between(freed, condensedUpTo, recentStart);
    held += spare;
    while (first < recentStart && messages[first]?.freed === 0) first += 1;
    const resent = between(tokens, first, end) - spare;
    const growth = between(tokens, 0, end) / answers;
    let isDue = spare > 0 && read * spare * answers >= rewrite * resent;
    let [left, heldThen] = [recentStart, held];
    for (let ahead = 1; isDue && ahead <= callsAhead; ahead += 1) {
      do left += 1;
      while (left < end && messages[left]?.role !== 'assistant');
      const leaving = between(freed, recentStart, Math.min(left, end));
      heldThen += spare + leaving;
      const later = rewrite * (resent - leaving + ahead * growth) + read * heldThen;
      isDue = later / (calls + ahead) >= (rewrite * resent + read * held) / calls;
    }
    if (!isDue) continue;
    [condensedUpTo, first, calls, held] = [recentStart, recentStart, 0, 0];
    isNew = end === messages.length;
  }
  return {
    condensedUpTo,
    isNew,
    stale: between(tokens, 0, recentStart) - between(freed, 0, recentStart),
    recent: between(tokens, recentStart, messages.length),
  };
}

function between(sums: Float64Array, start: number, end: number): number {
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}

/** Whether a message tells of a call: each answer was one. */
export function isAnswer({ role }: Pick<Message, 'role'>): boolean {
  return role === 'assistant';
}

/** What a summary rests on. Tokens; prices over that of uncached input of the model of the conversation. */
export interface SummaryFacts extends Pick<Replay, 'isNew' | 'stale' | 'recent'> {
  readonly prices: TokenPrices;
  /** Of the model that summarises; `undefined` where code does. */
  readonly summarizerPrices: TokenPrices | undefined;
  /** Calls up to the last summary, and since. */
  readonly callsBefore: number;
  readonly calls: number;
  /** Of the summary that stands in the prompt, and of the next one. */
  readonly standing: number;
  readonly summaryTokens: number;
  /** Of the prompt as it stands, and whether its model is asked in it, which is read from the cache. */
  readonly tokens: number;
  readonly isAskedThere: boolean;
  /** Share of the prompt that the cache has. */
  readonly cachedShare: number;
  /** Whether the cache has forgotten the prompt: then sending all anew costs more than sending what stays. */
  readonly isCold: boolean;
}

/** Tokens of the instructions and the schema that a summarising model reads. */
const instructionTokens = 2500;
/** Tokens a model is asked for at most, whatever the summary may take. */
const mostWritten = 2500;

/**
 * Weighs a summary now against going on without one.
 *
 * Between two summaries a prompt grows by g tokens a call, which are read again with each: after n calls that has cost
 * r·g·n²/2 at the price r of a cached token. A summary costs K. What a cycle costs a call, K/n + r·g·n/2, is least where
 * both halves are equal, n = √(2K/(r·g)): where what was paid has come to K (the economic order quantity, F. W. Harris,
 * 1913). Twice or half the true K costs 6 % more. And what is saved over the calls to come, of which as many are assumed
 * as there were (J. R. Gott, 1993), has to cover it, the reading of the messages included.
 */
export function weighSummary(facts: SummaryFacts): SummaryCost {
  const { summarizerPrices, standing, summaryTokens, cachedShare, stale, calls } = facts;
  const { cacheWrite, cacheRead } = facts.prices;
  const { input, output } = summarizerPrices ?? { input: 0, output: 0 };
  const read = cacheRead * cachedShare + cacheWrite * (1 - cachedShare);
  const freed = Math.max(0, standing + stale - summaryTokens);
  // Recent messages behind outputs that are condensed now are sent anew in any case.
  const resent = summaryTokens + (facts.isNew ? 0 : facts.recent);
  const sending = facts.isCold ? -cacheWrite * freed : (cacheWrite - read) * resent;
  const reading = facts.isAskedThere ? facts.tokens * cacheRead : standing;
  const writing = output * Math.min(mostWritten, summaryTokens);
  const again = input * (instructionTokens + reading) + writing + sending;
  const once = facts.isAskedThere ? 0 : input * stale;
  const savingPerCall = read * freed;
  const callsAssumed = facts.callsBefore + calls;
  // Of what has grown evenly from nothing, the part beyond what a summary takes.
  const paidMore = (((savingPerCall * calls) / 2) * freed) / Math.max(1, stale);
  const isCovered = savingPerCall * callsAssumed >= again + once;
  const cost = Math.max(0, again);
  const pays = freed > 0 && paidMore >= cost && isCovered;
  return { pays, cost: cost + once, savingPerCall, callsAssumed, paidMore };
}

/** Reckons what came of a summary since. */
export function outcomeOf(
  { prices, summarizerPrices }: Pick<SummaryFacts, 'prices' | 'summarizerPrices'>,
  sizes: { readonly inputTokens: number; readonly outputTokens: number },
  calls: number,
): SummaryOutcome {
  const { inputTokens, outputTokens } = sizes;
  const { input, output } = summarizerPrices ?? { input: 0, output: 0 };
  const writing = input * inputTokens + output * Math.min(mostWritten, outputTokens);
  return {
    calls,
    cost: writing + (prices.cacheWrite - prices.cacheRead) * outputTokens,
    saved: prices.cacheRead * Math.max(0, inputTokens - outputTokens) * calls,
  };
}
