import { SummarizationError } from '../errors/summarization-error.ts';

/** Whatever a strategy threw, as the error the package speaks of. */
export function asSummarizationError(error: unknown, strategy: string): SummarizationError {
  if (SummarizationError.isInstance(error)) return error;
  return new SummarizationError({
    reason: 'strategy',
    message: `The strategy ${strategy} threw.`,
    retryable: true,
    cause: error,
  });
}
