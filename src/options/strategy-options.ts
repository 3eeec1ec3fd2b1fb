import type { LanguageModel } from 'ai';
import type { LlmStrategyOptions } from '../strategies/llm/llm-writer.ts';
import type { RuleBasedStrategyOptions } from '../strategies/rule-based/rule-based-strategy.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';

/** Who writes summaries. */
export interface StrategyOptions
  extends
    Pick<LlmStrategyOptions, 'prompts' | 'messageFilter' | 'maxTranscriptTokens'>,
    Pick<RuleBasedStrategyOptions, 'minUserTurns' | 'preserveErrorDetails'> {
  /**
   * Who writes summaries: `'llm'` (a model, through `generateObject`), `'rule-based'` (code, without a
   * model; also called `'heuristic'`), `'none'` (nobody: only prompts that do not fit are trimmed), or a
   * strategy of your own. Options that only the named strategies read are refused beside a strategy
   * object, which has options of its own.
   * @default 'llm'
   */
  readonly strategy?: NamedStrategy | 'none' | SummaryStrategy | undefined;
  /**
   * Who writes the summary when `strategy` fails; its records are marked `degraded`. With `false`, the
   * prompt stays as it was while it fits.
   * @default 'rule-based', but false with `abortOnFailure`
   */
  readonly fallbackStrategy?: false | Exclude<NamedStrategy, 'llm'> | SummaryStrategy | undefined;
  /**
   * Models to summarise with, in order of preference. Strings are resolved like any model id in the
   * AI SDK.
   * @default the wrapped model
   */
  readonly summarizerModelPreference?: LanguageModel | readonly LanguageModel[] | undefined;
}

/** The strategies that have a name. */
export type NamedStrategy = 'llm' | 'rule-based' | 'heuristic';
