import { SummarizationError } from '../errors/summarization-error.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { spend, type SpendingBound } from './spending.ts';

/**
 * A signal that ends the turn of a strategy, with an error of the package that says why: when somebody can
 * wait no longer, or at once when models have written as much as they may.
 */
export async function giveUpSignal({
  strategy,
  spending,
  hurry,
}: {
  readonly strategy: SummaryStrategy | undefined;
  /** `undefined` without a bound. */
  readonly spending?: SpendingBound | undefined;
  /** Aborts when somebody can wait no longer. */
  readonly hurry: AbortSignal;
}): Promise<AbortSignal> {
  // The rules cost nothing.
  const isFree = spending === undefined || strategy?.name === 'rule-based';
  const giveUp = new AbortController();
  if (!isFree && !(await spend(spending))) giveUp.abort(overLimit());
  const onHurry = (): void => giveUp.abort(tooSlow());
  if (hurry.aborted) onHurry();
  else hurry.addEventListener('abort', onHurry, { once: true });
  return giveUp.signal;
}

function overLimit(): SummarizationError {
  const message = 'Models have written as many summaries as maxSummariesPerHour allows.';
  return new SummarizationError({ reason: 'hourly-limit', message, retryable: true });
}

function tooSlow(): SummarizationError {
  const message = 'The summary took longer than a call may wait for it.';
  return new SummarizationError({ reason: 'timeout', message, retryable: true });
}
