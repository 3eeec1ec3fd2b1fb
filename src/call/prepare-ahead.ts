import { planSummary } from '../planning/plan-call.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { tokenMeasure } from '../sizing/token-measure.ts';
import { makeSummary } from '../summaries/make-summary.ts';
import { noteWindow } from '../summaries/sliding-window.ts';
import { alarm } from '../util/async/waiting.ts';
import type { CallContext } from './call-context.ts';
import { considerSummary, type PlannedReading } from './read-call.ts';
import { keepAlive, orderOf } from './run-plan.ts';
import { enqueueSummary } from './summary-job.ts';

/** Milliseconds after which it is begun whatever the model does: nobody may ever ask it. */
const latestMs = 10_000;

/**
 * Prepares the next summary of a conversation beside the answer to a call.
 *
 * @returns what begins it: for as soon as the model has begun to answer. `undefined` where it is being prepared, or a
 * queue has it.
 */
export async function prepareAhead(
  context: CallContext,
  planned: PlannedReading,
): Promise<(() => void) | undefined> {
  if (enqueueSummary(context, planned.call)) return undefined;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const prepare = async (): Promise<void> => {
    const silence = alarm(latestMs, begin);
    await begun;
    silence();
    try {
      await prepareRecord(context, planned);
    } catch (error) {
      if (context.options.abortSignal?.aborted === true) return;
      const reason = 'a summary could not be prepared';
      context.emit({ type: 'failed', stage: 'background', reason, error });
    }
  };
  const preparation = await planned.call.state.prepare(prepare);
  if (preparation === undefined) return undefined;
  keepAlive(context, preparation.ended);
  return begin;
}

/**
 * Makes and keeps the summary that a conversation will need soon, by the plan of a call of it, which was found to
 * be below the trigger. No call sends it before it is due. Whatever becomes of the call, it is finished, unless the
 * `abortSignal` of the middleware ends it.
 *
 * @returns `undefined` when there is nothing to be prepared, or the summary could not be made.
 */
export async function prepareRecord(
  context: CallContext,
  { call, plan }: Pick<PlannedReading, 'call' | 'plan'>,
): Promise<StoredSummary | undefined> {
  const { model, options, failures } = context;
  const { state, calibration, policy, prompt } = call;
  const { abortSignal } = options;
  // What fails before it is needed is not tried again with each message that comes.
  const base = call.stored?.record.coveredMessages ?? Math.max(1, policy.minMessages);
  const failureKey = `ahead ${await state.keyOf(base)}`;
  if (failures.recall(failureKey) !== undefined) return undefined;
  const { abortSignal: _, ...rest } = call.params;
  const params = { ...rest, ...(abortSignal && { abortSignal }) };
  const facts = { ...call, params, consider: considerSummary(context, abortSignal) };
  const measure = plan.measure ?? (await tokenMeasure(params, model, await calibration.load()));
  await measure.count(prompt, abortSignal);
  const tokens = measure.prompt(prompt);
  const decision = { act: 'summarize', reason: 'ahead' } as const;
  const due = await planSummary(facts, { ...plan, measure, tokens, decision, reason: 'ahead' });
  if (due.reason === 'sliding-window') await noteWindow(context, call);
  if (due.step !== 'summarize') return undefined;
  const stored = await state.findBeforePaying();
  const prepared = await state.findPrepared();
  // Somebody else was first, or the conversation has gone on elsewhere.
  if (prepared !== undefined || stored?.token !== call.stored?.token) return prepared;
  let ended: Promise<void> | undefined;
  await makeSummary({
    ...orderOf(context, facts, due),
    failures: { remember: (_key, error) => failures.remember(failureKey, error) },
    isAhead: true,
    // Whoever comes to need it waits for it; this only sees it through.
    patience: { leaveAfterMs: 0 },
    keepAlive: (work) => void (ended = work),
  });
  await ended;
  return state.findPrepared();
}
