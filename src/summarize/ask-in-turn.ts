import type { LanguageModel } from 'ai';
import { SummarizationError } from '../errors/summarization-error.ts';
import type { TextPanel } from './ask-text.ts';
import type { ModelCallResult } from './call-model.ts';
import type { CallTally } from './call-tally.ts';
import type { BreakerPass } from './circuit-breaker.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
import { delay } from './delay.ts';
import { resolveModel, type ModelObject } from './resolve-model.ts';

/** Calls that may fail before a summary is given up, over all models and pieces. */
const maxFailures = 3;

/** Wait before a retry where the provider names none; doubled with each failure. */
const backOffMs = 250;

/** What the calls for one summary share. */
export interface TurnOptions {
  /** In order of preference. */
  readonly models: readonly LanguageModel[];
  /** Gives a pass for a call to a model, none while the model is left alone. */
  readonly enter: (model: string) => BreakerPass | undefined;
  readonly tally: CallTally;
  /** Whether errors carry what the provider threw, which may quote the messages. */
  readonly keepsCauses?: boolean | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Writes a request for a model; returns the call, to be made once or twice. */
export type PrepareCall<Answer extends object> = (
  model: ModelObject,
) => Promise<() => Promise<ModelCallResult<Answer>>>;

/** The models of one summary, each asked when its turn has come. */
export interface ModelTurns {
  /**
   * Asks the first model that answers.
   *
   * @throws SummarizationError when none does or an answer is unusable; the reason of an abort.
   */
  readonly ask: <Answer extends object>(prepare: PrepareCall<Answer>) => Promise<Answer>;
  readonly takeTurn: TextPanel['takeTurn'];
}

/**
 * Sets up the models of one summary. A transport failure that may pass is retried once; then the next
 * model is asked, which also answers what is asked later. An unusable answer ends it: asking again
 * would be billed again. Three failures in all end it too: until a call has succeeded, and after one has
 * failed, no more calls run at once than may still fail.
 */
export function askInTurn(options: TurnOptions): ModelTurns {
  const { models, enter, tally, keepsCauses = false, abortSignal } = options;
  let position = 0;
  let running = 0;
  let hasSucceeded = false;
  let ended = Promise.withResolvers<void>();

  /** Waits until a call may be made; without a pass it may not. */
  const admit = async (name: string): Promise<BreakerPass | undefined> => {
    for (;;) {
      abortSignal?.throwIfAborted();
      const left = maxFailures - tally.failures();
      if (left <= 0) return undefined;
      if (running < (hasSucceeded && left === maxFailures ? Number.POSITIVE_INFINITY : left)) {
        const pass = enter(name);
        // One that runs may be the probe after which the model is no longer left alone.
        if (pass !== undefined || running === 0) return pass;
      }
      await ended.promise;
    }
  };

  const run = async <Answer extends object>(
    call: () => Promise<ModelCallResult<Answer>>,
    name: string,
    pass: BreakerPass,
  ): Promise<ModelCallResult<Answer>> => {
    running += 1;
    try {
      const result = await call();
      if (result.outcome === 'ok') pass.succeed();
      else pass.fail();
      if (result.outcome === 'ok') hasSucceeded = true;
      tally.record(name, result);
      return result;
    } catch (error) {
      pass.cancel();
      throw error;
    } finally {
      running -= 1;
      ended.resolve();
      ended = Promise.withResolvers();
    }
  };

  const failed = (name: string, failure: CallFailure): SummarizationError => {
    const isTransport = failure.outcome === 'transport-error';
    return new SummarizationError({
      reason: isTransport ? 'transport' : 'invalid-output',
      message: isTransport
        ? `The summarising model ${name} could not be used: ${failure.detail}.`
        : `The summarising model ${name} gave no usable summary: ${failure.detail}.`,
      retryable: isTransport && failure.retry !== 'never',
      ...(keepsCauses && failure.error !== undefined ? { cause: failure.error } : {}),
    });
  };

  const askOne = async <Answer extends object>(
    name: string,
    call: () => Promise<ModelCallResult<Answer>>,
  ): Promise<Answer | SummarizationError> => {
    let error: SummarizationError | undefined;
    for (let waitMs = 0; ;) {
      if (waitMs > 0) await delay(waitMs, abortSignal);
      const pass = await admit(name);
      if (pass === undefined) return error ?? refused(name, tally.failures() >= maxFailures);
      const result = await run(call, name, pass);
      if (result.outcome === 'ok') return result;
      const isRetry = error !== undefined;
      error = failed(name, result);
      if (result.outcome === 'invalid-output') throw error;
      if (isRetry || result.retry !== 'soon' || tally.failures() >= maxFailures) return error;
      waitMs = result.retryAfterMs ?? backOffMs * 2 ** (tally.failures() - 1);
    }
  };

  const resolve = async (model: LanguageModel): Promise<ModelObject | SummarizationError> => {
    try {
      return await resolveModel(model);
    } catch (error) {
      const name = typeof model === 'string' ? model : model.modelId;
      const failure = { ...classifyFailure(error, Date.now()), error };
      tally.record(name, { ...failure, usage: { inputTokens: 0, outputTokens: 0 } });
      return failed(name, failure);
    }
  };

  const askFrom = async <Answer extends object>(
    prepare: PrepareCall<Answer>,
    earlier?: SummarizationError,
  ): Promise<Answer> => {
    const turn = position;
    const model = models[turn];
    if (model === undefined || tally.failures() >= maxFailures) throw earlier ?? noModel();
    let result: Answer | SummarizationError;
    const resolved = await resolve(model);
    if (SummarizationError.isInstance(resolved)) {
      result = resolved;
    } else {
      const call = await prepare(resolved);
      // Preparing may have asked models itself, and the turn have passed on.
      if (position !== turn) return askFrom(prepare, earlier);
      result = await askOne(`${resolved.provider}:${resolved.modelId}`, call);
    }
    if (!SummarizationError.isInstance(result)) return result;
    if (position === turn) position += 1;
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
  return { ask: (prepare) => askFrom(prepare), takeTurn };
}

function noModel(): SummarizationError {
  return new SummarizationError({
    reason: 'transport',
    message: 'There is no summarising model to ask.',
  });
}

function refused(model: string, isExhausted: boolean): SummarizationError {
  return isExhausted
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
