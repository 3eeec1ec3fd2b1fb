import type { Placement } from '../composing/resolve-placement.ts';

/** What may differ between the models of one middleware. */
export interface ProviderOverrides {
  /**
   * Tokens the model accepts.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | undefined;
  /**
   * Summarise at or above this share of the tokens the model accepts. Above 0, at most 1.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /**
   * Aim at or below this share when summarising; armed again below it. Above 0, below
   * `triggerTokenRatio`.
   * @default 0.7, or 0.875 of a lower `triggerTokenRatio`
   */
  readonly resetTokenRatio?: number | undefined;
  /**
   * Messages kept verbatim at the end. Grows to the next place where the conversation may be cut,
   * shrinks (never below 2) when the tail alone is too large. Minimum: 2.
   * @default 6
   */
  readonly preserveRecent?: number | undefined;
  /**
   * The tail grows beyond `preserveRecent` while it fits in this share of the context. 0 to 1.
   * @default 0.1
   */
  readonly preserveRecentTokenRatio?: number | undefined;
  /**
   * Where the summary goes. `'auto'` is a system message of its own, merged into the leading one for
   * providers that may reject a second. With `'user'` it is part of the first user message, so that default
   * instructions which are added behind the middleware, where there is no system message, stay.
   * @default 'auto'
   */
  readonly placement?: Placement | 'auto' | undefined;
  /**
   * Factor over the o200k count, for models whose tokenizer counts more. 0.1 to 10. One that is given
   * is taken as it is.
   * @default 1 for OpenAI, 1.05 for Llama 3, 1.1 for Gemini, 1.35 for Claude and every other model, then
   * learned from the usage that the provider reports (at most twice and at least half of that)
   */
  readonly tokenMultiplier?: number | undefined;
}
