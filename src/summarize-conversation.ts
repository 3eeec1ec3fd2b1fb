import type { LanguageModelV4 } from '@ai-sdk/provider';
import { asSummarizationError } from './call/as-summarization-error.ts';
import { middlewareContext } from './call/middleware-context.ts';
import { SummarizationError } from './errors/summarization-error.ts';
import { identifyConversation } from './identity/conversation-identity.ts';
import { resolvePolicy } from './options/resolve-policy.ts';
import type { SummarizationOptions } from './options/summarization-options.ts';
import { splitSystem } from './prompt/split-system.ts';
import { toPrompt, type Conversation } from './call/to-prompt.ts';
import type { SummaryRecord } from './record/summary-record.ts';
import { summaryState } from './state/summary-state.ts';

/** Input of {@link summarizeConversation}. */
export interface SummarizeConversationInput {
  /**
   * The messages to cover, from the beginning of the conversation, those that `parent` covers included.
   * Leading system messages are passed over.
   */
  readonly messages: Conversation;
  /** The model of the conversation; it also summarises unless `config` names others. */
  readonly model: LanguageModelV4;
  /**
   * The options that concern writing: strategies, models, budgets, `redact`, `providers`, and
   * `namespace` and `secret` for the record's id. Here `fallbackStrategy` is off unless it is given, so
   * that a failure shows.
   * @default {}
   */
  readonly config?: SummarizationOptions | undefined;
  /**
   * Depth of the record.
   * @default 0 without a parent, else one more than the parent's, or 0 at `maxSummaryChainDepth`
   */
  readonly depth?: number | undefined;
  /** The record to continue: only the messages after those it covers are read. */
  readonly parent?: SummaryRecord | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** What came of {@link summarizeConversation}. */
export type SummarizeConversationResult =
  | {
      readonly ok: true;
      readonly record: SummaryRecord;
      /** Tokens billed by summarising models. */
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
    }
  | {
      readonly ok: false;
      readonly error: SummarizationError;
      /** Whether the same call may succeed later. */
      readonly retryable: boolean;
    };

/**
 * Summarises a conversation into a record: the service under the middleware, for summaries made ahead
 * of need or outside of a call. Stores nothing. A failing model, or a parent that covers other messages,
 * is a result and not an exception.
 *
 * @throws {SummarizationOptionError} when `config` is wrong, and the signal's reason when it aborts.
 */
export async function summarizeConversation(
  input: SummarizeConversationInput,
): Promise<SummarizeConversationResult> {
  const { model, config = {}, parent, abortSignal } = input;
  const context = middlewareContext({ fallbackStrategy: false, ...config });
  const [{ writeRecord }, { tokenMeasure }] = await Promise.all([
    import('./call/write-record.ts'),
    import('./call/token-measure.ts'),
  ]);
  const policy = resolvePolicy(config, model, {});
  const { conversation } = splitSystem(await toPrompt(input.messages));
  const identity = identifyConversation(conversation);
  const count = identity.significantBefore(conversation.length);
  const start = parent === undefined ? 0 : await indexAfterParent(parent, identity);
  if (start === undefined || start >= conversation.length) {
    return failure(
      new SummarizationError({
        reason: 'parent-mismatch',
        message:
          start === undefined
            ? 'The parent covers other messages than this conversation begins with.'
            : 'There are no messages after those the parent covers.',
      }),
    );
  }
  const usePreviousNarrative = parent !== undefined && parent.depth < policy.maxSummaryChainDepth;
  const state = summaryState({
    store: context.guardedStore(() => {}),
    keys: context.keys,
    identity,
  });
  const request = {
    model,
    identity,
    count,
    key: await state.keyOf(count),
    depth: input.depth ?? (usePreviousNarrative ? parent.depth + 1 : 0),
    previous: parent,
    usePreviousNarrative,
    messages: conversation.slice(start),
    maxSummaryTokens: policy.maxSummaryTokens,
    maxTranscriptTokens: config.maxTranscriptTokens,
    redact: config.redact,
    measure: await tokenMeasure({ prompt: [] }, model, policy.tokenMultiplier),
    abortSignal,
  };
  let error = new SummarizationError({ reason: 'strategy', message: "The strategy is 'none'." });
  for (const strategy of [context.strategy, context.fallbackStrategy]) {
    if (strategy === undefined) continue;
    try {
      // The fallback runs only when the strategy before it has failed.
      const written = await writeRecord({
        ...request,
        strategy,
        degraded: strategy !== context.strategy,
      });
      return { ok: true, ...written };
    } catch (cause) {
      abortSignal?.throwIfAborted();
      error = asSummarizationError(cause, strategy.name);
    }
  }
  return failure(error);
}

async function indexAfterParent(
  parent: SummaryRecord,
  identity: ReturnType<typeof identifyConversation>,
): Promise<number | undefined> {
  const count = parent.originalMessageIds.length;
  const index = identity.indexAfter(count);
  return (await identity.prefixDigest(count)) === parent.prefixDigest ? index : undefined;
}

function failure(error: SummarizationError): SummarizeConversationResult {
  return { ok: false, error, retryable: error.retryable };
}
