import { alarm } from '../util/async/waiting.ts';
import type { CallContext } from './reading/call-context.ts';
import { enqueueSummary, queueOf } from './enqueue-summary.ts';
import { keepAlive } from './keep-alive.ts';
import type { PlannedReading } from './reading/plan-reading.ts';
import { planSummary } from '../planning/plan-summary.ts';
import type { Plan } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { tokenMeasure } from '../sizing/token-measure.ts';
import { makeSummary } from '../summaries/make-summary.ts';
import { considerSummary } from './reading/consider-summary.ts';
import type { CallReading } from './reading/read-call.ts';
import { orderOf } from './order-of.ts';

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
  planned: Pick<PlannedReading, 'call' | 'plan'>,
): Promise<(() => void) | undefined> {
  const queue = queueOf(context.options);
  if (queue !== undefined) {
    void enqueueSummary(context, queue, planned.call);
    return undefined;
  }
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
  { call, plan }: { readonly call: CallReading; readonly plan: Plan },
): Promise<StoredSummary | undefined> {
  const { model, options, failures } = context;
  const { state, calibration, policy } = call;
  const { abortSignal } = options;
  // What fails before it is needed is not tried again with each message that comes.
  const base = call.stored?.record.coveredMessages ?? Math.max(1, policy.minMessages);
  const failureKey = `ahead ${await state.keyOf(base)}`;
  if (failures.recall(failureKey) !== undefined) return undefined;
  const { abortSignal: _, ...params } = call.params;
  const facts = {
    ...call,
    params: { ...params, ...(abortSignal && { abortSignal }) },
    consider: considerSummary(context, abortSignal),
  };
  const rates = await calibration.load();
  const measure = plan.measure ?? (await tokenMeasure(facts.params, model, rates));
  await measure.count(call.prompt, abortSignal);
  const tokens = measure.prompt(call.prompt);
  const decision = { act: 'summarize', reason: 'ahead' } as const;
  const due = await planSummary(facts, { ...plan, measure, tokens, decision, reason: 'ahead' });
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
