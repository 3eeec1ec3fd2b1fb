import {
  anyBoolean,
  integer,
  lazily,
  numberWithin,
  oneOf,
  optionsOf,
  type OptionRule,
  type OptionRules,
} from '../../foundations/checks/option-rule.ts';
import type { Placement } from '../../planning/composing/place-summary.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';

/** Options that may differ between the models of one middleware. */
export interface ProviderOverrides {
  /**
   * Tokens the model accepts.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | undefined;
  /**
   * Bytes that a request may have, as proxies and hosts limit them. Above it, a note takes the place of old pictures
   * and files, and texts are summarized at a fifth of it in tokens.
   * @default learned from refusals, for an hour
   */
  readonly maxRequestBytes?: number | undefined;
  /**
   * Pictures that a request may hold. Above it, a note takes the place of the oldest, half of them at once. Those of
   * the newest message that has some always stay. Minimum: 1.
   * @default learned from refusals, for an hour
   */
  readonly maxImages?: number | undefined;
  /**
   * Tokens, at four characters each, that the output of a tool may have in prompts. A longer output is shortened when
   * it first enters a prompt and is the same in every later one, so that the provider's cache holds. Head and tail, the
   * first line that states a failure, and names of files and addresses stay. Files, pinned messages and answers of
   * `recallTool` are never shortened. Summaries and the archive are made from the whole output. Minimum: 100.
   * @default undefined (off), but 2_500 with optimizeFor 'cost'
   * @see docs/costs.md#large-tool-outputs
   */
  readonly maxToolOutputTokens?: number | undefined;
  /**
   * Factor over the o200k count, for models whose tokenizer counts more. 0.1 to 10. A value of yours is never
   * adjusted.
   * @default 1 for OpenAI, 1.05 for Llama 3, 1.1 for Gemini, 1.35 for Claude and every other model, then learned from
   *   the usage that the provider reports (at most twice and at least half of that)
   */
  readonly tokenMultiplier?: number | undefined;
  /**
   * Summarize at or above this share of the tokens that a prompt may have: those that the model accepts, less the room
   * for the answer. Above 0, at most 1.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /**
   * Aim at or below this share with a summary. The size alone triggers the next summary when the prompt has grown by
   * the difference of the two ratios. Above 0, below `triggerTokenRatio`.
   * @default 0.7, or 0.875 of a lower `triggerTokenRatio`
   */
  readonly resetTokenRatio?: number | undefined;
  /**
   * Summarize at or above this many tokens too, whatever the ratio.
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
   * Messages kept verbatim at the end. The number grows to the next index at which the conversation may be cut, and
   * shrinks (never below 2) if they alone are too large. A summary that is prepared with `background` leaves 4 fewer,
   * for the two turns that are about to follow. Minimum: 2.
   * @default 6
   */
  readonly preserveRecent?: number | undefined;
  /**
   * Share of the context within which more than `preserveRecent` messages are kept. With a trigger below 0.8 of the
   * context, it is a share of 1.25 times the trigger. 0 to 1.
   * @default 0.1
   */
  readonly preserveRecentTokenRatio?: number | undefined;
  /**
   * The position of the summary in the prompt. `'auto'` is a system message of its own, merged into the leading one
   * for providers that may reject a second. If a prompt is refused for that, the next placement is tried, merged and
   * then `'user'`, and kept for the model. With `'user'` the summary is part of the first user message, so that
   * default instructions which a later middleware adds to prompts without a system message stay.
   * @default 'auto'
   */
  readonly placement?: Placement | 'auto' | undefined;
}

/** The price of a token of each kind, all in the same unit. */
export interface UnitPrices {
  /** Price of an input token outside of the cache. Above 0. */
  readonly input: number;
  /**
   * Price of a token that is read from the cache; the price of `input` without a cache. From 0 to `input`.
   */
  readonly cacheRead: number;
  /**
   * Price of an input token that is written to the cache; the price of `input` if writing costs nothing extra.
   */
  readonly cacheWrite: number;
  /** Price of an output token. At least the price of `input`. */
  readonly output: number;
}

/** Prices of a call whose prompt has more tokens than a model has its usual prices for. */
export interface PriceStep extends UnitPrices {
  /** Tokens of the prompt above which all of it costs this. */
  readonly tokens: number;
}

/** Token prices of a model, all in the same unit, and the lifetime of its cache. */
export interface TokenPrices extends UnitPrices {
  /** Minutes without a read after which a prompt leaves the cache. */
  readonly cacheMinutes: number;
  /** The price of longer prompts, if it is higher. */
  readonly above?: PriceStep | undefined;
}

/** Rules of the options that may differ between models. */
export const overrideRules: () => OptionRules<ProviderOverrides> = lazily(() => ({
  contextLength: integer(1),
  maxRequestBytes: integer(1000),
  maxImages: integer(1),
  maxToolOutputTokens: integer(100),
  triggerTokenRatio: numberWithin('a number above 0 and at most 1', { above: 0, to: 1 }),
  resetTokenRatio: numberWithin('a number above 0 and below 1', { above: 0, below: 1 }),
  tokenThreshold: integer(1),
  beyondPriceStep: anyBoolean,
  preserveRecent: integer(2),
  preserveRecentTokenRatio: numberWithin('a number from 0 to 1', { from: 0, to: 1 }),
  placement: oneOf('auto', 'system', 'system-merged', 'user'),
  tokenMultiplier: numberWithin('a number from 0.1 to 10', { from: 0.1, to: 10 }),
}));

const unitPrices = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;
const priceOrder =
  'given with cacheRead at most input, and input above 0 and at most cacheWrite and output';

/** Rule of the prices of a model. */
export function pricesRule(): OptionRule<TokenPrices> {
  const price = numberWithin('a number of at least 0', { from: 0 });
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
