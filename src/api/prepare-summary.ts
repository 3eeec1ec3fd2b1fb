import type { PrepareSummaryInput, PrepareSummaryResult } from './prepare-summary-of.ts';

/**
 * Makes and stores the summary that the next calls of a conversation will need, outside of any request: what the
 * option `background: { enqueue }` hands to a queue, or a conversation of which the messages are at hand. The call
 * whose trigger fires puts it in place, and waits and pays for nothing. Below `resetTokenRatio` there is nothing to
 * be done, unless it was enqueued.
 *
 * May be run twice, by several processes and be killed at any point: they take turns, whoever comes later finds
 * what there is, and takes up what was left some ten seconds after it was. A failing model is a result and not an
 * exception.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; the signal's reason
 * when it aborts; what the provider throws for a model id that it does not know.
 *
 * @example
 * const result = await prepareSummary({ ...job, store, secret, model, options });
 * if (!result.ok && result.retryable) throw result.error; // the queue tries again
 */
export async function prepareSummary(input: PrepareSummaryInput): Promise<PrepareSummaryResult> {
  const { prepareSummaryOf } = await import('./prepare-summary-of.ts');
  return prepareSummaryOf(input);
}
