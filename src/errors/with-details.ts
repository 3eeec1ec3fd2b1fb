import { SummarizationError } from './summarization-error.ts';

/** The same error, with more said about it. */
export function withDetails(
  error: SummarizationError,
  details: Partial<
    Pick<SummarizationError, 'message' | 'level' | 'chunkIndex' | 'usage' | 'cause'>
  >,
): SummarizationError {
  const { reason, message, retryable, level, chunkIndex, usage, cause } = error;
  return new SummarizationError({
    reason,
    message,
    retryable,
    level,
    chunkIndex,
    usage,
    cause,
    ...details,
  });
}
