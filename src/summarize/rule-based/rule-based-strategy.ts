import { SummarizationOptionError } from '../../errors/summarization-option-error.ts';
import type { SummaryStrategy } from '../summary-strategy.ts';
import type { ToolExtractor } from './tool-summary.ts';

/** Options of {@link ruleBasedStrategy}. */
export interface RuleBasedStrategyOptions {
  /**
   * What to keep of the results of your own tools, by tool name; goes before the built-in extractors.
   * @default {}
   */
  readonly extractors?: Readonly<Record<string, ToolExtractor>> | undefined;
  /**
   * Whether the error text of a failed tool call stays whole, up to 2,000 characters.
   * @default true
   */
  readonly preserveErrorDetails?: boolean | undefined;
  /**
   * With fewer user messages in what is summarised, a placeholder stands for the list of them.
   * Minimum: 0.
   * @default 3
   */
  readonly minUserTurns?: number | undefined;
}

/**
 * Creates the strategy that summarises without a model: it quotes. Rules the user set stand verbatim in
 * `context.constraints`, files that were changed in `context.domainEntities`, tool calls as lines such as
 * `[✓ read_file: File: a.ts | Lines: 120]`; the rest of the budget goes to short excerpts that cover
 * what the conversation is most likely to refer to again. Deterministic, without I/O, linear in its
 * input: under half a second for a million tokens once warm.
 *
 * @throws SummarizationOptionError for a wrong option.
 *
 * @example
 * ```ts
 * summarizationMiddleware({ strategy: ruleBasedStrategy({ extractors: { my_tool: myExtractor } }) });
 * ```
 */
export function ruleBasedStrategy(options: RuleBasedStrategyOptions = {}): SummaryStrategy {
  const { extractors = {}, preserveErrorDetails = true, minUserTurns = 3 } = options;
  if (!Number.isInteger(minUserTurns) || minUserTurns < 0) {
    throw new SummarizationOptionError({
      option: 'minUserTurns',
      value: minUserTurns,
      allowed: 'an integer of at least 0',
    });
  }
  return {
    name: 'rule-based',
    summarize: async (input) => {
      input.abortSignal?.throwIfAborted();
      // Modules of their own: a process that only applies summaries does not need them.
      const [{ availableTextCounter }, { extractContent }] = await Promise.all([
        import('../../tokens/available-text-counter.ts'),
        import('./extract-content.ts'),
      ]);
      const { count } = await availableTextCounter();
      const content = extractContent(
        input,
        { extractors, preserveErrorDetails, minUserTurns },
        count,
      );
      return { content, usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}
