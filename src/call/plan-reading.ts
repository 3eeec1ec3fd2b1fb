import type { CallOptions } from '../prompt/prompt-types.ts';
import { planCall } from '../planning/plan-call.ts';
import type { Plan } from '../planning/plan.ts';
import type { CallContext } from './call-context.ts';
import { readCall, type CallReading } from './read-call.ts';

/**
 * Reads a call and plans what is done about it. Before a summary is paid for, the store is asked whether
 * another process has one: only this process's own knowledge is believed without waiting.
 */
export async function planReading(
  context: CallContext,
  given: CallOptions,
): Promise<{ readonly call: CallReading; readonly plan: Plan }> {
  const call = await readCall(context, given);
  const plan = await planCall(call);
  if (plan.step !== 'summarize') return { call, plan };
  const stored = await call.state.findBeforePaying();
  const isKnown = stored?.record.id === call.stored?.record.id;
  if (isKnown && (await call.state.held()) === call.held) return { call, plan };
  // What was found is known to this process now.
  const known = await readCall(context, given);
  return { call: known, plan: await planCall(known) };
}
