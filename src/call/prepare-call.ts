import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { targetTokens } from '../trigger/decide.ts';
import type { CallContext } from './call-context.ts';
import { ownCallOptions } from './call-options.ts';
import { chooseCoverage, type Coverage } from './choose-coverage.ts';
import { composePrompt, type Composition } from './compose-prompt.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import { fitCall, type Draft } from './fit-call.ts';
import { inspectCall, type CallInspection } from './inspect-call.ts';
import { makeSummary } from './make-summary.ts';
import { reportCall, sizeOf, type SentCall } from './report-call.ts';
import type { TokenMeasure } from './token-measure.ts';
import { warnOfSetUp } from './warn-of-set-up.ts';

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
    return { params: ownCallOptions(given).params, sent: undefined };
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
    exact: measure !== undefined,
    messageCount: inspection.view.conversation.length,
    lastSummarization: inspection.stored?.lastSummarization,
  });
  if (decision.act === 'none' || measure === undefined) {
    if (decision.reason !== 'below-trigger')
      emitForCall({ type: 'skipped', reason: decision.reason });
    return send(
      context,
      inspection,
      inspection.composition,
      inspection.composition?.prompt,
      tokens,
    );
  }
  const draft = (await summarize(context, inspection, measure)) ?? {
    prompt: inspection.composition?.prompt ?? params.prompt,
    composition: inspection.composition,
  };
  const fitted = await fitCall(context, inspection, measure, draft);
  if (fitted.recovery !== undefined)
    emitForCall({ type: 'recovered', reason: 'too-long', ...fitted.recovery });
  return send(context, inspection, fitted.composition, fitted.prompt, fitted.tokens);
}

/** Makes the next record and puts it in place, or finds that condensing is enough. */
async function summarize(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<Draft | undefined> {
  const { emitForCall, strategy, failures, options } = context;
  const { view, style, state, stored, policy, decision, callOptions } = inspection;
  const halted =
    policy.atMaxDepth === 'halt' && (stored?.record.depth ?? -1) >= policy.maxSummaryChainDepth;
  if (strategy === undefined || halted) {
    emitForCall({ type: 'skipped', reason: halted ? 'max-depth' : 'no-strategy' });
    return undefined;
  }
  const coverage = canFit(inspection, measure) ? chooseCoverage(inspection, measure) : undefined;
  if (coverage === undefined) {
    emitForCall({ type: 'skipped', reason: 'nothing-to-cover' });
    return undefined;
  }
  if (options.condenseToolResults === true && decision.reason !== 'forced') {
    const condensed = condensedPrompt(context, inspection, coverage);
    if (measure.prompt(condensed) <= targetTokens(policy.limit, policy)) {
      emitForCall({ type: 'skipped', reason: 'condensed' });
      return { prompt: condensed, composition: inspection.composition };
    }
  }
  try {
    const recent =
      callOptions.force === true ? undefined : failures.recall(await state.keyOf(coverage.count));
    if (recent !== undefined) {
      emitForCall({ type: 'skipped', reason: 'recent-failure' });
      throw recent;
    }
    const made = await makeSummary(context, { inspection, measure, coverage });
    const composition = composePrompt(view, style, made.record, coverage.cut);
    return { prompt: composition.prompt, composition };
  } catch (error) {
    if (options.abortOnFailure === true || !SummarizationError.isInstance(error)) throw error;
    return undefined;
  }
}

/** Whether what must stay leaves any room: a summary is not paid for when the call is refused anyway. */
function canFit({ view, policy }: CallInspection, measure: TokenMeasure): boolean {
  const latestUser = view.conversation.findLast(({ role }) => role === 'user');
  const least = latestUser === undefined ? view.systems : [...view.systems, latestUser];
  return measure.prompt(least) <= policy.limit;
}

/** The prompt as it stands, with the tool outputs that would be covered replaced by their facts. */
function condensedPrompt(
  { options }: CallContext,
  { view, params, composition }: CallInspection,
  coverage: Coverage,
): CallOptions['prompt'] {
  const stale = new Set(view.conversation.slice(0, coverage.cut));
  return condenseToolResults(composition?.prompt ?? params.prompt, stale, options);
}

function send(
  context: CallContext,
  inspection: CallInspection,
  composition: Composition | undefined,
  prompt: CallOptions['prompt'] | undefined,
  tokens: number,
): PreparedCall {
  const { params } = inspection;
  const report = reportCall(context, inspection, composition, tokens);
  const sentParams =
    prompt === undefined || prompt === params.prompt ? params : { ...params, prompt };
  return { params: sentParams, sent: { context, inspection, composition, report } };
}
