import { SummarizationError } from '../../errors/summarization-error.ts';
import type { CallFailure } from './classify-failure.ts';

/** Why a model is not asked: too many calls have failed, or its own failed repeatedly before. */
export type Refusal = 'exhausted' | 'left-alone';

/** The error of a call that failed. */
export function callFailed(
  model: string,
  failure: CallFailure,
  keepsCause: boolean,
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

/** The error of a model that is not asked. */
export function modelRefused(model: string, refusal: Refusal): SummarizationError {
  return refusal === 'exhausted'
    ? new SummarizationError({
        reason: 'transport',
        message: `The summarising model ${model} was not asked: too many calls had failed.`,
        retryable: true,
      })
    : new SummarizationError({
        reason: 'breaker-open',
        message: `The summarising model ${model} failed repeatedly and is left alone for a minute.`,
        retryable: true,
      });
}

/** The error when no model is left. */
export function noModel(): SummarizationError {
  return new SummarizationError({
    reason: 'transport',
    message: 'There is no summarising model to ask.',
  });
}
