import { validate } from '../../foundations/checks/check-object.ts';
import { integer, isModel, lazily, optionsOf, rule } from '../../foundations/checks/option-rule.ts';
import { promptsRule } from '../templates/summarization-prompts.ts';
import { messageFilterRule } from '../messages/message-filter.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import type { LlmStrategyOptions } from './llm-writer.ts';

const optionsRule = lazily(() =>
  optionsOf<LlmStrategyOptions>(
    {
      models: rule(
        'a list of at least one model or id, or nothing for the model of the conversation',
        (value) => Array.isArray(value) && value.length > 0 && value.every(isModel),
      ),
      prompts: promptsRule(),
      messageFilter: messageFilterRule(),
      maxTranscriptTokens: integer(500),
    },
    { allowed: 'an object with options' },
  ),
);

/**
 * Creates the strategy that lets a language model write the summary, as an object of a fixed schema. One summary is one
 * call; messages that a model cannot read at once are read in as few pieces as possible, each on top of the record so
 * far, by at most eight calls, and the oldest rest by the rule-based summarizer. A model is asked for a stream, and
 * counts as failed when it has sent nothing for `summaryTimeoutMs`. A model that refuses the form of a request is asked
 * in another form, which is remembered for an hour. A call that cannot reach the model is repeated once, after 250 ms
 * or what `Retry-After` says, unless there is no time for that; an unusable answer is not asked for again; three failed
 * calls end a summary. A model that failed three times in a row is left alone: for a second, doubling to a minute, if a
 * moment may help; else for a minute; or for as long as the provider asks. Failures are counted and forms remembered
 * per strategy object: keep one for the life of a process. Code adds user quotes, the activity log and the identifiers
 * likely to be needed. Constraints are quoted from the user's messages. A statement that no message supports has the
 * summarizer as its origin, and a value without evidence is marked `(unconfirmed)`.
 *
 * @throws SummarizationOptionError for a wrong option. `summarize` throws a SummarizationError, or the
 * reason of its abort signal.
 *
 * @example
 * ```ts
 * summarizationMiddleware({ strategy: llmStrategy({ models: [openai('gpt-5-nano')] }) });
 * ```
 */
export function llmStrategy(given: LlmStrategyOptions = {}): SummaryStrategy {
  const options = validate(optionsRule(), given, 'input');
  let write: SummaryStrategy['summarize'] | undefined;
  return {
    name: 'llm',
    summarize: async (input) => {
      input.abortSignal?.throwIfAborted();
      // A module of its own: a process that only applies summaries needs none of it.
      const { llmWriter } = await import('./llm-writer.ts');
      write ??= llmWriter(options);
      return write(input);
    },
  };
}
