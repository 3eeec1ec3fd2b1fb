import { checked } from '../../checks/check-object.ts';
import { flag, integer, lazily, optionsOf } from '../../checks/option-rule.ts';
import { defaultSummaryChars, leastSummaryChars } from '../../prompts/summarization-prompts.ts';
import {
  messageFilterRule,
  resolveMessageFilter,
  type MessageFilter,
} from '../messages/message-filter.ts';
import type { SummaryStrategy } from '../summary-strategy.ts';
import { extractorsRule, type ToolResultOptions } from '../tool-summary.ts';

/** Options of {@link ruleBasedStrategy}. */
export interface RuleBasedStrategyOptions extends ToolResultOptions {
  /**
   * With fewer messages of the user, the narrative begins with a line that says so.
   * Minimum: 0.
   * @default 3
   */
  readonly minUserTurns?: number | undefined;
  /**
   * What is read of each type of message: all of it, a text cut to `maxSummaryChars`, or a marker that it
   * was there. Tool results to condense are left to the extractors.
   * @default 'full' each
   */
  readonly messageFilter?: MessageFilter | undefined;
  /**
   * UTF-16 characters of a message that is cut. Minimum: 10.
   * @default 500
   */
  readonly maxSummaryChars?: number | undefined;
}

const optionsRule = lazily(() =>
  optionsOf<RuleBasedStrategyOptions>(
    {
      extractors: extractorsRule,
      preserveErrorDetails: flag,
      minUserTurns: integer(0),
      messageFilter: messageFilterRule(),
      maxSummaryChars: integer(leastSummaryChars),
    },
    { allowed: 'an object with options' },
  ),
);

/**
 * Creates the strategy that summarises without a model. In `context.userWords` stands what the user said, word for
 * word; the narrative tells in the order of the conversation what tools did and how it ended (`[✓ read_file: File: a.ts |
 * Lines: 120]`) and what the assistant said last, in whole lines; `context.domainEntities` lists the identifiers most
 * likely to be needed, under the fields that held them (`user_id: u_17; order: W12 W13`). It understands no language:
 * it calls nothing a rule, and keeps the rules of a record that it continues. Deterministic, without I/O, linear in
 * its input.
 *
 * @throws SummarizationOptionError for a wrong option.
 *
 * @example
 * ```ts
 * summarizationMiddleware({ strategy: ruleBasedStrategy({ extractors: { my_tool: myExtractor } }) });
 * ```
 */
export function ruleBasedStrategy(own: RuleBasedStrategyOptions = {}): SummaryStrategy {
  const options = checked(optionsRule(), own, 'input');
  const { extractors = {}, preserveErrorDetails = true, minUserTurns = 3 } = options;
  const { maxSummaryChars = defaultSummaryChars } = options;
  const given = resolveMessageFilter(options.messageFilter);
  // Extractors read more from the whole than from a cut text.
  const filter = { ...given, toolResults: given.toolResults === 'omit' ? 'omit' : 'full' } as const;
  return {
    name: 'rule-based',
    toolResults: { extractors, preserveErrorDetails },
    summarize: async (input) => {
      input.abortSignal?.throwIfAborted();
      // Modules of their own: a process that only applies summaries does not need them.
      const { filterMessages } = await import('../messages/read-messages.ts');
      const { writeByRules } = await import('./write-by-rules.ts');
      const messages = await filterMessages(input.messages, input, { filter, maxSummaryChars });
      const content = await writeByRules(
        { ...input, messages },
        { extractors, preserveErrorDetails, minUserTurns },
      );
      return { content, usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}
