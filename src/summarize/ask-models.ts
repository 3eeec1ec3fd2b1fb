import type { LanguageModel } from 'ai';
import { SummarizationError } from '../errors/summarization-error.ts';
import type { BreakerPass } from './circuit-breaker.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
import { delay } from './delay.ts';
import {
  generateSummaryObject,
  type CallUsage,
  type SummaryCallResult,
} from './generate-summary-object.ts';
import { resolveModel, type ModelObject } from './resolve-model.ts';
import type { AnswerKind, SummaryAnswer } from './summary-answer.ts';
import type { SummaryAttempt } from './summary-strategy.ts';

/** Calls that may fail before a summary is given up, over all models and pieces. */
const maxFailures = 3;

/** Wait before a retry where the provider names none; doubled with each failure. */
const backOffMs = 250;

/** What one model is asked; made per model, because models read different amounts at once. */
export interface SummaryRequest {
  readonly kind: AnswerKind;
  readonly instructions: string;
  readonly prompt: string;
}

/** An answer and the request it answers. */
interface Reply<Request extends SummaryRequest> {
  readonly answer: SummaryAnswer;
  readonly request: Request;
}

/** What {@link askModels} needs for one summary. */
export interface AskModelsOptions {
  /** In order of preference. */
  readonly models: readonly LanguageModel[];
  /** Gives a pass for a call to a model, none while the model is left alone. */
  readonly enter: (model: string) => BreakerPass | undefined;
  readonly timeoutMs: number;
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The models of one summary. */
export interface ModelPanel {
  /**
   * Asks the first model that answers.
   *
   * @throws SummarizationError when none does or an answer is unusable; the reason of an abort.
   */
  readonly ask: <Request extends SummaryRequest>(
    prepare: (model: ModelObject) => Request,
  ) => Promise<Reply<Request>>;
  /** Tokens billed so far, by failed calls too. */
  readonly usage: () => CallUsage;
}

/**
 * Sets up the models of one summary. A transport failure that may pass is retried once; then the next
 * model is asked, which also answers what is asked later. An unusable answer ends it: asking again
 * would be billed again. Three failures in all end it too.
 */
export function askModels(options: AskModelsOptions): ModelPanel {
  const { models, enter, timeoutMs, onAttempt, abortSignal } = options;
  let usage: CallUsage = { inputTokens: 0, outputTokens: 0 };
  let position = 0;
  let failures = 0;

  const record = (model: string, result: SummaryCallResult): void => {
    usage = {
      inputTokens: usage.inputTokens + result.usage.inputTokens,
      outputTokens: usage.outputTokens + result.usage.outputTokens,
    };
    if (result.outcome !== 'ok') failures += 1;
    onAttempt?.({
      model,
      outcome: result.outcome,
      ...(result.outcome === 'ok' ? {} : { detail: result.detail }),
      ...(result.outcome === 'invalid-output' ? { excerpt: result.excerpt } : {}),
    });
  };

  const call = async (
    model: ModelObject,
    request: SummaryRequest,
    pass: BreakerPass,
    waitMs: number,
  ): Promise<SummaryCallResult> => {
    try {
      if (waitMs > 0) await delay(waitMs, abortSignal);
      const result = await generateSummaryObject({ model, timeoutMs, abortSignal, ...request });
      if (result.outcome === 'ok') pass.succeed();
      else pass.fail();
      return result;
    } catch (error) {
      pass.cancel();
      throw error;
    }
  };

  const askOne = async <Request extends SummaryRequest>(
    model: ModelObject,
    prepare: (model: ModelObject) => Request,
  ): Promise<Reply<Request> | SummarizationError> => {
    const name = `${model.provider}:${model.modelId}`;
    const request = prepare(model);
    let error: SummarizationError | undefined;
    for (let waitMs = 0; ;) {
      const pass = enter(name);
      if (pass === undefined) return error ?? breakerOpen(name);
      const result = await call(model, request, pass, waitMs);
      record(name, result);
      if (result.outcome === 'ok') return { answer: result.answer, request };
      const isRetry = error !== undefined;
      error = failed(name, result);
      if (result.outcome === 'invalid-output') throw error;
      if (isRetry || result.retry !== 'soon' || failures >= maxFailures) return error;
      waitMs = result.retryAfterMs ?? backOffMs * 2 ** (failures - 1);
    }
  };

  const askNext = async <Request extends SummaryRequest>(
    model: LanguageModel,
    prepare: (model: ModelObject) => Request,
  ): Promise<Reply<Request> | SummarizationError> => {
    let resolved: ModelObject;
    try {
      resolved = await resolveModel(model);
    } catch (error) {
      const name = typeof model === 'string' ? model : model.modelId;
      const failure = classifyFailure(error, Date.now());
      record(name, { ...failure, usage: { inputTokens: 0, outputTokens: 0 } });
      return failed(name, failure);
    }
    return askOne(resolved, prepare);
  };

  const askFrom = async <Request extends SummaryRequest>(
    prepare: (model: ModelObject) => Request,
    earlier?: SummarizationError,
  ): Promise<Reply<Request>> => {
    const model = models[position];
    if (model === undefined || failures >= maxFailures) throw earlier ?? noModel();
    const result = await askNext(model, prepare);
    if (!SummarizationError.isInstance(result)) return result;
    position += 1;
    // A model that is left alone says less than one that failed just now.
    return askFrom(prepare, result.reason === 'breaker-open' ? (earlier ?? result) : result);
  };

  return { usage: () => usage, ask: (prepare) => askFrom(prepare) };
}

function failed(model: string, failure: CallFailure): SummarizationError {
  const isTransport = failure.outcome === 'transport-error';
  return new SummarizationError({
    reason: isTransport ? 'transport' : 'invalid-output',
    message: isTransport
      ? `The summarising model ${model} could not be used: ${failure.detail}.`
      : `The summarising model ${model} gave no usable summary: ${failure.detail}.`,
    retryable: isTransport && failure.retry !== 'never',
  });
}

function noModel(): SummarizationError {
  return new SummarizationError({
    reason: 'transport',
    message: 'There is no summarising model to ask.',
  });
}

function breakerOpen(model: string): SummarizationError {
  return new SummarizationError({
    reason: 'breaker-open',
    message: `The summarising model ${model} failed repeatedly and is left alone for a minute.`,
    retryable: true,
  });
}
