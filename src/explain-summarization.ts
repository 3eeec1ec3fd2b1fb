import type { LanguageModel } from 'ai';
import type { GivenConversation } from './call/given-conversation.ts';
import type { SummarizationOptions } from './options/summarization-options.ts';
import type { CallOptions } from './prompt/prompt-types.ts';
import type { LastSummarization } from './state/stored-summary.ts';
import type { TriggerReason } from './trigger/decide.ts';

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
  /** Whether a summary would be made: `none`, `summarize`, or `emergency` when the prompt does not fit. */
  readonly act: 'none' | 'summarize' | 'emergency';
  readonly reason: TriggerReason;
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
  /** What the summary would do; `undefined` when none would be made. */
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
  const { explainCall } = await import('./call/explain-call.ts');
  return explainCall(params);
}
