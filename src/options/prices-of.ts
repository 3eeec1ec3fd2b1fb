import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { keysOf, type TokenPrices } from './provider-overrides.ts';
import type { ResolvedOptions } from './summarization-options.ts';

/** Prices of a model and of the one that summarises for it, over that of uncached input of the first. */
export interface CallPrices {
  readonly prices: TokenPrices;
  /** `undefined` where code summarises. */
  readonly summarizerPrices: TokenPrices | undefined;
}

/** Finds what a call costs: prices that were given, else ratios of the table. */
export function pricesOf(
  {
    prices,
    strategy,
    summarizerModelPreference,
  }: Pick<ResolvedOptions, 'prices' | 'strategy' | 'summarizerModelPreference'>,
  model: ModelIdentity,
): CallPrices {
  const [summarizer = model] = [summarizerModelPreference].flat();
  const identity =
    typeof summarizer === 'string' ? { provider: 'gateway', modelId: summarizer } : summarizer;
  const [given, givenOfSummarizer] = [model, identity].map((each) => {
    const key = keysOf(each, Object.keys(prices)).at(-1);
    return key === undefined ? undefined : prices[key];
  });
  const own = given ?? priceRatios(model);
  const priced = givenOfSummarizer ?? priceRatios(identity);
  // Ratios of two models say nothing of each other's amounts: it is taken to cost as much for a token of input.
  const areBothGiven = given !== undefined && givenOfSummarizer !== undefined;
  const unit = areBothGiven ? own.input : priced.input;
  const isModelAsked = strategy === 'llm' || typeof strategy === 'object';
  return {
    prices: over(own.input, own),
    summarizerPrices: isModelAsked ? over(unit, priced) : undefined,
  };
}

function over(price: number, prices: TokenPrices): TokenPrices {
  const { input, cacheRead, cacheWrite, output, cacheMinutes } = prices;
  return {
    input: input / price,
    cacheRead: cacheRead / price,
    cacheWrite: cacheWrite / price,
    output: output / price,
    cacheMinutes,
  };
}

type Ratios = readonly [cacheRead: number, cacheWrite: number, output: number, minutes: number];

/** Of a model that is in no other row: most caches are billed at a tenth to a half of the input. */
const usual: Ratios = [0.25, 1, 4, 5];

/**
 * Prices over that of uncached input, and minutes that a prefix stays in the cache. Ratios outlive amounts: those of
 * a family of models seldom change when its prices do. The first that names the model counts; read in the summer
 * of 2026 at
 * - openai.com/api/pricing, platform.openai.com/docs/guides/prompt-caching (5 to 10 minutes without a call)
 * - platform.claude.com/docs/en/build-with-claude/prompt-caching (writes for 5 minutes), aws.amazon.com/bedrock/pricing
 * - ai.google.dev/gemini-api/docs/pricing and /caching (implicit: no lifetime is promised)
 * - api-docs.deepseek.com/quick_start/pricing and /guides/kv_cache (hours, on disk)
 * - docs.x.ai, platform.moonshot.ai, alibabacloud.com/help/model-studio, console.groq.com/docs/prompt-caching,
 *   mistral.ai/pricing (no cache is billed)
 */
const table: readonly (readonly [names: RegExp, ratios: Ratios])[] = [
  [/claude|anthropic/iu, [0.1, 1.25, 5, 5]],
  [/gpt-4o|\bo1\b/iu, [0.5, 1, 4, 5]],
  [/gpt-4\.1|\bo[34]\b/iu, [0.25, 1, 4, 5]],
  [/gpt-oss|groq|llama/iu, [0.5, 1, 4, 120]],
  [/gpt|codex|openai|azure/iu, [0.1, 1, 6, 5]],
  [/gemini|google|vertex/iu, [0.1, 1, 6, 5]],
  [/deepseek/iu, [0.05, 1, 2, 120]],
  [/nova|grok|xai|kimi|moonshot/iu, usual],
  [/qwen|alibaba/iu, [0.2, 1, 4, 5]],
  [/mistral|mixtral|magistral|devstral|codestral|ministral|cohere|command/iu, [1, 1, 3, 5]],
];

/** Prices of a model over that of its uncached input: by its id, else by its provider. */
function priceRatios({ provider, modelId }: ModelIdentity): TokenPrices {
  const row = [modelId, provider]
    .map((name) => table.find(([names]) => names.test(name)))
    .find((found) => found !== undefined);
  const [cacheRead, cacheWrite, output, cacheMinutes] = row?.[1] ?? usual;
  return { input: 1, cacheRead, cacheWrite, output, cacheMinutes };
}
