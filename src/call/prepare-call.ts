import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { CallContext } from './call-context.ts';
import { withoutOwnOptions } from '../options/call-options.ts';
import type { FittedCall } from '../fitting/fit-call.ts';
import { inspectCall, type CallInspection } from './inspect-call.ts';
import { learnObserved } from '../sizing/learn-usage.ts';
import { reportCall, sizeOf, type SentCall } from '../report/report-call.ts';
import { warnOfSetUp } from '../options/warn-of-set-up.ts';

/** A call that is ready to be sent. */
export interface PreparedCall {
  /** The same object as given when nothing had to be done. */
  readonly params: CallOptions;
  /** What is known of it when it is answered; `undefined` when the call was passed over. */
  readonly sent: SentCall | undefined;
}

/**
 * Prepares one call: applies the stored record, decides, summarises, makes the prompt fit. A failure of
 * the package leaves the call as it was; only an abort, a wrong per-call option, `abortOnFailure` and a
 * prompt that cannot be made to fit are thrown.
 */
export async function prepareCall(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  try {
    return await prepare(context, given);
  } catch (error) {
    given.abortSignal?.throwIfAborted();
    if (
      SummarizationOptionError.isInstance(error) ||
      SummarizationError.isInstance(error) ||
      ContextOverflowError.isInstance(error)
    )
      throw error;
    context.emitForCall({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return { params: withoutOwnOptions(given), sent: undefined };
  }
}

async function prepare(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  const inspection = await inspectCall(context, given);
  const { params, decision, tokens, measure } = inspection;
  const { emitForCall } = context;
  if (decision.reason === 'disabled') return { params, sent: undefined };
  warnOfSetUp(context, inspection);
  emitForCall({
    type: 'check',
    ...decision,
    ...sizeOf(inspection, tokens),
    exact: inspection.size.measuredBy === 'count' && measure !== undefined,
    measuredBy: inspection.size.measuredBy,
    tokenized: inspection.size.tokenized,
    messageCount: inspection.view.conversation.length,
    lastSummarization: inspection.stored?.lastSummarization,
  });
  learnObserved(context, inspection);
  if (decision.act === 'none' || measure === undefined) {
    if (decision.reason !== 'below-trigger')
      emitForCall({ type: 'skipped', reason: decision.reason });
    const { composition, size } = inspection;
    const prompt = composition?.prompt ?? params.prompt;
    return send(context, inspection, { prompt, composition, tokens, counted: size.counted });
  }
  // A module of its own: most calls have nothing to do.
  const { actOnCall } = await import('./act-on-call.ts');
  const fitted = await actOnCall(context, inspection, measure);
  return send(context, inspection, fitted);
}

function send(
  context: CallContext,
  inspection: CallInspection,
  { prompt, composition, tokens, counted }: Omit<FittedCall, 'recovery'>,
): PreparedCall {
  const { params } = inspection;
  const report = reportCall(context, inspection, composition, tokens);
  const sentParams = prompt === params.prompt ? params : { ...params, prompt };
  return {
    params: sentParams,
    sent: { context, inspection, composition, report, counted: { prompt, tokens: counted } },
  };
}
