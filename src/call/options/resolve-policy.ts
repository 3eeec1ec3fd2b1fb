import type { CallOptions, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import type { LearnedLimit } from '../../sizes/overflow/learned-limits.ts';
import { lengthInTable } from '../../sizes/tokens/context-lengths.ts';
import { tokenMultiplierOf } from '../../sizes/tokens/model-family.ts';
import { vocabularyOf } from '../../sizes/tokens/vocabularies.ts';
import { keysOf, type ProviderOverrides } from './provider-overrides.ts';
import { triggerTokens } from '../../planning/plan/decide.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import { priceStepOf } from './prices-of.ts';
import { synchronousAnswer } from '../../foundations/util/async/callbacks.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import type { ResolvedOptions } from './summarization-options.ts';

/**
 * Resolves the options for a model: defaults, the table of context lengths, `providers` overrides. A lower limit from
 * an overflow error of the provider comes before all of them.
 */
export function resolvePolicy(
  options: ResolvedOptions,
  model: ModelIdentity,
  params: Pick<CallOptions, 'maxOutputTokens' | 'providerOptions'>,
  learned?: LearnedLimit,
): Policy {
  const overrides = overridesFor(options.providers, model);
  const given = overrides.contextLength ?? givenContextLength(options, model);
  const set = { ...options, ...overrides };
  const request = {
    maxRequestBytes: Math.min(
      set.maxRequestBytes ?? Infinity,
      learned?.maxRequestBytes ?? Infinity,
    ),
    maxImages: Math.min(set.maxImages ?? Infinity, learned?.maxImages ?? Infinity),
  };
  const lengths = lengthsOf(given, model, params, { ...learned, ...request });
  const { triggerTokenRatio } = set;
  const resetBelow = 0.875 * triggerTokenRatio;
  const step = set.beyondPriceStep ? undefined : priceStepOf(options, model);
  const priceStep = step !== undefined && step >= leastStep ? step : undefined;
  const trigger = triggerTokens(lengths.contextLength, { ...set, priceStep });
  const aim = set.resetTokenRatio ?? Math.min(0.7, resetBelow);
  const isCheap = options.optimizeFor === 'cost';
  return {
    ...set,
    ...request,
    ...lengths,
    maxToolOutputTokens: set.maxToolOutputTokens ?? (isCheap ? cheapOutputTokens : undefined),
    priceStep,
    tokenMultiplier:
      overrides.tokenMultiplier ?? (vocabularyOf(model) ? 1 : tokenMultiplierOf(model)),
    tokenMultiplierGiven: overrides.tokenMultiplier !== undefined,
    // Where overrides of a model bring the two together, they are as far apart as their defaults.
    resetTokenRatio: aim < triggerTokenRatio ? aim : resetBelow,
    // Without a strategy nothing is summarized.
    ahead: options.background !== false && options.strategy !== 'none',
    maxSummaryTokens: summaryTokensOf(options, lengths.contextLength, trigger),
  };
}

/** Tokens of a tool output where costs decide: 10,000 characters, the limit of mini-swe-agent. */
const cheapOutputTokens = 2500;

/** A lower step is crossed for less than the memory of a shorter prompt is worth. */
const leastStep = 100_000;

/** How much a model accepts, and how much of that a prompt may take. */
function lengthsOf(
  given: number | undefined,
  model: ModelIdentity,
  params: Pick<CallOptions, 'maxOutputTokens' | 'providerOptions'>,
  learned: Partial<LearnedLimit>,
): Pick<
  Policy,
  'contextLength' | 'contextLengthKnown' | 'limit' | 'keptTo' | 'refusedAbove' | 'mostOutputTokens'
> {
  const table = lengthInTable(model);
  const { inputLimit = Infinity, readTokens = Infinity, usableShare = 1 } = learned;
  const { maxRequestBytes = Infinity, answerTokens } = learned;
  const window = Math.min(given ?? table.contextLength, learned.contextLength ?? Infinity);
  const half = Math.floor(window / 2);
  const reserve = answerReserve(params) ?? answerTokens;
  // An answer as large as the context would leave no prompt at all.
  const room = window - Math.min(reserve ?? 0, half);
  const usualAnswer = Math.min(usualAnswerTokens, Math.floor(window * mostAnswerShare));
  const isOfModel = window >= leastWindow;
  const tableLimit = given === undefined ? (table.inputLimit ?? Infinity) : Infinity;
  const ofBytes = Math.floor(maxRequestBytes / bytesOfToken);
  const refusedAbove = Math.floor(Math.min(room, tableLimit, inputLimit) * usableShare);
  const asked = params.maxOutputTokens ?? answerTokens ?? 0;
  const limit = Math.min(refusedAbove, readTokens, ofBytes);
  const roomy = Math.floor((window - usualAnswer) * usableShare);
  return {
    contextLength: Math.min(window, inputLimit, readTokens),
    contextLengthKnown:
      given !== undefined ||
      table.known ||
      Math.min(learned.contextLength ?? Infinity, inputLimit, readTokens) < Infinity,
    limit,
    keptTo: reserve === undefined && isOfModel ? Math.min(limit, roomy) : limit,
    refusedAbove,
    mostOutputTokens: learned.contextLength !== undefined && asked > half ? half : undefined,
  };
}

/** Tokens of the window that stay free for an answer where the call says nothing of it, and their share at the most. */
const usualAnswerTokens = 4096;
const mostAnswerShare = 1 / 10;

/** The smallest window of a model in the table: what is smaller is a budget for prompts. */
const leastWindow = 4096;

/** Bytes of a token where only bytes are limited: English takes 4 to 5. */
const bytesOfToken = 5;

/** Every call reads it again: as much as a model is asked to write. */
const cheapSummaryTokens = 2500;

/**
 * Share of a prompt at the trigger that its summary may take, at the default ratio a tenth of the context, and tokens that
 * it may have in any case.
 */
const shareOfTrigger = 1 / 8;
const leastSummaryTokens = 250;

/** Shares of the context that a summary may take: of the default, and of what was given, which leaves room for messages. */
const mostShare = 1 / 10;
const mostGivenShare = 1 / 4;

/**
 * A sixteenth of the context, but room for a summary in small ones, and no more than can be read in large ones; or,
 * where cost decides, what is cheap. Never above a tenth, nor above what leaves room for recent messages below a
 * trigger that is far from the limit. A value of the caller counts, up to a quarter.
 */
function summaryTokensOf(
  { maxSummaryTokens, optimizeFor }: Pick<ResolvedOptions, 'maxSummaryTokens' | 'optimizeFor'>,
  contextLength: number,
  trigger: number,
): number {
  const usual = Math.min(Math.max(2000, Math.floor(contextLength / 16)), 16_000);
  const most = optimizeFor === 'cost' ? Math.min(usual, cheapSummaryTokens) : usual;
  const below = Math.max(leastSummaryTokens, Math.ceil(trigger * shareOfTrigger));
  return maxSummaryTokens === undefined
    ? Math.min(most, below, Math.floor(contextLength * mostShare))
    : Math.min(maxSummaryTokens, Math.floor(contextLength * mostGivenShare));
}

/**
 * Tells how many tokens the options say a model accepts, whatever it is used for; a `contextLength` that
 * is a number speaks of the wrapped model alone. A function of the caller's that throws says nothing.
 */
export function declaredContextLengths({
  contextLength,
  providers,
}: Pick<ResolvedOptions, 'contextLength' | 'providers'>): (
  model: ModelIdentity,
) => number | undefined {
  return (model) => {
    const override = overridesFor(providers, model).contextLength;
    if (override !== undefined || typeof contextLength !== 'function') return override;
    try {
      return givenContextLength({ contextLength }, model);
    } catch {
      return undefined;
    }
  };
}

function givenContextLength(
  { contextLength }: Pick<ResolvedOptions, 'contextLength'>,
  model: ModelIdentity,
): number | undefined {
  if (typeof contextLength !== 'function') return contextLength;
  const length = synchronousAnswer(contextLength(model));
  const isLength = typeof length === 'number' && Number.isFinite(length) && length >= 1;
  return isLength ? Math.floor(length) : undefined;
}

function overridesFor(
  providers: Readonly<Record<string, ProviderOverrides>>,
  model: ModelIdentity,
): { readonly [Name in keyof ProviderOverrides]?: Exclude<ProviderOverrides[Name], undefined> } {
  const names = Object.keys(providers);
  const keys = names.length === 0 ? [] : keysOf(model, names);
  const given = keys.flatMap((key) => Object.entries(providers[key] ?? {}));
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Where calls say how much a model may think, and whether that is added to the answer. */
const thinkingBudgets = [
  ['anthropic', 'thinking', 'budgetTokens', true],
  ['bedrock', 'reasoningConfig', 'budgetTokens', true],
  ['google', 'thinkingConfig', 'thinkingBudget', false],
  ['vertex', 'thinkingConfig', 'thinkingBudget', false],
] as const;

/**
 * Tokens of the context that a call keeps for its answer: `maxOutputTokens`, and with them the thinking
 * budget where the provider adds it (Anthropic, Bedrock); Google's is part of the answer. `undefined`
 * when the call names neither.
 */
export function answerReserve({
  maxOutputTokens,
  providerOptions,
}: Pick<CallOptions, 'maxOutputTokens' | 'providerOptions'>): number | undefined {
  let [added, within] = [0, 0];
  for (const [provider, option, field, isAdded] of thinkingBudgets) {
    const settings: unknown = providerOptions?.[provider]?.[option];
    if (!isObject(settings) || settings['type'] === 'disabled') continue;
    // Negative budgets leave the choice to the model.
    const budget = typeof settings[field] === 'number' ? settings[field] : 0;
    if (isAdded) added = Math.max(added, budget);
    else within = Math.max(within, budget);
  }
  const reserve = Math.max((maxOutputTokens ?? 0) + added, within);
  return maxOutputTokens === undefined && reserve === 0 ? undefined : reserve;
}
