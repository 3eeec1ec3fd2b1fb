import type { SummarizationOptions } from './summarization-options.ts';
import { checkPrompts } from '../prompts/check-prompts.ts';
import { llmStrategy } from '../strategies/llm/llm-strategy.ts';
import { resolveMessageFilter } from '../strategies/messages/message-filter.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { ruleBasedStrategy } from '../strategies/rule-based/rule-based-strategy.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';

/** The strategies of one middleware. */
export interface Strategies {
  /** `undefined` for the strategy `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  readonly fallbackStrategy: SummaryStrategy | undefined;
  /** How tool results are condensed without a summary: as the strategies read them. */
  readonly toolResults: ToolResultOptions;
  /** What is to be mended in the prompts. */
  readonly promptWarnings: readonly string[];
}

/**
 * Makes the strategies that the options name.
 *
 * @throws SummarizationOptionError for wrong prompts or a wrong message filter.
 */
export function makeStrategies(options: SummarizationOptions): Strategies {
  const { strategy = 'llm', abortOnFailure = false, prompts, messageFilter } = options;
  const { fallbackStrategy = abortOnFailure ? false : 'rule-based' } = options;
  const promptWarnings: string[] = [];
  // Checked whatever the strategy: a mistake must not wait for the day it is changed.
  const { maxSummaryChars } = checkPrompts(prompts, (message) => promptWarnings.push(message));
  resolveMessageFilter(messageFilter);
  const { minUserTurns, preserveErrorDetails } = options;
  const byName = (name: NamedStrategy): SummaryStrategy => {
    if (name !== 'llm')
      return ruleBasedStrategy({
        minUserTurns,
        preserveErrorDetails,
        messageFilter,
        maxSummaryChars,
      });
    const models = options.summarizerModelPreference;
    return llmStrategy({
      ...(models === undefined ? {} : { models: Array.isArray(models) ? models : [models] }),
      prompts,
      messageFilter,
    });
  };
  const objects = [strategy, fallbackStrategy].filter((given) => typeof given === 'object');
  const resolve = (given: NamedStrategy | SummaryStrategy): SummaryStrategy =>
    typeof given === 'string' ? byName(given) : given;
  return {
    strategy: strategy === 'none' ? undefined : resolve(strategy),
    fallbackStrategy:
      fallbackStrategy === false ||
      strategy === 'none' ||
      !isAnotherStrategy(strategy, fallbackStrategy)
        ? undefined
        : resolve(fallbackStrategy),
    toolResults: objects.find(({ toolResults }) => toolResults !== undefined)?.toolResults ?? {
      preserveErrorDetails,
    },
    promptWarnings,
  };
}

type NamedStrategy = 'llm' | 'rule-based' | 'heuristic';

/** Rules that failed will fail again. */
function isAnotherStrategy(
  strategy: NamedStrategy | SummaryStrategy,
  fallback: NamedStrategy | SummaryStrategy,
): boolean {
  return strategy === 'llm' || typeof strategy !== 'string' || typeof fallback !== 'string';
}
