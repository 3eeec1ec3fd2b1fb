import { SummarizationError } from '../../errors/summarization-error.ts';
import type { CallFailure } from './classify-failure.ts';

/** The error of a call that failed. */
export function callFailed(
  model: string,
  failure: CallFailure,
  keepsCause = false,
): SummarizationError {
  const isTransport = failure.outcome === 'transport-error';
  return new SummarizationError({
    reason: isTransport ? 'transport' : 'invalid-output',
    message: isTransport
      ? `The summarising model ${model} could not be used: ${failure.detail}.`
      : `The summarising model ${model} gave no usable summary: ${failure.detail}.`,
    retryable: isTransport && failure.retry !== 'never',
    ...(keepsCause && failure.error !== undefined ? { cause: failure.error } : {}),
  });
}

/** The error of a model that is not asked because its calls failed repeatedly before. */
export function leftAlone(model: string): SummarizationError {
  return new SummarizationError({
    reason: 'breaker-open',
    message: `The summarising model ${model} failed repeatedly and is left alone for a minute.`,
    retryable: true,
  });
}

/** The error when no model is left. */
export function noModel(): SummarizationError {
  return new SummarizationError({
    reason: 'transport',
    message: 'No summarising model is left to ask.',
  });
}
