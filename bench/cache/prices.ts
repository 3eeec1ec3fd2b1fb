import type { TokenPrices } from '../../src/call/options/provider-overrides.ts';

/** What a provider asks for tokens, over its price of uncached input, and how long its cache lasts. */
export interface PriceTable extends TokenPrices {
  readonly name: string;
}

/** Ratios of three providers; sources in `src/planning/plan/price-ratios.ts`. */
export const priceTables: readonly PriceTable[] = [
  { name: 'OpenAI', input: 1, cacheRead: 0.1, cacheWrite: 1, output: 6, cacheMinutes: 5 },
  { name: 'Anthropic', input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5, cacheMinutes: 5 },
  { name: 'DeepSeek', input: 1, cacheRead: 0.05, cacheWrite: 1, output: 2, cacheMinutes: 120 },
];
