import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { keysOf, type TokenPrices, type UnitPrices } from './provider-overrides.ts';
import type { ResolvedOptions } from './summarization-options.ts';

/** Prices of a model and of its summarizing model, relative to uncached input of the first. */
export interface CallPrices {
  readonly prices: TokenPrices;
  /** `undefined` if code summarizes. */
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
  const [given, givenOfSummarizer] = [model, identity].map((each) => givenPrices(prices, each));
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

/** Tokens of a prompt above which a model costs more; `undefined` where it does not, as far as is known. */
export function priceStepOf(
  { prices }: Pick<ResolvedOptions, 'prices'>,
  model: ModelIdentity,
): number | undefined {
  const given = givenPrices(prices, model);
  return given === undefined ? stepOf(model)?.[1] : given.above?.tokens;
}

function givenPrices(
  prices: ResolvedOptions['prices'],
  model: ModelIdentity,
): TokenPrices | undefined {
  const key = keysOf(model, Object.keys(prices)).at(-1);
  return key === undefined ? undefined : prices[key];
}

function over(price: number, { cacheMinutes, above, ...prices }: TokenPrices): TokenPrices {
  const step = above && { above: { tokens: above.tokens, ...times(1 / price, above) } };
  return { ...times(1 / price, prices), cacheMinutes, ...step };
}

function times(
  ofInput: number,
  { input, cacheRead, cacheWrite, output }: UnitPrices,
  ofOutput: number = ofInput,
): UnitPrices {
  return {
    input: input * ofInput,
    cacheRead: cacheRead * ofInput,
    cacheWrite: cacheWrite * ofInput,
    output: output * ofOutput,
  };
}

type Ratios = readonly [cacheRead: number, cacheWrite: number, output: number, minutes: number];

/** Prices of a model in no other row: most caches are billed at a tenth to a half of the input. */
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

/**
 * Where a prompt that is longer costs more, all of it: tokens, and how many times as much input and answer cost then.
 * Checked against the data set of `test/inside/windows`; steps below 100,000 tokens are left out.
 */
const steps: readonly (readonly [names: RegExp, tokens: number, input: number, output: number])[] =
  [
    [/claude-haiku-(?:5[.-]5|latest)/iu, 100_000, 5, 5],
    [/gpt-(?:5\.[4-6]|6|daybreak-blue)(?!.*(?:mini|nano|cyber))/iu, 272_000, 2, 1.5],
    [/gemini-(?:[\d.]+-)?pro(?!.*(?:image|tts))|deep-research/iu, 200_000, 2, 1.5],
    [/grok-(?:4\.|latest)/iu, 200_000, 2, 2],
    [/muse-ember/iu, 200_000, 3, 3],
    [/qwen-?3\.5-plus/iu, 256_000, 1.25, 1.25],
    [/qwen-?3\.6-(?:plus|flash)/iu, 256_000, 4, 2],
    [/qwen-?(?:3\.7-)?plus/iu, 256_000, 3, 3],
  ];

function stepOf({ modelId }: ModelIdentity): (typeof steps)[number] | undefined {
  return steps.find(([names]) => names.test(modelId));
}

/** Prices of a model over that of its uncached input: by its id, else by its provider. */
function priceRatios(model: ModelIdentity): TokenPrices {
  const row = [model.modelId, model.provider]
    .map((name) => table.find(([names]) => names.test(name)))
    .find((found) => found !== undefined);
  const [cacheRead, cacheWrite, output, cacheMinutes] = row?.[1] ?? usual;
  const prices = { input: 1, cacheRead, cacheWrite, output };
  const step = stepOf(model);
  if (step === undefined) return { ...prices, cacheMinutes };
  const [, tokens, ofInput, ofOutput] = step;
  return { ...prices, cacheMinutes, above: { tokens, ...times(ofInput, prices, ofOutput) } };
}
