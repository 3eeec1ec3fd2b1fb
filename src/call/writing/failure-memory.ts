import type { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { clockMs } from '../../foundations/util/async/waiting.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** Milliseconds for which an unusable answer is not asked for again. */
const invalidOutputMemoryMs = 10 * 60_000;

/** Longest and shortest time in milliseconds for which a failure that may pass is remembered. */
const longestPassingMs = 30_000;
const shortestPassingMs = 1000;

const maxRememberedFailures = 1000;

/** Whether a summarizing model was unreachable for a moment, so that nothing is to be written without it. */
export function isTransient({ reason, retryable }: SummarizationError): boolean {
  return retryable && (reason === 'transport' || reason === 'breaker-open');
}

/** Remembers the last 1,000 summaries that could not be made, so that a retry of the same call does not pay again. */
export class FailureMemory {
  readonly #failures = boundedMap<{ readonly error: SummarizationError; readonly until: number }>(
    maxRememberedFailures,
  );

  recall(key: string): SummarizationError | undefined {
    const { error, until = 0 } = this.#failures.get(key) ?? {};
    return clockMs() < until ? error : undefined;
  }

  remember(key: string, error: SummarizationError): void {
    const passingMs = isTransient(error) ? (error.retryAfterMs ?? shortestPassingMs) : Infinity;
    const forMs = error.retryable
      ? Math.min(Math.max(passingMs, shortestPassingMs), longestPassingMs)
      : invalidOutputMemoryMs;
    this.#failures.set(key, { error, until: clockMs() + forMs });
  }
}
