import { SummarizationError } from '../errors/summarization-error.ts';
import { declaredContextLengths } from '../options/declared-context-length.ts';
import { redactFailure } from '../cleaning/text-door.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type {
  SummaryAttempt,
  SummaryOutput,
  SummaryStrategy,
} from '../strategies/summary-strategy.ts';
import { asSummarizationError } from './as-summarization-error.ts';
import type { CallContext } from '../call/call-context.ts';
import type { SummaryRange } from '../planning/choose-range.ts';
import { conversationTreeId, keepTree } from './keep-tree.ts';
import { composePrompt } from '../composing/compose-prompt.ts';
import type { CallInspection } from '../call/read-call.ts';
import { timeSlices } from '../util/time-slices.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import { watchSummarizers } from '../report/watch-summarizers.ts';
import { writeRecord } from './write-record.ts';

/** A summary to be made. */
export interface SummaryOrder {
  readonly inspection: CallInspection;
  readonly measure: TokenMeasure;
  readonly coverage: SummaryRange;
}

/**
 * Writes, checks and stores the summary of a coverage. Everybody who asks for the same coverage at the
 * same time shares one summary.
 *
 * @throws {SummarizationError} when neither the strategy nor its fallback wrote a usable summary.
 */
export async function makeSummary(
  context: CallContext,
  order: SummaryOrder,
): Promise<StoredSummary> {
  const { state, params } = order.inspection;
  const key = await state.keyOf(order.coverage.count);
  let keeping: Promise<void> | undefined;
  const work = async (abortSignal: AbortSignal): Promise<StoredSummary> => {
    // Another process may have paid already, and its entry in the index been lost in a race.
    const known = await state.read(key);
    if (known !== undefined) return known;
    abortSignal.throwIfAborted();
    const made = await climbLadder(context, order, key, abortSignal);
    abortSignal.throwIfAborted();
    const saved = await state.save(key, made.summary);
    if (saved === made.summary) keeping = keepTree(context, order.inspection, made);
    return saved;
  };
  const summary = await context.flights.run(key, work, params.abortSignal);
  // Only who made it waits for it, and not for long.
  await keeping;
  return summary;
}

/** A summary that has been written, and the tree it was condensed through. */
export interface MadeSummary {
  readonly summary: StoredSummary;
  readonly hierarchical: SummaryOutput['hierarchical'];
}

/** Runs the strategy, then its fallback. */
async function climbLadder(
  context: CallContext,
  order: SummaryOrder,
  key: string,
  abortSignal: AbortSignal,
): Promise<MadeSummary> {
  const { strategy, fallbackStrategy, failures, emitForCall } = context;
  if (strategy === undefined)
    throw new SummarizationError({ reason: 'strategy', message: "The strategy is 'none'." });
  const watch = watchSummarizers(context.warnForCall);
  const rung = { key, onAttempt: watch.attempt, abortSignal };
  try {
    return await runRung(context, order, { ...rung, strategy, degraded: false });
  } catch (cause) {
    abortSignal.throwIfAborted();
    const error = failureOf(context, strategy, cause);
    if (fallbackStrategy === undefined) {
      failures.remember(key, error);
      throw error;
    }
    const { reason } = error;
    emitForCall({ type: 'fallback', from: strategy.name, to: fallbackStrategy.name, reason });
  } finally {
    if (!abortSignal.aborted) watch.warn();
  }
  try {
    return await runRung(context, order, { ...rung, strategy: fallbackStrategy, degraded: true });
  } catch (cause) {
    abortSignal.throwIfAborted();
    const error = failureOf(context, fallbackStrategy, cause);
    failures.remember(key, error);
    throw error;
  }
}

function failureOf(
  { emitForCall, options }: CallContext,
  { name }: SummaryStrategy,
  cause: unknown,
): SummarizationError {
  const error = asSummarizationError(cause, name, options.redact);
  const { reason, usage } = error;
  emitForCall({ type: 'failed', stage: 'summarize', reason, usage, error });
  return error;
}

/** Tells once for a summary that texts were left out, however many are concerned. */
function redactFaults({ emitForCall }: CallContext): () => void {
  const reason = 'redact failed, and texts were left out of a summary';
  let isTold = false;
  return () => {
    if (!isTold) emitForCall({ type: 'failed', stage: 'redact', reason, error: redactFailure() });
    isTold = true;
  };
}

interface Rung {
  readonly onAttempt: (attempt: SummaryAttempt) => void;
  readonly strategy: SummaryStrategy;
  readonly degraded: boolean;
  readonly key: string;
  readonly abortSignal: AbortSignal;
}

async function runRung(
  context: CallContext,
  order: SummaryOrder,
  rung: Rung,
): Promise<MadeSummary> {
  const { options, model, emitForCall } = context;
  const { inspection, measure, coverage } = order;
  const { view, policy, style, composition, decision, tokens } = inspection;
  const { start, cut, count } = coverage;
  const previous = composition?.record;
  const usePreviousNarrative =
    previous !== undefined && previous.depth < policy.maxSummaryChainDepth;
  const depth = usePreviousNarrative ? previous.depth + 1 : 0;
  const messages = view.conversation.slice(start, cut);
  const { reason } = decision;
  const { name: strategy } = rung.strategy;
  const startedAt = performance.now();
  emitForCall({ type: 'start', reason, strategy, depth, messages: messages.length });

  const { record, usage, hierarchical } = await writeRecord({
    ...rung,
    model,
    identity: view.identity,
    count,
    depth,
    previous,
    usePreviousNarrative,
    messages,
    maxSummaryTokens: policy.maxSummaryTokens,
    contextLength: policy.contextLengthKnown ? policy.contextLength : undefined,
    declaredContextLength: declaredContextLengths(options),
    maxTranscriptTokens: options.maxTranscriptTokens,
    namespace: options.namespace,
    redact: options.redact,
    onRedactFault: redactFaults(context),
    telemetry: options.telemetry,
    onAttempt: (attempt) => {
      context.logAttempt(attempt);
      rung.onAttempt(attempt);
    },
    onProgress: (progress) => emitForCall({ type: 'progress', strategy, ...progress }),
    log: context.log,
    measure,
  });
  const { abortSignal } = rung;
  const { prompt } = await composePrompt(view, style, { record, cut }, timeSlices({ abortSignal }));
  await measure.count(prompt, abortSignal);
  const tokensAfter = measure.prompt(prompt);
  if (tokensAfter >= tokens) {
    throw new SummarizationError({
      reason: 'not-smaller',
      message: `The summary would not have made the prompt smaller (${tokens} to ${tokensAfter} tokens).`,
      usage,
    });
  }
  emitForCall({
    type: 'end',
    reason,
    strategy,
    record,
    depth,
    degraded: record.degraded,
    coveredMessages: cut,
    tokensBefore: tokens,
    tokensAfter,
    ratioBefore: tokens / policy.limit,
    durationMs: performance.now() - startedAt,
    usage,
  });
  const messageCount = view.identity.significantBefore(view.conversation.length);
  const treeId = await conversationTreeId(context, inspection, rung.key);
  const lastSummarization = { depth, messageCount, tokenRatio: tokensAfter / policy.limit };
  const summary = { record, lastSummarization, ...(treeId === undefined ? {} : { treeId }) };
  return { summary, hierarchical };
}
