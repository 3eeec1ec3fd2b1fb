import { checked, checkThat } from '../checks/check-object.ts';
import { lazily, optionsOf } from '../checks/option-rule.ts';
import { llmStrategy } from '../strategies/llm/llm-strategy.ts';
import { ruleBasedStrategy } from '../strategies/rule-based/rule-based-strategy.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import {
  defaults,
  optionRules,
  type NamedStrategy,
  type ResolvedOptions,
  type SummarizationOptions,
} from './summarization-options.ts';

const optionsRule = lazily(() =>
  optionsOf<SummarizationOptions, typeof defaults>(optionRules(), { defaults }),
);

/**
 * Checks the options of a middleware once, before any work: all of them, whoever reads them, so that no mistake waits for
 * the day another option is changed.
 *
 * @returns The options with their defaults in place.
 * @throws {SummarizationOptionError} naming the option, its value and what is allowed.
 */
export function readOptions(given: SummarizationOptions): ResolvedOptions {
  const options = checked(optionsRule(), given);
  checkStrategyOptions(options);
  checkQueue(options);
  checkRatios(options, '');
  checkPrices(options);
  for (const [name, overrides] of Object.entries(options.providers)) {
    const { triggerTokenRatio = options.triggerTokenRatio } = overrides;
    const { resetTokenRatio = options.resetTokenRatio } = overrides;
    checkRatios({ triggerTokenRatio, resetTokenRatio }, `providers.${name}.`);
  }
  const { maxWaitMs = options.background === false ? 10_000 : 0 } = options;
  return { ...options, maxWaitMs };
}

/** A worker finds nothing of what is known to this process alone. */
function checkQueue({ background, store, secret }: SummarizationOptions): void {
  const isShared = store !== undefined && store.isLocal !== true && secret !== undefined;
  const allowed = 'given with a store that other processes share, and its secret';
  checkThat(typeof background !== 'object' || isShared, 'background', background, allowed);
}

function checkRatios(
  {
    triggerTokenRatio,
    resetTokenRatio,
  }: Pick<ResolvedOptions, 'triggerTokenRatio' | 'resetTokenRatio'>,
  path: string,
): void {
  const isBelow = resetTokenRatio === undefined || resetTokenRatio < triggerTokenRatio;
  const allowed = `a number below triggerTokenRatio, which is ${triggerTokenRatio}`;
  checkThat(isBelow, `${path}resetTokenRatio`, resetTokenRatio, allowed);
}

const pricesAllowed =
  'given with input, cacheRead, cacheWrite, output and cacheMinutes, each a number, with cacheRead at most input, and input above 0 and at most cacheWrite and output';

function checkPrices({ prices }: Pick<ResolvedOptions, 'prices'>): void {
  for (const [name, given] of Object.entries(prices)) {
    const { input, cacheRead, cacheWrite, output } = given;
    const holds = {
      input: input > 0,
      cacheRead: cacheRead <= input,
      cacheWrite: cacheWrite >= input,
      output: output >= input,
    };
    for (const [field, isPlausible] of Object.entries(holds))
      checkThat(isPlausible, `prices.${name}.${field}`, Reflect.get(given, field), pricesAllowed);
  }
}

/** Options that only strategies read which are named, by the names of those, and how a strategy object gets them. */
const readers = [
  { name: 'prompts', by: ['llm'], instead: 'llmStrategy({ prompts })' },
  { name: 'summarizerModelPreference', by: ['llm'], instead: 'llmStrategy({ models })' },
  {
    name: 'messageFilter',
    by: ['llm', 'rule-based'],
    instead: 'llmStrategy({ messageFilter }) or ruleBasedStrategy({ messageFilter })',
  },
  { name: 'minUserTurns', by: ['rule-based'], instead: 'ruleBasedStrategy({ minUserTurns })' },
  {
    name: 'preserveErrorDetails',
    by: ['rule-based'],
    instead: 'ruleBasedStrategy({ preserveErrorDetails })',
  },
] as const;

/** Refuses options that nobody would read: a strategy object in the place of the named ones has its own. */
function checkStrategyOptions(options: SummarizationOptions): void {
  const { strategy, fallbackStrategy } = options;
  const given = [strategy, fallbackStrategy];
  if (strategy === 'none' || !given.some((each) => typeof each === 'object')) return;
  const named = new Set(given.map((each) => (each === 'heuristic' ? 'rule-based' : each)));
  for (const { name, by, instead } of readers) {
    const isRead = options[name] === undefined || by.some((reader) => named.has(reader));
    const allowed = `nothing beside a strategy object, which has options of its own: ${instead}`;
    checkThat(isRead, name, options[name], allowed);
  }
}

/** The strategies of one middleware. */
export interface Strategies {
  /** `undefined` for the strategy `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  readonly fallbackStrategy: SummaryStrategy | undefined;
  /** How tool results are condensed without a summary: as the strategies read them. */
  readonly toolResults: ToolResultOptions;
}

/** Makes the strategies that options name. */
export function makeStrategies(options: ResolvedOptions): Strategies {
  const { strategy, abortOnFailure, prompts, messageFilter } = options;
  const { fallbackStrategy = abortOnFailure ? false : 'rule-based' } = options;
  const { minUserTurns, preserveErrorDetails, summarizerModelPreference } = options;
  const maxSummaryChars = prompts?.maxSummaryChars;
  const models =
    summarizerModelPreference === undefined ? undefined : [summarizerModelPreference].flat();
  const make = (given: NamedStrategy | SummaryStrategy): SummaryStrategy => {
    if (typeof given !== 'string') return given;
    return given === 'llm'
      ? llmStrategy({ models, prompts, messageFilter })
      : ruleBasedStrategy({ minUserTurns, preserveErrorDetails, messageFilter, maxSummaryChars });
  };
  // Rules that failed will fail again.
  const isRepeated =
    strategy !== 'llm' && typeof strategy === 'string' && typeof fallbackStrategy === 'string';
  const hasFallback = fallbackStrategy !== false && strategy !== 'none' && !isRepeated;
  const objects = [strategy, fallbackStrategy].filter((given) => typeof given === 'object');
  return {
    strategy: strategy === 'none' ? undefined : make(strategy),
    fallbackStrategy: hasFallback ? make(fallbackStrategy) : undefined,
    toolResults: objects.find(({ toolResults }) => toolResults !== undefined)?.toolResults ?? {
      preserveErrorDetails,
    },
  };
}
