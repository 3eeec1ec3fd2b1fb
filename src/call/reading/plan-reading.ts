import type { CallOptions } from '../../prompt/prompt-types.ts';
import { planCall } from '../../planning/plan-call.ts';
import type { FirstPlan, Plan } from '../../planning/plan.ts';
import { clockMs } from '../../util/clock-ms.ts';
import { withDeadline } from '../../util/async/waiting.ts';
import { maxWaitMsOf, summaryTimeoutMsOf } from '../../options/waits.ts';
import type { CallContext } from './call-context.ts';
import { readCall, type CallReading } from './read-call.ts';

/** A call and what is done about it. */
export interface PlannedReading {
  readonly call: CallReading;
  readonly plan: Plan;
  /** Tokens of the prompt without the prepared summary that is put in place; `undefined` where none is. */
  readonly tokensBefore: number | undefined;
}

/**
 * Reads a call and plans what is done about it. Before a summary is paid for, the store is asked whether
 * another process has one: only this process's own knowledge is believed without waiting. One that was
 * prepared is put in its place when it is due, and the call is planned anew.
 */
export async function planReading(
  context: CallContext,
  given: CallOptions,
): Promise<PlannedReading> {
  let tokensBefore: number | undefined;
  for (;;) {
    // A call that is read with it has nothing more to be put in place.
    const { call, plan } = await readAndPlan(context, given, tokensBefore !== undefined);
    if (plan.step !== 'put-in-place') return { call, plan, tokensBefore };
    tokensBefore = plan.tokens;
  }
}

/** Waits for the summary of the conversation that this process prepares or writes, as long as the call may. */
async function writtenElsewhere(
  { options }: CallContext,
  { state, policy, params }: CallReading,
  { size }: Plan,
): Promise<void> {
  const waitMs = size.most < policy.limit ? maxWaitMsOf(options) : summaryTimeoutMsOf(options);
  try {
    await withDeadline(params.abortSignal, waitMs, async () => state.written());
  } catch {
    params.abortSignal?.throwIfAborted();
  }
}

async function readAndPlan(
  context: CallContext,
  given: CallOptions,
  takePrepared: boolean,
): Promise<{ readonly call: CallReading; readonly plan: FirstPlan }> {
  const call = await readCall(context, given, takePrepared);
  const plan = await planCall(call);
  if (plan.step !== 'summarize') return { call, plan };
  // It goes on from what is being written; others join that, and wait no longer than they may.
  const startedAt = clockMs();
  if (plan.joins === 'none') await writtenElsewhere(context, call, plan);
  const waitedMs = clockMs() - startedAt;
  const stored = await call.state.findBeforePaying();
  // Not by its id: what was erased and is written anew has the same.
  const isKnown =
    stored?.token === call.stored?.token &&
    (await call.state.findPrepared())?.token === call.prepared?.token;
  if (isKnown && (await call.state.held()) === call.held)
    return { call: { ...call, waitedMs }, plan };
  // What was found is known to this process now.
  const known = { ...(await readCall(context, given, takePrepared)), waitedMs };
  return { call: known, plan: await planCall(known) };
}
