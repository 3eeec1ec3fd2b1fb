import { composePrompt, type Composition } from '../composing/compose-prompt.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { fitCall, type Draft, type FittedCall } from '../fitting/fit-call.ts';
import { declaredContextLengths } from '../options/declared-context-length.ts';
import type { Plan } from '../planning/plan.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
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
  const { options, emitForCall: emit } = context;
  const { view, stored } = call;
  const compose = async (
    record: SummaryRecord,
    abortSignal: AbortSignal | undefined,
  ): Promise<Composition> => {
    const part = { record, cut: plan.range.cut };
    return composePrompt(view, call.style, part, timeSlices({ abortSignal }));
  };
  try {
    const { record } = await makeSummary({
      ...plan,
      ...call,
      writers: {
        ...context,
        declaredContextLength: declaredContextLengths(options),
        onAttempt: context.logAttempt,
      },
      reason: plan.decision.reason,
      previous: call.composition?.record,
      compose,
      flights: context.flights,
      failures: context.failures,
      tree: {
        store: options.summaryTreeStore,
        conversationId: call.callOptions.conversationId,
        namespace: options.namespace,
        treeId: stored?.treeId,
        keys: context.keys,
      },
      emit,
      warn: context.warnForCall,
      abortSignal: call.params.abortSignal,
    });
    const composition = await compose(record, call.params.abortSignal);
    return { prompt: composition.prompt, composition };
  } catch (error) {
    if (options.abortOnFailure === true || !SummarizationError.isInstance(error)) throw error;
    return undefined;
  }
}
