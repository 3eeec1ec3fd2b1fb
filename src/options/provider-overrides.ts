import {
  flag,
  integer,
  lazily,
  numberThat,
  oneOf,
  optionsOf,
  type OptionRule,
  type OptionRules,
} from '../checks/option-rule.ts';
import type { Placement } from '../composing/place-summary.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';

/** What may differ between the models of one middleware. */
export interface ProviderOverrides {
  /**
   * Tokens the model accepts.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | undefined;
  /**
   * Bytes that a request may have, as proxies and hosts limit them; above it, old pictures and files give way to a note,
   * and texts are summarised at a fifth of it in tokens.
   * @default what the server refuses is learned, for an hour
   */
  readonly maxRequestBytes?: number | undefined;
  /**
   * Pictures that a request may hold; above it, the oldest give way to a note, half of them at once. Those of the newest
   * message that has some always stay. Minimum: 1.
   * @default what the server refuses is learned, for an hour
   */
  readonly maxImages?: number | undefined;
  /**
   * Factor over the o200k count, for models whose tokenizer counts more. 0.1 to 10. One that is given
   * is taken as it is.
   * @default 1 for OpenAI, 1.05 for Llama 3, 1.1 for Gemini, 1.35 for Claude and every other model, then
   * learned from the usage that the provider reports (at most twice and at least half of that)
   */
  readonly tokenMultiplier?: number | undefined;
  /**
   * Summarise at or above this share of the tokens the model accepts. Above 0, at most 1.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /**
   * Aim at or below this share when summarising; by its size alone the prompt is summarised again when it has grown
   * by as much as the two are apart. Above 0, below `triggerTokenRatio`.
   * @default 0.7, or 0.875 of a lower `triggerTokenRatio`
   */
  readonly resetTokenRatio?: number | undefined;
  /**
   * Summarise at or above this many tokens too, whatever the ratio.
   * @default undefined (off)
   */
  readonly tokenThreshold?: number | undefined;
  /**
   * Whether prompts may grow beyond the tokens above which the model costs more, `above` in its prices. By default a
   * summary is due at nine tenths of that, unless it is below 100,000 tokens.
   * @default false
   * @see docs/costs.md#price-steps
   */
  readonly beyondPriceStep?: boolean | undefined;
  /**
   * Messages kept verbatim at the end. Grows to the next place where the conversation may be cut,
   * shrinks (never below 2) when they alone are too large. Minimum: 2.
   * @default 6
   */
  readonly preserveRecent?: number | undefined;
  /**
   * More than `preserveRecent` messages are kept while they fit in this share of the context; with a trigger below 0.8
   * of it, of 1.25 times the tokens that trigger. 0 to 1.
   * @default 0.1
   */
  readonly preserveRecentTokenRatio?: number | undefined;
  /**
   * Where the summary goes. `'auto'` is a system message of its own, merged into the leading one for
   * providers that may reject a second. Where a prompt is refused for its place, the next one is tried, merged and
   * then `'user'`, and kept for the model. With `'user'` it is part of the first user message, so that default
   * instructions which are added behind the middleware, where there is no system message, stay.
   * @default 'auto'
   */
  readonly placement?: Placement | 'auto' | undefined;
}

/** What a token of each kind costs, in any unit that is the same for all of them. */
export interface UnitPrices {
  /** A token of input that no cache knows. Above 0. */
  readonly input: number;
  /** A token that is read from the cache; that of `input` where there is none. From 0 to `input`. */
  readonly cacheRead: number;
  /** A token of input that is written to the cache; that of `input` where writing costs nothing more. */
  readonly cacheWrite: number;
  /** A token of the answer. At least that of `input`. */
  readonly output: number;
}

/** Prices of a call whose prompt has more tokens than a model has its usual prices for. */
export interface PriceStep extends UnitPrices {
  /** Tokens of the prompt above which all of it costs this. */
  readonly tokens: number;
}

/** What tokens of a model cost, in any unit that is the same for all of them, and how long its cache lasts. */
export interface TokenPrices extends UnitPrices {
  /** Minutes after which what was not read again is no longer in the cache. */
  readonly cacheMinutes: number;
  /** What longer prompts cost, where that is more. */
  readonly above?: PriceStep | undefined;
}

/** What the options accept that a model may have of its own. */
export const overrideRules: () => OptionRules<ProviderOverrides> = lazily(() => ({
  contextLength: integer(1),
  maxRequestBytes: integer(1000),
  maxImages: integer(1),
  triggerTokenRatio: numberThat('a number above 0 and at most 1', { above: 0, to: 1 }),
  resetTokenRatio: numberThat('a number above 0 and below 1', { above: 0, below: 1 }),
  tokenThreshold: integer(1),
  beyondPriceStep: flag,
  preserveRecent: integer(2),
  preserveRecentTokenRatio: numberThat('a number from 0 to 1', { from: 0, to: 1 }),
  placement: oneOf('auto', 'system', 'system-merged', 'user'),
  tokenMultiplier: numberThat('a number from 0.1 to 10', { from: 0.1, to: 10 }),
}));

const unitPrices = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;
const priceOrder =
  'given with cacheRead at most input, and input above 0 and at most cacheWrite and output';

/** What is accepted as the prices of a model. */
export function pricesRule(): OptionRule<TokenPrices> {
  const price = numberThat('a number of at least 0', { from: 0 });
  const prices = { input: price, cacheRead: price, cacheWrite: price, output: price };
  const step = optionsOf<PriceStep>(
    { tokens: integer(1), ...prices },
    { required: ['tokens', ...unitPrices] },
  );
  return optionsOf<TokenPrices>(
    { ...prices, cacheMinutes: price, above: step.refine(isInOrder, priceOrder) },
    { required: [...unitPrices, 'cacheMinutes'] },
  ).refine(isInOrder, priceOrder);
}

function isInOrder({ input, cacheRead, cacheWrite, output }: UnitPrices): boolean {
  return input > 0 && cacheRead <= input && input <= Math.min(cacheWrite, output);
}

/** The keys of `providers` that name a model, the most specific last; case makes no difference. */
export function keysOf(
  { provider, modelId }: ModelIdentity,
  keys: readonly string[],
): readonly string[] {
  const family = provider.split('.')[0] ?? provider;
  const names = new Set([family, provider, `${family}:${modelId}`, `${provider}:${modelId}`]);
  return [...names].flatMap((name) =>
    keys.filter((key) => key.toLowerCase() === name.toLowerCase()),
  );
}
