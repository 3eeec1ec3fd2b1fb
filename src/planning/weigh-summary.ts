import type { TokenPrices } from './cost-options.ts';

/** What the cost of a summary rests on. Tokens are estimates, the same in every process that sees the conversation. */
export interface CostFacts {
  readonly prices: TokenPrices;
  /** Of the model that summarises, in the same unit; `undefined` where code does. */
  readonly summarizerPrices: TokenPrices | undefined;
  /** Tokens of the prompt as it stands, old tool outputs condensed. */
  readonly tokens: number;
  /** Tokens of the prompt with the summary in it. */
  readonly tokensAfter: number;
  /** Tokens of these that stand in front of the summary, and stay in the cache. */
  readonly fixedTokens: number;
  /** Tokens behind the summary that are sent anew with this call in any case: old tool outputs in front of them go. */
  readonly resentTokens: number;
  /** Tokens the summariser reads: its instructions, the record before, the messages. */
  readonly reading: { readonly again: number; readonly messages: number };
  /** Tokens the summariser writes. */
  readonly written: number;
  /**
   * Tokens that the calls since the last summary read beyond what a summary would have left, added up over the calls.
   */
  readonly excess: number;
  /** Calls of the conversation so far. */
  readonly calls: number;
  /** Share of the prompt that the cache has, where the provider has just said so. */
  readonly cachedShare?: number | undefined;
  /** Whether the last call is so long ago that the cache has forgotten the prompt. */
  readonly isCold?: boolean | undefined;
}

/** What came of the summary that stands in the prompt, in the unit of {@link SummaryCost}. */
export interface SummaryOutcome {
  /** Calls since it was made. */
  readonly calls: number;
  /** What it has cost and saved by now, by the prices and the sizes that its record holds. */
  readonly cost: number;
  readonly saved: number;
}

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

/**
 * Weighs a summary now against going on without one.
 *
 * Between two summaries a prompt grows by g tokens a call, and all of them are read again with each: after n calls the
 * excess has cost r·g·n²/2 at the price r of a cached token. A summary costs K whenever it is made. The cost of a cycle
 * over its calls, K/n + r·g·n/2, is least where both halves are equal, n = √(2K/(r·g)): where the excess that was paid
 * for has come to K. This is the economic order quantity (F. W. Harris, "How many parts to make at once", 1913) in the
 * form that needs no forecast of the growth, part-period balancing (J. J. DeMatteis, IBM Systems Journal 7, 1968),
 * which is also the rule of the ski rental problem (A. R. Karlin et al., Algorithmica 3, 1988): who buys when the rent
 * has come to the price never pays more than twice what the best does who knows the future. Around the best length the
 * cost is flat: twice or half the true K costs 6 % more.
 *
 * What the summariser reads of the messages is paid once for each token whenever it is done, and does not move the best
 * length; it counts for the conversation that is about to end. Hence the second condition: what is saved over the calls
 * to come, of which as many are assumed as there were (J. R. Gott, Nature 363, 1993), covers all of it.
 *
 * A cold cache makes sending what stays no dearer than sending it all, and what goes is saved at once at full price.
 */
export function weighSummary(facts: CostFacts): SummaryCost {
  const { tokens, tokensAfter, fixedTokens, resentTokens, reading, written, excess, calls } = facts;
  const { cacheWrite, cacheRead } = relativeTo(facts.prices, facts.prices.input);
  const summarizer =
    facts.summarizerPrices && relativeTo(facts.summarizerPrices, facts.prices.input);
  const cachedShare = facts.cachedShare ?? 1;
  const readPrice = cacheRead * cachedShare + cacheWrite * (1 - cachedShare);
  const freed = Math.max(0, tokens - tokensAfter);
  const rewriting =
    facts.isCold === true
      ? -cacheWrite * freed
      : (cacheWrite - readPrice) * Math.max(0, tokensAfter - fixedTokens - resentTokens);
  const writing =
    summarizer === undefined ? 0 : summarizer.input * reading.again + summarizer.output * written;
  const messages = (summarizer?.input ?? 0) * reading.messages;
  const cost = Math.max(0, writing + rewriting);
  const savingPerCall = readPrice * freed;
  const paidMore = readPrice * excess;
  const pays =
    freed > 0 && paidMore >= cost && savingPerCall * calls >= writing + rewriting + messages;
  return { pays, cost: cost + messages, savingPerCall, callsAssumed: calls, paidMore };
}

/** Reckons what came of a summary. */
export function outcomeOf(
  { prices, summarizerPrices }: Pick<CostFacts, 'prices' | 'summarizerPrices'>,
  {
    inputTokens,
    outputTokens,
    written,
  }: { readonly inputTokens: number; readonly outputTokens: number; readonly written: number },
  calls: number,
): SummaryOutcome {
  const { cacheWrite, cacheRead } = relativeTo(prices, prices.input);
  const summarizer = summarizerPrices && relativeTo(summarizerPrices, prices.input);
  const writing =
    summarizer === undefined ? 0 : summarizer.input * inputTokens + summarizer.output * written;
  return {
    calls,
    cost: writing + (cacheWrite - cacheRead) * outputTokens,
    saved: cacheRead * Math.max(0, inputTokens - outputTokens) * calls,
  };
}

/** Prices over another one. */
export function relativeTo(prices: TokenPrices, price: number): TokenPrices {
  const { input, cacheRead, cacheWrite, output } = prices;
  return {
    ...prices,
    input: input / price,
    cacheRead: cacheRead / price,
    cacheWrite: cacheWrite / price,
    output: output / price,
  };
}
