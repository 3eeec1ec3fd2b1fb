import type { LanguageModel } from 'ai';
import { SummarizationError } from '../../errors/summarization-error.ts';
import type { ContextOverflow } from '../../overflow/context-overflow.ts';
import type { TextPanel } from './ask-text.ts';
import type { ModelCallResult } from './call-model.ts';
import type { CallTally } from './call-tally.ts';
import type { BreakerPass } from './circuit-breaker.ts';
import { classifyFailure } from './classify-failure.ts';
import { delay } from '../../util/delay.ts';
import { callFailed, modelRefused, noModel, type Refusal } from './model-errors.ts';
import { resolveModel, type ModelObject } from './resolve-model.ts';
import { isTooLong, runCall } from './run-call.ts';

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

/**
 * Writes a request for a model; returns the call, to be made once or twice. When the model has refused it
 * as too long, a shorter one is written; `undefined` if there is none.
 */
export type PrepareCall<Answer extends object> = (
  model: ModelObject,
  refused?: ContextOverflow,
) => Promise<(() => Promise<ModelCallResult<Answer>>) | undefined>;

/** How the calls of one request to one model ended. */
type Asked<Answer extends object> =
  | { readonly answer: Answer }
  | { readonly error: SummarizationError; readonly overflow?: ContextOverflow | undefined };

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
 * would be billed again. A request that is too long is written again, shorter, for the same model. Three
 * failures in all end it too: until a call has succeeded, and after one has failed, no more calls run at
 * once than may still fail.
 */
export function askInTurn(options: TurnOptions): ModelTurns {
  const { models, enter, tally, keepsCauses = false, abortSignal } = options;
  // Once for all calls: an id that is not known is one failure.
  const resolutions: Promise<ModelObject | SummarizationError>[] = [];
  let position = 0;
  let running = 0;
  // Whether the last call to end was answered; one that was too long does not count.
  let isWorking = false;
  let ended = Promise.withResolvers<void>();

  const maxRunning = (): number => {
    const left = maxFailures - tally.failures();
    if (isWorking && left === maxFailures) return Number.POSITIVE_INFINITY;
    // The calls that may fail are not all spent on one model while there is another.
    return isWorking || position >= models.length - 1 ? left : 1;
  };

  /** Waits until a model may be asked and counts the call; says so when it is not to be asked any more. */
  const admit = async (
    turn: number,
    name: string,
  ): Promise<BreakerPass | Refusal | 'passed-on'> => {
    for (;;) {
      abortSignal?.throwIfAborted();
      if (position !== turn) return 'passed-on';
      if (tally.failures() >= maxFailures) return 'exhausted';
      if (running < maxRunning()) {
        const pass = enter(name);
        if (pass !== undefined) {
          running += 1;
          return pass;
        }
        // One that runs may be the probe after which the model is no longer left alone.
        if (running === 0) return 'left-alone';
      }
      await ended.promise;
    }
  };

  const passOn = (turn: number): void => {
    if (position === turn) position += 1;
  };

  const askTwice = async <Answer extends object>(
    turn: number,
    name: string,
    call: () => Promise<ModelCallResult<Answer>>,
    firstPass: BreakerPass,
  ): Promise<Asked<Answer>> => {
    let pass: BreakerPass | undefined = firstPass;
    for (let isRetry = false; ; isRetry = true) {
      const result: ModelCallResult<Answer> = await runCall(call, { name, pass, tally });
      if (!isTooLong(result)) isWorking = result.outcome === 'ok';
      if (result.outcome === 'ok') return { answer: result };
      const error = callFailed(name, result, keepsCauses);
      if (result.outcome === 'invalid-output') throw error;
      const mayRetry = (): boolean => position === turn && tally.failures() < maxFailures;
      if (isRetry || result.retry !== 'soon' || !mayRetry()) {
        return { error, overflow: result.overflow };
      }
      await delay(result.retryAfterMs ?? backOffMs * 2 ** (tally.failures() - 1), abortSignal);
      pass = mayRetry() ? enter(name) : undefined;
      if (pass === undefined) return { error };
    }
  };

  /** Nothing comes back when the turn has passed on meanwhile. */
  const askOne = async <Answer extends object>(
    turn: number,
    name: string,
    call: () => Promise<ModelCallResult<Answer>>,
  ): Promise<Asked<Answer> | undefined> => {
    const pass = await admit(turn, name);
    if (pass === 'passed-on') return undefined;
    if (typeof pass === 'string') return { error: modelRefused(name, pass) };
    // Counts while it waits to retry: what waits for it must not spend its attempts.
    try {
      const asked = await askTwice(turn, name, call, pass);
      if ('error' in asked && asked.overflow === undefined) passOn(turn);
      return asked;
    } finally {
      running -= 1;
      ended.resolve();
      ended = Promise.withResolvers();
    }
  };

  const resolve = async (model: LanguageModel): Promise<ModelObject | SummarizationError> => {
    try {
      return await resolveModel(model);
    } catch (error) {
      const name = typeof model === 'string' ? model : model.modelId;
      const failure = { ...classifyFailure(error, Date.now()), error };
      tally.record(name, { ...failure, usage: { inputTokens: 0, outputTokens: 0 } });
      return callFailed(name, failure, keepsCauses);
    }
  };

  const askFrom = async <Answer extends object>(
    prepare: PrepareCall<Answer>,
    earlier?: SummarizationError,
    refused?: ContextOverflow,
  ): Promise<Answer> => {
    const turn = position;
    const model = models[turn];
    if (model === undefined || tally.failures() >= maxFailures) throw earlier ?? noModel();
    const next = async (error: SummarizationError | undefined): Promise<Answer> => {
      passOn(turn);
      return askFrom(prepare, error);
    };
    const resolved = await (resolutions[turn] ??= resolve(model));
    if (SummarizationError.isInstance(resolved)) return next(resolved);
    const call = await prepare(resolved, refused);
    if (call === undefined) return next(earlier);
    const asked = await askOne(turn, `${resolved.provider}:${resolved.modelId}`, call);
    if (asked === undefined) return askFrom(prepare, earlier);
    if ('answer' in asked) return asked.answer;
    const { error, overflow } = asked;
    if (overflow !== undefined && position === turn) return askFrom(prepare, error, overflow);
    // A model that is left alone says less than one that failed just now.
    return next(error.reason === 'breaker-open' ? (earlier ?? error) : error);
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
