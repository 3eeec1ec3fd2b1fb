import type { CallContext } from '../call/call-context.ts';
import { prepareRecord } from '../call/prepare-ahead.ts';
import { planReading } from '../call/read-call.ts';
import { orderOf } from '../call/run-plan.ts';
import type { QueuedCall } from '../call/summary-job.ts';
import type { PlanReason } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { makeSummary } from '../summaries/make-summary.ts';
import { storeFailure } from './arguments/state-input.ts';

/** A record that a queue asked for, or why none is needed. */
export interface Made {
  readonly record: SummaryRecord | undefined;
  readonly reason?: PlanReason | 'erased' | undefined;
}

const nothingMade: Made = { record: undefined, reason: 'nothing-to-cover' };

/** Makes the summary that a call will need, unless there is one or none is needed. */
export async function prepareNow(
  context: CallContext,
  { params }: QueuedCall,
  isEnqueued: boolean,
): Promise<Made> {
  const { call, plan, tokensBefore } = await planReading(context, params);
  const { state } = call;
  // What this process alone has so far is written to the store.
  await state.findBeforePaying();
  if (state.isErased()) return { record: undefined, reason: 'erased' };
  const known = tokensBefore === undefined ? await state.findPrepared() : call.stored;
  if (known !== undefined) return confirmed(context, state, known);
  const isDue = plan.step === 'summarize' || plan.decision.ahead === true;
  const isSent = plan.step === 'send' || plan.step === 'apply';
  if (!isDue && !(isEnqueued && isSent)) return { record: undefined, reason: plan.reason };
  const { reason } = plan.decision;
  if (plan.step === 'summarize' && (reason === 'forced' || reason === 'requested')) {
    const order = orderOf(context, call, plan);
    const made = await makeSummary({ ...order, joins: 'none', patience: {}, keepAlive: undefined });
    return made === undefined ? nothingMade : confirmed(context, state, made);
  }
  const made = await prepareRecord(context, { call, plan });
  return made === undefined ? nothingMade : confirmed(context, state, made);
}

/** @throws {SummarizationError} unless the store has a record: other processes are to find it. */
async function confirmed(
  { store }: CallContext,
  state: Pick<ConversationState, 'isStored'>,
  { record }: StoredSummary,
): Promise<Made> {
  if (!store.isLocal && !(await state.isStored(record)))
    throw storeFailure('The store did not confirm that it has the summary.', undefined);
  return { record };
}
