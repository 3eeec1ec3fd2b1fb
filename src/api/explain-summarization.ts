import type { LanguageModel } from 'ai';
import type { GivenConversation } from './given-conversation.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { LastSummarization } from '../record/stored-summary.ts';
import type { TriggerReason } from '../planning/decide.ts';

/**
 * The call to explain: `prompt` or `messages`, and `tools`, as `generateText` takes them or as a middleware
 * sees them, and the other parameters of a call.
 */
export type ExplainSummarizationParams = GivenConversation &
  Omit<CallOptions, 'prompt' | 'tools'> & {
    /** The wrapped model. A string is resolved by the SDK's default provider or the gateway. */
    readonly model: LanguageModel;
    /**
     * The options of the middleware.
     * @default {}
     */
    readonly options?: SummarizationOptions | undefined;
  };

/** What a call would come to. Token figures are of the wrapped model. */
export interface SummarizationExplanation {
  /**
   * What would be done: nothing; old tool results replaced by their facts (`condenseToolResults`); a
   * summary; or, as the prompt does not fit (`emergency`), a summary if there is a `plan`, and whatever it
   * takes without a model.
   */
  readonly act: 'none' | 'condense' | 'summarize' | 'emergency';
  /** What triggered it; where nothing is summarised, why, as the `skipped` event says it. */
  readonly reason: TriggerReason | 'no-strategy' | 'nothing-to-cover' | 'recent-failure';
  /** Tokens of the prompt as it stands, a stored record applied. */
  readonly tokens: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** `tokens` over what the model accepts less the room for the answer. */
  readonly ratio: number;
  /** Messages after the leading system messages. */
  readonly messageCount: number;
  /** The stored record that stands in the prompt. */
  readonly applied?:
    | { readonly recordId: string; readonly depth: number; readonly coveredMessages: number }
    | undefined;
  /** How the last summarisation left the conversation. */
  readonly lastSummarization?: LastSummarization | undefined;
  /** What the summary would do; only when one would be made. */
  readonly plan?: SummarizationPlan | undefined;
}

/** What a summary would do. */
export interface SummarizationPlan {
  /** Messages the record would cover, from the beginning. */
  readonly coveredMessages: number;
  /** Messages of the tail that stay verbatim. */
  readonly tailMessages: number;
  /** Tokens of the messages a summarising model would read, before its own instructions. */
  readonly summarizerInputTokens: number;
  /** The most tokens the summary would take. */
  readonly maxSummaryTokens: number;
}

/**
 * Explains what the middleware would do with a call: a dry run without side effects that calls no model
 * and writes nothing. Give it the options of the middleware, its `store`, `secret` and `namespace`
 * included, or it will not know what has been summarised.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; what the
 * provider throws for a model id that it does not know.
 *
 * @example
 * ```ts
 * const { act, reason, plan } = await explainSummarization({ messages, model, options });
 * ```
 */
export async function explainSummarization(
  params: ExplainSummarizationParams,
): Promise<SummarizationExplanation> {
  const { explainCall } = await import('./explain-call.ts');
  return explainCall(params);
}
