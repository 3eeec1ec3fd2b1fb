import { sumsFrom } from '../util/running-sums.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { TokenPrices } from './cost-options.ts';
import { isCheaperLater } from './is-cheaper-later.ts';

/** A message that no record stands for, by what a decision needs of it. */
export interface ReplayedMessage {
  readonly role: Message['role'];
  readonly tokens: number;
  /** Tokens that go when its tool outputs give way to a line of facts each. */
  readonly freed: number;
}

/** The part of a conversation that no record stands for, and what is done with it. */
export interface ReplayInput {
  readonly messages: readonly ReplayedMessage[];
  /** Index from which on assistant messages are answers to calls that came after the last summary. */
  readonly firstCall: number;
  /** Tokens by which the next summary is expected to be larger than the one that stands in the prompt. */
  readonly summaryGrowth: number;
  /** Messages, and share of these messages, that stay at the end. */
  readonly preserveRecent: number;
  readonly preserveRecentTokenRatio: number;
  /** Prices in the unit of `input`. */
  readonly prices: TokenPrices;
}

/** How a conversation stands after its calls. Tokens are of messages with their old tool outputs condensed. */
export interface ReplayedCalls {
  /** Index up to which tool outputs are condensed. */
  readonly condensedUpTo: number;
  /** Whether that is so since the last of the calls. */
  readonly isNew: boolean;
  /** Tokens in front of the recent messages, and of these. */
  readonly stale: number;
  readonly recent: number;
  /** Tokens in front of the recent messages that were too many, added up over the calls. */
  readonly excess: number;
}

/**
 * Goes through the calls of a conversation once more, as its messages tell of them: each answer was a call with all that
 * stands before it. What is decided at a call depends on nothing that came after it, so that every process finds the
 * same, and what was once condensed stays so, byte for byte.
 *
 * Tool outputs are condensed in one step, where that saves more over the calls to come than the sending anew of what
 * stands behind the first of them costs, and {@link isCheaperLater} says that no better moment is near.
 */
// oxlint-disable-next-line max-lines-per-function -- one pass over the calls
export function replayCalls(input: ReplayInput): ReplayedCalls {
  const { messages, firstCall, summaryGrowth, prices } = input;
  const read = prices.cacheRead / prices.input;
  const rewrite = (prices.cacheWrite - prices.cacheRead) / prices.input;
  const tokens = sumsFrom(messages.map((message) => message.tokens));
  const freed = sumsFrom(messages.map((message) => message.freed));
  const freedBetween = (start: number, end: number): number => between(freed, start, end);
  const recentFrom = recentStarts(input, tokens);
  let answers = messages.slice(0, firstCall).filter(isAnswer).length;
  let calls = 0;
  let condensedUpTo = 0;
  let first = 0;
  let isNew = false;
  let held = 0;
  let excess = 0;
  let recentStart = 0;
  for (let end = firstCall; end <= messages.length; end += 1) {
    const next = messages[end];
    if (next !== undefined && !isAnswer(next)) continue;
    calls += 1;
    answers += 1;
    recentStart = Math.max(recentStart, recentFrom(end));
    const stale = between(tokens, 0, recentStart) - between(freed, 0, recentStart);
    excess += Math.max(0, stale - summaryGrowth);
    const spare = between(freed, condensedUpTo, recentStart);
    if (spare <= 0) continue;
    held += spare;
    // From where it was, or all calls together would look at all messages.
    first = firstToCondense(messages, Math.max(first, condensedUpTo));
    const growth = between(tokens, 0, end) / answers;
    const resent = between(tokens, first, end) - spare;
    // As many calls are assumed to come as there were.
    if (read * spare * answers < rewrite * resent) continue;
    const choice = { messages, recentStart, end, spare, held, resent, calls, growth };
    if (isCheaperLater({ ...choice, freed: freedBetween, read, rewrite })) continue;
    condensedUpTo = recentStart;
    isNew = end === messages.length;
    held = 0;
    calls = 0;
  }
  const stale = between(tokens, 0, recentStart) - between(freed, 0, recentStart);
  const recent = between(tokens, recentStart, messages.length);
  return { condensedUpTo, isNew, stale, recent, excess };
}

/** Whether a message tells of a call: each answer was one. */
export function isAnswer({ role }: Pick<Message, 'role'>): boolean {
  return role === 'assistant';
}

function between(sums: Float64Array, start: number, end: number): number {
  return (sums[start] ?? 0) - (sums[end] ?? 0);
}

function firstToCondense(messages: readonly ReplayedMessage[], from: number): number {
  let first = from;
  while ((messages[first]?.freed ?? 1) === 0) first += 1;
  return first;
}

/** Where the recent messages of a call begin, in front of a whole group: as a summary would leave them. */
function recentStarts(
  { messages, preserveRecent, preserveRecentTokenRatio }: ReplayInput,
  tokens: Float64Array,
): (end: number) => number {
  let byShare = 0;
  return (end) => {
    const room = preserveRecentTokenRatio * ((tokens[0] ?? 0) - (tokens[end] ?? 0));
    while (byShare < end && (tokens[byShare] ?? 0) - (tokens[end] ?? 0) > room) byShare += 1;
    let start = Math.max(0, Math.min(byShare, end - preserveRecent));
    while (start > 0 && messages[start]?.role === 'tool') start -= 1;
    return start;
  };
}
