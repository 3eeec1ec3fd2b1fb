import type { LanguageModel } from 'ai';
import { SummarizationError } from '../errors/summarization-error.ts';
import { askText, type TextPanel } from './ask-text.ts';
import { callTally } from './call-tally.ts';
import type { CallUsage } from './call-usage.ts';
import type { BreakerPass } from './circuit-breaker.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
import { delay } from './delay.ts';
import { generateSummaryObject, type SummaryCallResult } from './generate-summary-object.ts';
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
  /** Calls that failed so far. */
  readonly failures: () => number;
  /** Asks once for a text, see {@link askText}; `undefined` when that fails. */
  readonly askText: (prepare: (model: ModelObject) => string) => Promise<string | undefined>;
}

/**
 * Sets up the models of one summary. A transport failure that may pass is retried once; then the next
 * model is asked, which also answers what is asked later. An unusable answer ends it: asking again
 * would be billed again. Three failures in all end it too.
 */
export function askModels(options: AskModelsOptions): ModelPanel {
  const { models, enter, timeoutMs, onAttempt, abortSignal } = options;
  const tally = callTally(onAttempt);
  let position = 0;

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
      tally.record(name, result);
      if (result.outcome === 'ok') return { answer: result.answer, request };
      const isRetry = error !== undefined;
      error = failed(name, result);
      if (result.outcome === 'invalid-output') throw error;
      if (isRetry || result.retry !== 'soon' || tally.failures() >= maxFailures) return error;
      waitMs = result.retryAfterMs ?? backOffMs * 2 ** (tally.failures() - 1);
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
      tally.record(name, { ...failure, usage: { inputTokens: 0, outputTokens: 0 } });
      return failed(name, failure);
    }
    return askOne(resolved, prepare);
  };

  const askFrom = async <Request extends SummaryRequest>(
    prepare: (model: ModelObject) => Request,
    earlier?: SummarizationError,
  ): Promise<Reply<Request>> => {
    const model = models[position];
    if (model === undefined || tally.failures() >= maxFailures) throw earlier ?? noModel();
    const result = await askNext(model, prepare);
    if (!SummarizationError.isInstance(result)) return result;
    position += 1;
    // A model that is left alone says less than one that failed just now.
    return askFrom(prepare, result.reason === 'breaker-open' ? (earlier ?? result) : result);
  };

  const takeTurn: TextPanel['takeTurn'] = () => {
    const turn = position;
    const model = models[turn];
    if (model === undefined) return undefined;
    return {
      model: () => resolveModel(model),
      passOn: () => {
        if (position === turn && turn + 1 < models.length) position += 1;
        return position > turn;
      },
    };
  };
  return {
    usage: tally.usage,
    failures: tally.failures,
    ask: (prepare) => askFrom(prepare),
    askText: (prepare) => askText({ ...options, tally, takeTurn }, prepare),
  };
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
