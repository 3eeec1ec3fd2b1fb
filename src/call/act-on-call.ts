import { SummarizationError } from '../errors/summarization-error.ts';
import type { CallContext } from './call-context.ts';
import { chooseCoverage } from './choose-coverage.ts';
import { composePrompt, type Composition } from './compose-prompt.ts';
import { fitCall, type FittedCall } from './fit-call.ts';
import type { CallInspection } from './inspect-call.ts';
import { makeSummary } from './make-summary.ts';
import type { TokenMeasure } from './token-measure.ts';

/** Summarises a call whose trigger has fired, and makes it fit. */
export async function actOnCall(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<FittedCall> {
  const composition = (await summarize(context, inspection, measure)) ?? inspection.composition;
  const fitted = await fitCall(inspection, measure, composition);
  if (fitted.recovery !== undefined)
    context.emitForCall({ type: 'recovered', reason: 'too-long', ...fitted.recovery });
  return fitted;
}

/** Makes the next record and puts it in place; `undefined` when there is none to be had. */
async function summarize(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<Composition | undefined> {
  const { emitForCall, strategy, failures, options } = context;
  const { view, style, state, stored, policy, callOptions } = inspection;
  const halted =
    policy.atMaxDepth === 'halt' && (stored?.record.depth ?? -1) >= policy.maxSummaryChainDepth;
  if (strategy === undefined || halted) {
    emitForCall({ type: 'skipped', reason: halted ? 'max-depth' : 'no-strategy' });
    return undefined;
  }
  const coverage = chooseCoverage(inspection, measure);
  if (coverage === undefined) {
    emitForCall({ type: 'skipped', reason: 'nothing-to-cover' });
    return undefined;
  }
  try {
    const recent =
      callOptions.force === true ? undefined : failures.recall(await state.keyOf(coverage.count));
    if (recent !== undefined) {
      emitForCall({ type: 'skipped', reason: 'recent-failure' });
      throw recent;
    }
    const made = await makeSummary(context, { inspection, measure, coverage });
    return composePrompt(view, style, made.record, coverage.cut);
  } catch (error) {
    if (options.abortOnFailure === true || !SummarizationError.isInstance(error)) throw error;
    return undefined;
  }
}
