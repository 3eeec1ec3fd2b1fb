import { condenseToolResults } from '../../src/fitting/shorter-messages.ts';
import { messageTokens, promptTokens } from './encode-prompt.ts';
import type { PriceTable } from './prices.ts';
import type { Scenario } from './scenario.ts';

/** What a summary costs and takes, as it was measured. */
export interface SummaryFigures {
  /** Tokens of it in the prompt. */
  readonly tokens: number;
  /** What the summariser costs beside the messages it reads, in tokens at the price of uncached input. */
  readonly fixedCost: number;
}

/** Messages that stay at the end, as the middleware keeps them. */
const recentMessages = 6;

/**
 * The least that a conversation can cost a method that summarises, and takes old tool outputs out, at the best moments:
 * dynamic programming over the calls, which knows the future. Its summaries and recent messages are as large as those
 * of the middleware, so that it remembers as much; no prompt is above 80 % of the window.
 *
 * @returns tokens at the price of uncached input, all calls together.
 */
export async function bestPossible(
  scenario: Scenario,
  prices: PriceTable,
  contextLength: number,
  summary: SummaryFigures,
): Promise<number> {
  const sizes = await measured(scenario);
  const { calls, at } = scenario;
  const last = calls.length;
  const isCold = at.map(
    (now, call) => call === 0 || now - (at[call - 1] ?? now) > prices.cacheMinutes * 60_000,
  );
  const best = new Float64Array(last + 1).fill(Infinity);
  best[0] = 0;
  for (let start = 0; start < last; start += 1) {
    if (best[start] === Infinity) continue;
    const inPlace = start === 0 ? 0 : summary.tokens + sizes.anchor;
    const head = sizes.fixed + inPlace;
    const cut = start === 0 ? 0 : sizes.recentFrom(start);
    // What was paid up to each call at which old outputs are taken out, and up to where they were before.
    const upTo = new Float64Array(last + 1).fill(Infinity);
    for (let change = start; change < last; change += 1) {
      let paid = (best[start] ?? 0) + (upTo[change] ?? 0);
      if (change === start) paid = best[start] ?? 0;
      if (paid === Infinity) continue;
      const condensedTo = change === start ? cut : sizes.recentFrom(change);
      const freed = sizes.freed(cut, condensedTo);
      const nextFreed = sizes.nextFreed(condensedTo);
      const kept = head + sizes.tokens(cut, nextFreed) - freed;
      for (let call = change; call < last; call += 1) {
        const end = calls[call] ?? 0;
        const tokens = head + sizes.tokens(cut, end) - freed;
        if (tokens > 0.8 * contextLength) break;
        if (call > change || change === start) {
          const known =
            call === change ? sizes.fixed : tokens - sizes.tokens(calls[call - 1] ?? 0, end);
          paid += priced(tokens, isCold[call] === true ? 0 : known, prices);
        }
        const next = call + 1;
        if (next === last) {
          best[last] = Math.min(best[last] ?? Infinity, paid);
          continue;
        }
        const read = sizes.condensed(cut, sizes.recentFrom(next)) * prices.cacheWrite;
        const summarised = paid + summary.fixedCost + read;
        if (sizes.recentFrom(next) > cut) best[next] = Math.min(best[next] ?? Infinity, summarised);
        if (!sizes.hasTools || nextFreed >= sizes.recentFrom(next)) continue;
        const after =
          head + sizes.tokens(cut, calls[next] ?? 0) - sizes.freed(cut, sizes.recentFrom(next));
        const change2 = priced(after, isCold[next] === true ? 0 : Math.min(kept, after), prices);
        upTo[next] = Math.min(upTo[next] ?? Infinity, paid - (best[start] ?? 0) + change2);
      }
    }
  }
  return best[last] ?? Infinity;
}

function priced(tokens: number, known: number, { cacheRead, cacheWrite }: PriceTable): number {
  return known * cacheRead + (tokens - known) * cacheWrite;
}

interface Sizes {
  readonly fixed: number;
  /** Tokens of the user message that stays in front of the recent ones. */
  readonly anchor: number;
  readonly hasTools: boolean;
  /** Tokens of the messages from one index up to another one: whole, what condensing takes out of them, the rest. */
  readonly tokens: (start: number, end: number) => number;
  readonly freed: (start: number, end: number) => number;
  readonly condensed: (start: number, end: number) => number;
  /** Where the recent messages of a call begin. */
  readonly recentFrom: (call: number) => number;
  /** Index of the first message from there on that could be condensed. */
  readonly nextFreed: (start: number) => number;
}

async function measured({ messages, tools, calls }: Scenario): Promise<Sizes> {
  const systems = messages.filter(({ role }) => role === 'system');
  const fixed = promptTokens({ prompt: systems, ...(tools.length > 0 && { tools: [...tools] }) });
  const tokens = messages.map((message) =>
    message.role === 'system' ? 0 : messageTokens(message),
  );
  const condensed = condensedMessages(messages);
  const freed = condensed.map((message, index) =>
    message.role === 'tool' ? (tokens[index] ?? 0) - messageTokens(message) : 0,
  );
  const tokenSums = summed(tokens);
  const freedSums = summed(freed);
  const nexts: number[] = [];
  let next = messages.length;
  for (let index = messages.length; index >= 0; index -= 1) {
    if ((freed[index] ?? 0) > 0) next = index;
    nexts[index] = next;
  }
  const recents = calls.map((end) => {
    let start = Math.max(0, end - recentMessages);
    while (start > 0 && messages[start]?.role === 'tool') start -= 1;
    return start;
  });
  const hasTools = tools.length > 0;
  return {
    fixed,
    anchor: hasTools ? (tokens[systems.length] ?? 0) : 0,
    hasTools,
    tokens: (start, end) => between(tokenSums, start, end),
    freed: (start, end) => between(freedSums, start, end),
    condensed: (start, end) => between(tokenSums, start, end) - between(freedSums, start, end),
    recentFrom: (call) => recents[call] ?? messages.length,
    nextFreed: (start) => nexts[start] ?? messages.length,
  };
}

/** Messages with their tool outputs as a line of facts each. */
export function condensedMessages(messages: Scenario['messages']): Scenario['messages'] {
  return condenseToolResults(messages, new Set(messages), {});
}

function summed(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return sums;
}

function between(sums: Float64Array, start: number, end: number): number {
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}
