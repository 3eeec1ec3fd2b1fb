import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { fitPrompt, type Draft, type FittedCall } from '../fitting/fit-prompt.ts';
import type { Joins, Plan, SummaryRange } from '../planning/plan.ts';
import { rangeBegun } from '../planning/choose-range.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { makeSummary } from '../summaries/make-summary.ts';
import { clockMs } from '../util/clock-ms.ts';
import type { CallContext } from './reading/call-context.ts';
import { enqueueSummary, queueOf } from './enqueue-summary.ts';
import { maxWaitMsOf } from '../options/waits.ts';
import { composing, orderOf, type SummarizingPlan } from './order-of.ts';
import { putInPlace } from './put-in-place.ts';
import type { CallReading } from './reading/read-call.ts';

/** A plan by which something is to be done. */
export type ActingPlan = Exclude<Plan, { measure?: undefined }>;

/** Carries out the plan of a call, and makes it fit. */
export async function runPlan(
  context: CallContext,
  call: CallReading,
  plan: ActingPlan,
): Promise<FittedCall> {
  const draft = await draftOf(context, call, plan);
  const { view, style, policy, state, params } = call;
  const { size, tokens } = plan;
  // What fits by the size it was decided at is not shortened because another figure says more; what may not, by the same
  // figure, has waited for its summary.
  if (draft.prompt === call.prompt && size.most < policy.limit)
    return { ...draft, tokens, counted: size.counted };
  const fitted = await fitPrompt({
    ...draft,
    view,
    style,
    policy,
    measure: plan.measure,
    toolResults: context.toolResults,
    keyOf: state.keyOf,
    abortSignal: params.abortSignal,
  });
  if (fitted.shortening !== undefined)
    context.emit({ type: 'recovered', reason: 'too-long', ...fitted.shortening });
  return fitted;
}

async function draftOf(context: CallContext, call: CallReading, plan: ActingPlan): Promise<Draft> {
  const { emit, options } = context;
  const { prompt, composition } = call;
  const asItStands = { prompt, composition };
  switch (plan.step) {
    case 'condense':
      emit({ type: 'skipped', reason: 'condensed' });
      return { prompt: plan.prompt, composition };
    case 'fit':
      emit({ type: 'skipped', reason: plan.reason });
      if (plan.failure !== undefined && options.abortOnFailure === true) throw plan.failure;
      return asItStands;
    case 'summarize':
      return (await summarized(context, call, plan)) ?? asItStands;
  }
}

/** `undefined` when no summary could be made, or none in time. */
async function summarized(
  context: CallContext,
  call: CallReading,
  plan: SummarizingPlan,
): Promise<Draft | undefined> {
  const { abortSignal } = call.params;
  const queue = queueOf(context.options);
  if (queue !== undefined && plan.size.most < call.policy.limit) {
    void enqueueSummary(context, queue, call);
    context.emit({ type: 'skipped', reason: 'summary-pending' });
    return undefined;
  }
  try {
    const { summary, range } = await awaitedSummary(context, call, plan);
    if (summary === undefined) {
      context.emit({ type: 'skipped', reason: 'summary-pending' });
      return undefined;
    }
    const composition = await composing(call, range)(summary.record, abortSignal);
    if (summary.prepared === true) {
      const { prompt } = composition;
      await plan.measure.count(prompt, abortSignal);
      const tokensAfter = plan.measure.prompt(prompt);
      putInPlace(context, call, summary, { tokensBefore: plan.tokens, tokensAfter });
    }
    return { prompt: composition.prompt, composition };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (context.options.abortOnFailure === true || SummarizationOptionError.isInstance(error))
      throw error;
    // What its own failures are has been told. Whatever else fails, the call goes on without a summary: it is made to fit.
    if (!SummarizationError.isInstance(error))
      context.emit({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return undefined;
  }
}

/** The summary that a plan names, once it is there or the call can wait no longer: who looks at a page is told meanwhile. */
async function awaitedSummary(
  context: CallContext,
  call: CallReading,
  plan: SummarizingPlan,
): ReturnType<typeof sharedSummary> {
  const { size, tokens, decision, range } = plan;
  const { limit, contextLength } = call.policy;
  if (size.most < limit && maxWaitMsOf(context.options) === 0)
    return sharedSummary(context, call, plan);
  const messages = range.cut - range.start;
  const { reason } = decision;
  const news = { reason, messages, tokens, contextLength, ratio: tokens / limit };
  context.emit({ type: 'waiting', isOver: false, ...news });
  try {
    return await sharedSummary(context, call, plan);
  } finally {
    context.emit({ type: 'waiting', isOver: true, ...news });
  }
}

/** What is left of a time that began then. */
function leftOf(ms: number | undefined, startedAt: number): number | undefined {
  return ms === undefined ? undefined : Math.max(0, ms - (clockMs() - startedAt));
}

/** Makes the summary that a plan names, or waits for the one of its conversation that is being written. */
async function sharedSummary(
  context: CallContext,
  call: CallReading,
  plan: SummarizingPlan,
): Promise<{ readonly summary: StoredSummary | undefined; readonly range: SummaryRange }> {
  const startedAt = clockMs() - (call.waitedMs ?? 0);
  const make = async (range: SummaryRange, joins: Joins): ReturnType<typeof makeSummary> => {
    const order = orderOf(context, call, { ...plan, range, joins });
    // Who has waited for one that was not theirs waits no longer in all.
    const { leaveAfterMs, hurryAfterMs, ...more } = order.patience;
    const patience = {
      ...more,
      leaveAfterMs: leftOf(leaveAfterMs, startedAt),
      hurryAfterMs: leftOf(hurryAfterMs, startedAt),
    };
    return makeSummary({ ...order, patience });
  };
  const first = await make(plan.range, plan.joins);
  if (first === undefined) return { summary: undefined, range: plan.range };
  const { coveredMessages: count, prefixDigest } = first.record;
  const { identity } = call.view;
  // Conversations that begin alike are written one after the other: it may be of one that has gone on otherwise.
  if (
    identity.indexAfter(count) !== undefined &&
    (await identity.prefixDigest(count)) === prefixDigest
  ) {
    if (count === plan.range.count) return { summary: first, range: plan.range };
    const range = await rangeBegun({ ...call, writing: count });
    if (range !== undefined) return { summary: first, range };
  }
  // It ends where this call cannot be cut.
  return { summary: await make(plan.range, 'none'), range: plan.range };
}
