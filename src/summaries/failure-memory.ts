import { boundedMap } from '../util/maps/bounded-map.ts';
import type { SummarizationError } from '../errors/summarization-error.ts';
import { clockMs } from '../util/clock-ms.ts';

/** Remembers which summaries could not be made, so that a retry of the same call does not pay again. */
export interface FailureMemory {
  readonly recall: (key: string) => SummarizationError | undefined;
  readonly remember: (key: string, error: SummarizationError) => void;
}

/** Milliseconds for which an unusable answer is not asked for again. */
const invalidOutputMemoryMs = 10 * 60_000;

/** Milliseconds for which a summarising model that could not be reached is not called again for the same messages. */
const transportMemoryMs = 30_000;

const maxRememberedFailures = 1000;

/** Makes a memory of the last 1,000 failures of one middleware. */
export function failureMemory(): FailureMemory {
  const entries = boundedMap<{ readonly error: SummarizationError; readonly until: number }>(
    maxRememberedFailures,
  );
  return {
    recall: (key) => {
      const entry = entries.get(key);
      if (entry === undefined || clockMs() < entry.until) return entry?.error;
      entries.delete(key);
      return undefined;
    },
    remember: (key, error) => {
      const lifetime = error.retryable ? transportMemoryMs : invalidOutputMemoryMs;
      entries.set(key, { error, until: clockMs() + lifetime });
    },
  };
}
