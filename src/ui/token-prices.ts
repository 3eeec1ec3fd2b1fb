import { sumOf } from '../util/numbers.ts';
import type { BilledTokens } from './summary-part.ts';

/** What a model's tokens cost, in any currency. */
export interface TokenPrices {
  /** Of a million tokens that it reads. */
  readonly inputPerMillion: number;
  /** Of a million tokens that it writes. */
  readonly outputPerMillion: number;
  /**
   * Of a million tokens that it reads from a cache.
   * @default inputPerMillion
   */
  readonly cacheReadPerMillion?: number | undefined;
}

/** What tokens cost that were billed. */
export function costOf(
  billed: readonly BilledTokens[],
  { inputPerMillion, outputPerMillion, cacheReadPerMillion = inputPerMillion }: TokenPrices,
): number {
  const millionths = sumOf(billed, ({ inputTokens, outputTokens, cacheReadTokens = 0 }) => {
    const read = (inputTokens - cacheReadTokens) * inputPerMillion;
    return read + cacheReadTokens * cacheReadPerMillion + outputTokens * outputPerMillion;
  });
  return millionths / 1_000_000;
}
