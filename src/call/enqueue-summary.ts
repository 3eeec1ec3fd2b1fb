import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { SummaryQueue } from '../summaries/summary-options.ts';
import type { CallContext } from './reading/call-context.ts';
import type { CallReading } from './reading/read-call.ts';
import { jobIdOf, summaryJob } from './summary-job.ts';
import { clockMs } from '../util/clock-ms.ts';

/** The queue that other processes get summaries to be made from, if there is one. */
export function queueOf({
  background,
}: Pick<SummarizationOptions, 'background'>): SummaryQueue | undefined {
  return typeof background === 'object' ? background : undefined;
}

/** Milliseconds after which a job is handed in again, if the summary is not there: a queue may lose one. */
const againMs = 60_000;

/**
 * Hands the summary of a call to a queue, once a minute at most: every call until the summary is there wants the same
 * one, and to pack it takes as long as to read the prompt. Never rejects: the call goes on, and a later one tries
 * again.
 */
export async function enqueueSummary(
  context: CallContext,
  queue: SummaryQueue,
  call: CallReading,
): Promise<void> {
  try {
    const id = await jobIdOf(context, call);
    await oncePerMinute(context, id, async () =>
      queue.enqueue(await summaryJob(context, call, id)),
    );
  } catch (error) {
    const reason = 'the summary could not be enqueued';
    context.emit({ type: 'failed', stage: 'background', reason, error });
  }
}

async function oncePerMinute(
  { memory: { enqueued }, modelKey }: Pick<CallContext, 'memory' | 'modelKey'>,
  id: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const key = `${modelKey} ${id}`;
  const at = enqueued.get(key);
  if (at !== undefined && clockMs() - at < againMs) return;
  enqueued.set(key, clockMs());
  try {
    await work();
  } catch (error) {
    enqueued.delete(key);
    throw error;
  }
}
