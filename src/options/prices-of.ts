import type { ModelIdentity } from '../prompt/prompt-types.ts';
import type { TokenPrices } from '../planning/cost-options.ts';
import { priceRatios } from '../planning/price-ratios.ts';
import { keysOf } from './provider-keys.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/** Prices of a model and of the one that summarises for it, in one unit. */
export interface CallPrices {
  readonly prices: TokenPrices;
  /** `undefined` where code summarises. */
  readonly summarizerPrices: TokenPrices | undefined;
}

/** Finds what a call costs: prices that were given, else ratios of the table. */
export function pricesOf(
  {
    prices = {},
    strategy,
    summarizerModelPreference,
  }: Pick<SummarizationOptions, 'prices' | 'strategy' | 'summarizerModelPreference'>,
  model: ModelIdentity,
): CallPrices {
  const given = givenPrices(prices, model);
  const own = given ?? priceRatios(model);
  if (strategy !== undefined && strategy !== 'llm' && typeof strategy !== 'object')
    return { prices: own, summarizerPrices: undefined };
  const [summarizer] = [summarizerModelPreference].flat();
  if (summarizer === undefined) return { prices: own, summarizerPrices: own };
  const identity =
    typeof summarizer === 'string' ? { provider: 'gateway', modelId: summarizer } : summarizer;
  const priced = givenPrices(prices, identity);
  // Ratios of two models say nothing of each other's amounts: it is taken to cost as much for a token of input.
  const summarizerPrices =
    given === undefined || priced === undefined
      ? scaled(priced ?? priceRatios(identity), own.input)
      : priced;
  return { prices: own, summarizerPrices };
}

function givenPrices(
  prices: Readonly<Record<string, TokenPrices>>,
  model: ModelIdentity,
): TokenPrices | undefined {
  const key = keysOf(model, Object.keys(prices)).at(-1);
  return key === undefined ? undefined : prices[key];
}

function scaled(prices: TokenPrices, input: number): TokenPrices {
  const by = input / prices.input;
  const { cacheRead, cacheWrite, output } = prices;
  return {
    ...prices,
    input,
    cacheRead: cacheRead * by,
    cacheWrite: cacheWrite * by,
    output: output * by,
  };
}
