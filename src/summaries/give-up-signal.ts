import { SummarizationError } from '../errors/summarization-error.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { spend, type SpendingBound } from './spending.ts';

/** What ends the turn of a strategy, and what it may spend until then. */
export interface StrategyTurn {
  /** Aborts with an error of the package that says why. */
  readonly giveUp: AbortSignal;
  /** Calls of models it may make; `undefined` without a bound. */
  readonly maxCalls: number | undefined;
  /** Counts a call that was made. */
  readonly called: () => void;
  /** Calls that were made. */
  readonly calls: () => number;
}

/**
 * The turn of a strategy, which ends when somebody can wait no longer, or at once when models have been called as
 * often as they may.
 */
export async function strategyTurn({
  strategy,
  spending,
  hurry,
}: {
  readonly strategy: SummaryStrategy | undefined;
  /** `undefined` without a bound. */
  readonly spending?: SpendingBound | undefined;
  /** Aborts when somebody can wait no longer. */
  readonly hurry: AbortSignal;
}): Promise<StrategyTurn> {
  // The rules cost nothing.
  const isFree = spending === undefined || strategy?.name === 'rule-based';
  const giveUp = new AbortController();
  const maxCalls = isFree ? undefined : await spend(spending);
  if (maxCalls === 0) giveUp.abort(overLimit());
  const onHurry = (): void => giveUp.abort(tooSlow());
  if (hurry.aborted) onHurry();
  else hurry.addEventListener('abort', onHurry, { once: true });
  let calls = 0;
  const called = (): void => {
    calls += 1;
    // The first one has been counted before it was made.
    if (!isFree && calls > 1) void spend(spending);
  };
  return { giveUp: giveUp.signal, maxCalls, called, calls: () => calls };
}

function overLimit(): SummarizationError {
  const message = 'Summarising models have been called as often as maxSummaryCallsPerHour allows.';
  return new SummarizationError({ reason: 'hourly-limit', message, retryable: true });
}

function tooSlow(): SummarizationError {
  const message = 'The summary took longer than a call may wait for it.';
  return new SummarizationError({ reason: 'timeout', message, retryable: true });
}
