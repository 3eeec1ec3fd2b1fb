import type { Message } from '../../prompt/messages/prompt-types.ts';
import { sumsBefore } from '../../foundations/util/numbers.ts';
import type { Policy } from './plan.ts';

/** Tool outputs of a conversation that are condensed, and the messages around them. */
interface ReplayedCalls {
  /** The end of the condensed part. */
  readonly condensedUpTo: number;
  /** Whether the last call moved it. */
  readonly isNew: boolean;
  /** Tokens before the recent messages, condensed. */
  readonly stale: number;
  /** Tokens of the recent messages. */
  readonly recent: number;
}

/**
 * Goes through the calls of a conversation once more, each answer a call with all before it: a decision depends on
 * nothing after its call, so that every process finds the same, and condensed outputs stay condensed.
 *
 * Tool outputs are condensed in one step, which sends anew everything after the first of them. The rule is that of
 * a summary: the step is due when the outputs have cost as much, since as many calls again will pay for it.
 *
 * @param messages - Messages without a record, with the tokens that are saved when a line of facts takes the place of
 *   each tool output.
 * @param firstCall - Index from which on assistant messages are answers to calls that came after it.
 */
export function replayCalls(
  messages: readonly (Pick<Message, 'role'> & { tokens: number; freed: number })[],
  firstCall: number,
  { cacheRead, cacheWrite }: { readonly cacheRead: number; readonly cacheWrite: number },
  { preserveRecent, preserveRecentTokenRatio }: Policy,
): ReplayedCalls {
  const tokens = sumsBefore(messages.map((message) => message.tokens));
  const freed = sumsBefore(messages.map((message) => message.freed));
  let [condensedUpTo, isNew, first, byShare, recentStart, paid] = [0, false, 0, 0, 0, 0];
  for (let end = firstCall; end <= messages.length; end += 1) {
    const next = messages[end];
    if (next !== undefined && !isAnswer(next)) continue;
    const room = preserveRecentTokenRatio * between(tokens, 0, end);
    while (byShare < end && between(tokens, byShare, end) > room) byShare += 1;
    let start = Math.min(byShare, end - preserveRecent);
    while (start > recentStart && messages[start]?.role === 'tool') start -= 1;
    recentStart = Math.max(recentStart, start);
    const spare = between(freed, condensedUpTo, recentStart);
    paid += cacheRead * spare;
    while (first < recentStart && messages[first]?.freed === 0) first += 1;
    const resent = between(tokens, first, end) - spare;
    const cost = (cacheWrite - cacheRead) * resent;
    if (spare === 0 || paid < cost) continue;
    [condensedUpTo, first, paid] = [recentStart, recentStart, 0];
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
function isAnswer({ role }: Pick<Message, 'role'>): boolean {
  return role === 'assistant';
}
