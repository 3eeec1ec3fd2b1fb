import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { SummaryQueue } from '../summaries/writing/summary-queue.ts';
import type { CallContext } from './reading/call-context.ts';
import type { CallReading } from './reading/read-call.ts';
import { summaryJob } from './summary-job.ts';

/** The queue that other processes get summaries to be made from, if there is one. */
export function queueOf({
  background,
}: Pick<SummarizationOptions, 'background'>): SummaryQueue | undefined {
  return typeof background === 'object' ? background : undefined;
}

/** Hands the summary of a call to a queue. Never rejects: the call goes on, and a later one tries again. */
export async function enqueueSummary(
  context: CallContext,
  queue: SummaryQueue,
  call: CallReading,
): Promise<void> {
  try {
    await queue.enqueue(await summaryJob(context, call));
  } catch (error) {
    const reason = 'the summary could not be enqueued';
    context.emit({ type: 'failed', stage: 'background', reason, error });
  }
}
