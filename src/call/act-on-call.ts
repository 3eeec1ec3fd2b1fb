import { SummarizationError } from '../errors/summarization-error.ts';
import type { CallContext } from './call-context.ts';
import { composePrompt } from '../composing/compose-prompt.ts';
import { fitCall, type Draft, type FittedCall } from '../fitting/fit-call.ts';
import type { CallInspection } from './inspect-call.ts';
import { makeSummary } from '../summaries/make-summary.ts';
import { planSummary } from '../planning/plan-summary.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

/** Summarises a call whose trigger has fired, and makes it fit. */
export async function actOnCall(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<FittedCall> {
  const { params, composition } = inspection;
  const draft = (await summarize(context, inspection, measure)) ?? {
    prompt: composition?.prompt ?? params.prompt,
    composition,
  };
  const fitted = await fitCall(context, inspection, measure, draft);
  if (fitted.recovery !== undefined)
    context.emitForCall({ type: 'recovered', reason: 'too-long', ...fitted.recovery });
  return fitted;
}

/** Carries out the plan; `undefined` when nothing of it makes the prompt shorter. */
async function summarize(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<Draft | undefined> {
  const { emitForCall, options } = context;
  const plan = await planSummary(context, inspection, measure);
  if (plan.step === 'condense') {
    emitForCall({ type: 'skipped', reason: 'condensed' });
    return { prompt: plan.prompt, composition: inspection.composition };
  }
  if (plan.step === 'skip') {
    emitForCall({ type: 'skipped', reason: plan.reason });
    if (plan.failure !== undefined && options.abortOnFailure === true) throw plan.failure;
    return undefined;
  }
  const { coverage } = plan;
  try {
    const made = await makeSummary(context, { inspection, measure, coverage });
    const { view, style } = inspection;
    const composition = composePrompt(view, style, { record: made.record, cut: coverage.cut });
    return { prompt: composition.prompt, composition };
  } catch (error) {
    if (options.abortOnFailure === true || !SummarizationError.isInstance(error)) throw error;
    return undefined;
  }
}
