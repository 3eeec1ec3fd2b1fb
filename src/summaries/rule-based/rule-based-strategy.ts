import { validate } from '../../foundations/checks/check-object.ts';
import { anyBoolean, integer, lazily, optionsOf } from '../../foundations/checks/option-rule.ts';
import type { SummaryStrategy, ToolResultOptions } from '../strategies/summary-strategy.ts';
import { extractorsRule } from './tool-facts.ts';

/** Options of {@link ruleBasedStrategy}. */
export interface RuleBasedStrategyOptions extends ToolResultOptions {
  /**
   * Below this number of user messages, a narrative written without a model begins with a line that says so. Minimum: 0.
   * @default 3
   */
  readonly minUserTurns?: number | undefined;
}

const optionsRule = lazily(() =>
  optionsOf<RuleBasedStrategyOptions>(
    {
      extractors: extractorsRule,
      preserveErrorDetails: anyBoolean,
      minUserTurns: integer(0),
    },
    { allowed: 'an object with options' },
  ),
);

/**
 * Creates the strategy that summarizes without a model. `context.userQuotes` quotes the user word for word; the
 * narrative tells in the order of the conversation what tools did and how it ended (`[✓ read_file: File: a.ts | Lines:
 * 120]`) and what the assistant said last, in whole lines; `context.domainEntities` lists the identifiers most likely
 * to be needed, under the fields that held them (`user_id: u_17; order: W12 W13`). The strategy understands no
 * language: it finds no constraints, and keeps those of a record that it continues. It is deterministic, without I/O,
 * and linear in its input.
 *
 * @throws SummarizationOptionError for a wrong option.
 *
 * @example
 * ```ts
 * summarizationMiddleware({ strategy: ruleBasedStrategy({ extractors: { my_tool: myExtractor } }) });
 * ```
 */
export function ruleBasedStrategy(own: RuleBasedStrategyOptions = {}): SummaryStrategy {
  const options = validate(optionsRule(), own, 'input');
  const { extractors, preserveErrorDetails, minUserTurns = 3 } = options;
  const toolResults = { extractors, preserveErrorDetails };
  return {
    name: 'rule-based',
    toolResults,
    summarize: async (input) => {
      input.abortSignal?.throwIfAborted();
      // A module of its own: a process that only applies summaries does not need it.
      const { writeRuleBased } = await import('./write-rule-based.ts');
      const content = await writeRuleBased(input, toolResults, minUserTurns);
      return { content, usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}
