import type { LanguageModel } from 'ai';
import type { SummarizationPrompts } from '../../prompts/summarization-prompts.ts';
import type { MessageFilter } from '../messages/message-filter.ts';

/** Options of `llmStrategy`; those of the same name of a middleware are handed on to it. */
export interface LlmStrategyOptions {
  /**
   * Models to summarise with, in order of preference: the next one is asked when one cannot be reached.
   * A string is resolved by the SDK's default provider or the gateway.
   * @default the model whose conversation is summarised
   */
  readonly models?: readonly LanguageModel[] | undefined;
  /**
   * What models are instructed with. Files are read by `loadPromptTemplates` of
   * `ai-sdk-summarization/node`.
   * @default 'default' each: the texts in the package's `prompts` folder
   */
  readonly prompts?: SummarizationPrompts | undefined;
  /**
   * What is read of each type of message: all of it, a text condensed to `prompts.maxSummaryChars`, or a
   * marker that it was there. A condensed message costs one call of a summarising model, unless it was
   * condensed before.
   * @default 'full' each
   */
  readonly messageFilter?: MessageFilter | undefined;
  /**
   * Tokens one call of the summarising model may read. What is longer is read in as few pieces as it takes, one after
   * the other, at most eight; what comes before those is left to the rules. Minimum: 500.
   * @default the summarising model's context length, less room for the answer
   */
  readonly maxTranscriptTokens?: number | undefined;
}
