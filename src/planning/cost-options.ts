/** What tokens of a model cost, in any unit that is the same for all of them, and how long its cache lasts. */
export interface TokenPrices {
  /** A token of input that no cache knows. Above 0. */
  readonly input: number;
  /** A token that is read from the cache; that of `input` where there is none. From 0 to `input`. */
  readonly cacheRead: number;
  /** A token of input that is written to the cache; that of `input` where writing costs nothing more. */
  readonly cacheWrite: number;
  /** A token of the answer. At least that of `input`. */
  readonly output: number;
  /** Minutes after which what was not read again is no longer in the cache. */
  readonly cacheMinutes: number;
}

/** What a conversation may cost. */
export interface CostOptions {
  /**
   * What decides when to summarise: `'memory'` keeps as much of the conversation as `triggerTokenRatio` lets it,
   * `'cost'` summarises as soon as that is cheaper than to go on sending what is old, and takes the outputs of old
   * tool calls out before. The other triggers stay, as the latest moment.
   * @default 'memory'
   */
  readonly optimizeFor?: 'memory' | 'cost' | undefined;
  /**
   * Prices by provider or by `provider:model`, the most specific first, for `optimizeFor: 'cost'` and the figures
   * of `stats()`. Only their ratios count; where a cheaper model summarises, give both in the same unit.
   * @default ratios of the large providers
   */
  readonly prices?: Readonly<Record<string, TokenPrices>> | undefined;
}
