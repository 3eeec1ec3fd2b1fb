import { SummarizationError } from '../errors/summarization-error.ts';
import { identifyConversation } from '../identity/conversation-identity.ts';
import { declaredContextLengths } from '../options/declared-context-length.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import type { WrappedModel } from '../prompt/prompt-types.ts';
import { splitSystem } from '../prompt/split-system.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { summaryState } from '../summaries/summary-state.ts';
import type {
  SummarizeConversationInput,
  SummarizeConversationResult,
} from './summarize-conversation.ts';
import { asSummarizationError } from '../summaries/as-summarization-error.ts';
import { middlewareContext } from '../call/middleware-context.ts';
import { plainRates } from '../sizing/size-rates.ts';
import { readModel } from './given-model.ts';
import { checkSummarizeInput } from './check-summarize-input.ts';
import { readCall } from './to-prompt.ts';
import { tokenMeasure } from '../sizing/token-measure.ts';
import { writeRecord } from '../summaries/write-record.ts';

/** The part of `summarizeConversation` that loads when it is called. */
export async function summarizeMessages(
  input: SummarizeConversationInput,
): Promise<SummarizeConversationResult> {
  await checkSummarizeInput(input);
  const { config = {}, parent, abortSignal } = input;
  const context = middlewareContext({ fallbackStrategy: false, ...config });
  const model = await knownModel(input.model);
  if (SummarizationError.isInstance(model)) return failure(model);
  const policy = resolvePolicy(config, model, {});
  const { prompt } = await readCall(input);
  const { conversation } = splitSystem(prompt);
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
    contextLength: policy.contextLengthKnown ? policy.contextLength : undefined,
    declaredContextLength: declaredContextLengths(config),
    maxTranscriptTokens: config.maxTranscriptTokens,
    namespace: config.namespace,
    redact: config.redact,
    telemetry: config.telemetry,
    measure: await tokenMeasure({ prompt: [] }, model, plainRates(policy.tokenMultiplier)),
    abortSignal,
  };
  let error = new SummarizationError({ reason: 'strategy', message: "The strategy is 'none'." });
  for (const strategy of [context.strategy, context.fallbackStrategy]) {
    if (strategy === undefined) continue;
    try {
      // The fallback runs only when the strategy before it has failed.
      const { record, usage } = await writeRecord({
        ...request,
        strategy,
        degraded: strategy !== context.strategy,
      });
      return { ok: true, record, usage };
    } catch (cause) {
      abortSignal?.throwIfAborted();
      error = asSummarizationError(cause, strategy.name, config.redact);
    }
  }
  return failure(error);
}

/** An id that no provider knows is a failing model. */
async function knownModel(
  given: SummarizeConversationInput['model'],
): Promise<WrappedModel | SummarizationError> {
  try {
    return await readModel(given);
  } catch (cause) {
    const message = 'The model of the conversation is not known.';
    return new SummarizationError({ reason: 'transport', message, cause });
  }
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
