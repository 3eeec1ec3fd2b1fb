import type { LanguageModel } from 'ai';
import { checkInput } from '../../errors/check-input.ts';
import { checkObject } from '../../errors/check-object.ts';
import {
  anyFunction,
  anyObject,
  isModel,
  optionRules,
  type OptionRule,
} from '../../options/option-rules.ts';
import { checkPrompts } from '../../prompts/check-prompts.ts';
import type { SummarizationPrompts } from '../../prompts/summarization-prompts.ts';
import { circuitBreaker } from '../models/circuit-breaker.ts';
import { resolveMessageFilter, type MessageFilter } from '../transcript/message-filter.ts';
import type { MessageToCondense } from '../transcript/message-to-condense.ts';
import type { SummaryStrategy } from '../summary-strategy.ts';

/** Options of {@link llmStrategy}. */
export interface LlmStrategyOptions {
  /**
   * Models to summarise with, in order of preference: the next one is asked when one cannot be reached.
   * A string is resolved by the SDK's default provider or the gateway.
   * @default the model whose conversation is summarised
   */
  readonly models?: readonly LanguageModel[] | undefined;
  /**
   * Texts that take the place of the package's own.
   * @default 'default' each: the texts in the package's `prompts` folder
   */
  readonly prompts?: SummarizationPrompts | undefined;
  /**
   * What the model reads of each type of message. A condensed message costs one call of the summarising
   * model, unless it was condensed before or `condense` is given.
   * @default 'full' each
   */
  readonly messageFilter?: MessageFilter | undefined;
  /**
   * Condenses messages in the model's place. A text that is too long is cut; a message for which it
   * throws is cut too.
   */
  readonly condense?: ((message: MessageToCondense) => string) | undefined;
  /**
   * Tokens one call may read, where the caller of the strategy sets no limit. Minimum: 500.
   * @default 0.6 of the asked model's context length
   */
  readonly maxTranscriptTokens?: number | undefined;
  /** Told once about each template that holds variables nobody knows. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /**
   * Milliseconds after which one call counts as failed. Minimum: 1.
   * @default 60_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds of a clock that never goes back, for how long a failing model is left alone.
   * @default performance.now
   */
  readonly now?: (() => number) | undefined;
}

const rules: Readonly<Record<keyof LlmStrategyOptions, OptionRule>> = {
  models: {
    allowed: 'a list of at least one model or id, or nothing for the model of the conversation',
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isModel),
  },
  prompts: anyObject,
  messageFilter: anyObject,
  condense: anyFunction,
  maxTranscriptTokens: optionRules.maxTranscriptTokens,
  onWarning: anyFunction,
  timeoutMs: {
    allowed: 'a number of at least 1',
    accepts: (value) => Number.isFinite(value) && Number(value) >= 1,
  },
  now: anyFunction,
};

/**
 * Creates the strategy that lets a language model write the summary, as an object of a fixed schema.
 * Transcripts that are longer than a model may read are read in chunks, four at a time, whose summaries are
 * merged; they are kept in memory, 8 MiB a strategy object, so that only new chunks are paid for. A call that cannot reach the
 * model is repeated once, after 250 ms or what `Retry-After` says; an unusable answer is not asked for
 * again; three failed calls end a summary. A model that failed three times in a row is left alone for
 * 60 s, counted per strategy object: keep one for the life of a process. What code finds literally
 * important and the model dropped is added; what no source says is removed, see `applyLedger`.
 *
 * @throws SummarizationOptionError for a wrong option. `summarize` throws a SummarizationError, or the
 * reason of its abort signal.
 *
 * @example
 * ```ts
 * summarizationMiddleware({ strategy: llmStrategy({ models: [openai('gpt-5-nano')] }) });
 * ```
 */
export function llmStrategy(options: LlmStrategyOptions = {}): SummaryStrategy {
  checkInput(options, 'options');
  checkObject(options, rules, '');
  const { timeoutMs = 60_000, now = () => performance.now() } = options;
  checkPrompts(options.prompts, options.onWarning);
  resolveMessageFilter(options.messageFilter);
  const enter = circuitBreaker(now);
  let write: SummaryStrategy['summarize'] | undefined;
  return {
    name: 'llm',
    summarize: async (input) => {
      input.abortSignal?.throwIfAborted();
      // A module of its own: a process that only applies summaries needs none of it.
      const { llmWriter } = await import('./llm-writer.ts');
      write ??= llmWriter({ ...options, timeoutMs, enter });
      return write(input);
    },
  };
}
