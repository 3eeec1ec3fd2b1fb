import { alarm } from '../util/async/alarm.ts';
import type { CallContext } from './reading/call-context.ts';
import { enqueueSummary, queueOf } from './enqueue-summary.ts';
import { keepAlive } from './keep-alive.ts';
import type { PlannedReading } from './reading/plan-reading.ts';
import { prepareRecord } from './prepare-record.ts';

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
  const end = await planned.call.state.reservePreparation();
  if (end === undefined) return undefined;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const silence = alarm(latestMs, begin);
  const prepare = async (): Promise<void> => {
    await begun;
    silence();
    try {
      await prepareRecord(context, planned);
    } catch (error) {
      if (context.options.abortSignal?.aborted === true) return;
      const reason = 'a summary could not be prepared';
      context.emit({ type: 'failed', stage: 'background', reason, error });
    } finally {
      end();
    }
  };
  keepAlive(context, prepare());
  return begin;
}
