import type { SummarizationOptions } from './summarization-options.ts';

/** Milliseconds that the fallback may take once the time of a summary is up. */
const fallbackMs = 10_000;

/** How long a call waits that fits. */
export function maxWaitMsOf({ background = false, maxWaitMs }: SummarizationOptions): number {
  return maxWaitMs ?? (background === false ? 10_000 : 0);
}

/** How long a model may write a summary that a call does not fit without. */
export function summaryTimeoutMsOf({ summaryTimeoutMs = 60_000 }: SummarizationOptions): number {
  return summaryTimeoutMs;
}

/** How long a call waits that does not fit. */
export function summaryWaitMsOf(options: SummarizationOptions): number {
  return summaryTimeoutMsOf(options) + fallbackMs;
}
