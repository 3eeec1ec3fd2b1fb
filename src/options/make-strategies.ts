import { llmStrategy } from '../strategies/llm/llm-strategy.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { ruleBasedStrategy } from '../strategies/rule-based/rule-based-strategy.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import type { SummaryOptions } from '../summaries/summary-options.ts';
import type { NamedStrategy, StrategyOptions } from './strategy-options.ts';

/** The strategies of one middleware. */
export interface Strategies {
  /** `undefined` for the strategy `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  readonly fallbackStrategy: SummaryStrategy | undefined;
  /** How tool results are condensed without a summary: as the strategies read them. */
  readonly toolResults: ToolResultOptions;
}

/** Makes the strategies that checked options name. */
export function makeStrategies(options: StrategyOptions & SummaryOptions): Strategies {
  const { strategy = 'llm', abortOnFailure = false, prompts, messageFilter } = options;
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
