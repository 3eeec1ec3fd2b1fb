import { composePrompt } from '../composing/compose-prompt.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { fitCall, type Draft, type FittedCall } from '../fitting/fit-call.ts';
import type { Plan } from '../planning/plan.ts';
import { makeSummary } from '../summaries/make-summary.ts';
import { timeSlices } from '../util/time-slices.ts';
import type { CallContext } from './call-context.ts';
import type { CallReading } from './read-call.ts';

/** A plan by which something is to be done. */
export type ActingPlan = Exclude<Plan, { measure?: undefined }>;

/** Carries out the plan of a call, and makes it fit. */
export async function runPlan(
  context: CallContext,
  call: CallReading,
  plan: ActingPlan,
): Promise<FittedCall> {
  const draft = await draftOf(context, call, plan);
  const fitted = await fitCall({
    ...call,
    ...draft,
    measure: plan.measure,
    toolResults: context.toolResults,
    keyOf: call.state.keyOf,
    abortSignal: call.params.abortSignal,
  });
  if (fitted.shortening !== undefined)
    context.emitForCall({ type: 'recovered', reason: 'too-long', ...fitted.shortening });
  return fitted;
}

async function draftOf(context: CallContext, call: CallReading, plan: ActingPlan): Promise<Draft> {
  const { emitForCall, options } = context;
  const { params, composition } = call;
  const asItStands = { prompt: composition?.prompt ?? params.prompt, composition };
  switch (plan.step) {
    case 'condense':
      emitForCall({ type: 'skipped', reason: 'condensed' });
      return { prompt: plan.prompt, composition };
    case 'fit':
      // Whatever else it may be, the reason of such a plan is one of an event.
      emitForCall({ type: 'skipped', reason: plan.reason });
      if (plan.failure !== undefined && options.abortOnFailure === true) throw plan.failure;
      return asItStands;
    case 'summarize':
      return (await summarized(context, call, plan)) ?? asItStands;
  }
}

/** `undefined` when no summary could be made. */
async function summarized(
  context: CallContext,
  call: CallReading,
  plan: Extract<ActingPlan, { step: 'summarize' }>,
): Promise<Draft | undefined> {
  try {
    const inspection = { ...call, ...plan };
    const { record } = await makeSummary(context, {
      inspection,
      measure: plan.measure,
      coverage: plan.range,
    });
    const part = { record, cut: plan.range.cut };
    const slices = timeSlices({ abortSignal: call.params.abortSignal });
    const composition = await composePrompt(call.view, call.style, part, slices);
    return { prompt: composition.prompt, composition };
  } catch (error) {
    if (context.options.abortOnFailure === true || !SummarizationError.isInstance(error))
      throw error;
    return undefined;
  }
}
