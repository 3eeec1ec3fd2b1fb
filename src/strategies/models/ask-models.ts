import type { LanguageModel } from 'ai';
import { redactFailure, withheldText } from '../../cleaning/redaction-door.ts';
import { SummarizationError } from '../../errors/summarization-error.ts';
import type { ContextOverflow } from '../../overflow/context-overflow.ts';
import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { delay } from '../../util/async/delay.ts';
import { asOneLine } from '../texts.ts';
import type { SummaryAttempt } from '../summary-strategy.ts';
import type { BreakerPass, LeftAlone } from './breaker.ts';
import {
  askForAnswer,
  askForText,
  type CallUsage,
  type ModelCall,
  type ModelCallResult,
  type SummaryRequest,
} from './call-model.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
import { modelManners, type ModelManners, type RequestForm } from './request-form.ts';
import { nameOfModel, resolveModel, type ModelObject } from './resolve-model.ts';
import type { SummaryAnswer } from './summary-answer.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** Milliseconds for which a retry is worth waiting where nobody says how long there is. */
const defaultRetryMs = 60_000;

/** Calls that may fail before a summary is given up, over all models and requests. */
const maxFailedCalls = 3;

/** Wait before a retry where the provider names none; doubled with each failure. */
const backOffMs = 250;

/** Characters of an unusable answer, and of a provider's words, that are told. */
const excerptCharacters = 200;

/** What {@link askModels} needs for one summary. */
export interface AskModelsOptions extends Pick<
  ModelCall,
  'timeoutMs' | 'clean' | 'telemetry' | 'onPartial' | 'onAlive' | 'termsFor' | 'abortSignal'
> {
  /** In order of preference. */
  readonly models: readonly LanguageModel[];
  /** Gives a pass for a call to a model, none while the model is left alone. */
  readonly enter: (model: string) => BreakerPass | LeftAlone;
  /**
   * How the models want to be asked.
   * @default nothing is known of it
   */
  readonly manners?: ModelManners | undefined;
  /** Tokens that a model accepts, where that is known. */
  readonly contextLengthOf?: ((model: ModelIdentity) => number | undefined) | undefined;
  /**
   * Milliseconds, from now on, in which a call that failed may be made once more.
   * @default 60_000
   */
  readonly retryMs?: number | undefined;
  /** Told about every call. */
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
  /** Told before a call waits so many milliseconds to be made once more. */
  readonly onRest?: ((ms: number) => void) | undefined;
  /** Whether errors carry what the provider threw, which may quote the messages. */
  readonly keepsCauses?: boolean | undefined;
}

/**
 * Writes a request for a model; may ask for texts first. Called again with what a model said that refused a request as
 * too long; `undefined` leaves it at that.
 *
 * @param share - The share of the usual length that the model is to be asked for.
 */
export type PrepareRequest = (
  model: ModelObject,
  refused: ContextOverflow | undefined,
  share: number,
) => Promise<SummaryRequest | undefined>;

/** The models of one summary. Failed calls of all kinds count together. */
export interface ModelPanel {
  /**
   * Asks the first model that answers for a summary's content.
   *
   * @throws SummarizationError when none does or an answer is unusable; the reason of an abort.
   */
  readonly ask: (prepare: PrepareRequest) => Promise<SummaryAnswer>;
  /**
   * Asks the first model that answers for a text. One that was cut off is unusable.
   *
   * @throws As `ask` does.
   */
  readonly write: (prompt: string) => Promise<string>;
  /**
   * Asks once for a text, with no retry: what a failure costs is a shorter way of saying the same.
   * `undefined` when the call failed, the model is left alone or `redact` failed.
   *
   * @param prepare - Writes the prompt for a model; models read different amounts at once.
   * @throws The reason of an abort; nothing else.
   */
  readonly askText: (prepare: (model: ModelObject) => string) => Promise<string | undefined>;
  /** Tokens billed so far, by failed calls too. */
  readonly usage: () => CallUsage;
  /** Calls made so far, and those of them that failed; one that was refused for its form alone has not. */
  readonly calls: () => number;
  readonly failures: () => number;
}

type Call<Answer extends object> = (form: RequestForm) => Promise<ModelCallResult<Answer>>;

/** Writes a call for a model, as {@link PrepareRequest} writes a request. */
type PrepareCall<Answer extends object> = (
  model: ModelObject,
  refused: ContextOverflow | undefined,
) => Promise<Call<Answer> | undefined>;

/**
 * Sets up the models of one summary. The first that answers is asked, and keeps its turn; the first call goes alone
 * until one has worked. What comes back decides:
 *
 * | what came back                     | what is done                                            |
 * | ---------------------------------- | ------------------------------------------------------- |
 * | an answer                          | it counts                                               |
 * | something unusable                 | it is given up: asking again would be billed again      |
 * | a refusal of the request's form    | the model is asked in the next form, which it keeps     |
 * | a refusal as too long              | a shorter request is written for the same model         |
 * | a failure that may pass, once      | the same call after a while, as long as there is time   |
 * | any other failure                  | the next model is asked, now and for what comes later   |
 *
 * Three failures end it.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is how far the calls have come
export function askModels(options: AskModelsOptions): ModelPanel {
  const {
    models,
    enter,
    clean,
    onAttempt,
    onRest,
    abortSignal,
    retryMs = defaultRetryMs,
  } = options;
  const { manners = modelManners() } = options;
  const retriesUntil = clockMs() + retryMs;
  // One for all requests: an id that is not known is one failure.
  const resolved: Promise<ModelObject | SummarizationError>[] = [];
  const usage = { inputTokens: 0, outputTokens: 0 };
  let turn = 0;
  let running = 0;
  let calls = 0;
  let failures = 0;
  let hasWorked = false;
  let freed = Promise.withResolvers<void>();

  // What waits to retry runs: nothing may spend its attempts meanwhile.
  const mostRunning = (): number => {
    if (!hasWorked) return 1;
    return failures === 0 ? Infinity : maxFailedCalls - failures;
  };
  const passOn = (from: number): void => {
    if (turn === from) turn += 1;
  };
  const isStillAsked = (asked: number): boolean => turn === asked && failures < maxFailedCalls;

  const record = (name: string, result: ModelCallResult<object>): void => {
    usage.inputTokens += result.usage.inputTokens;
    usage.outputTokens += result.usage.outputTokens;
    if (result.outcome === 'ok') return onAttempt?.({ model: name, outcome: 'ok' });
    const { outcome, refusal } = result;
    if (refusal === undefined) failures += 1;
    // On one line: logs are read line by line. Cut last: half a secret would not be recognised.
    const shown = (text: string): string =>
      asOneLine(clean(text)).slice(0, excerptCharacters).toWellFormed();
    const { answer } = outcome === 'invalid-output' ? result : {};
    onAttempt?.({
      model: name,
      outcome,
      // A custom provider may name its errors by what it was sent.
      detail: clean(result.detail),
      ...(answer === undefined ? {} : { excerpt: shown(answer) }),
      ...(isTooLong(result) ? { isTooLong: true } : {}),
      ...(refusal === undefined
        ? {}
        : { refused: refusal.parts, said: refusal.said && shown(refusal.said) }),
    });
  };

  const resolve = async (model: LanguageModel): Promise<ModelObject | SummarizationError> => {
    try {
      return await resolveModel(model);
    } catch (error) {
      const failure = { ...(await classifyFailure(error, Date.now())), error };
      record(nameOfModel(model), { ...failure, usage: { inputTokens: 0, outputTokens: 0 } });
      return failed(nameOfModel(model), failure, options);
    }
  };

  /** Makes a call, in one form after the other, counts it, and tells the breaker how it ended. */
  const make = async <Answer extends object>(
    model: ModelObject,
    call: Call<Answer>,
    pass: BreakerPass,
  ): Promise<ModelCallResult<Answer>> => {
    const name = nameOfModel(model);
    let first: ModelCallResult<Answer> | undefined;
    for (;;) {
      const form = manners.formFor(model);
      calls += 1;
      const result = await call(form).catch((error: unknown) => {
        pass.cancel();
        onAttempt?.({ model: name, outcome: 'aborted' });
        throw error;
      });
      const refusal = result.outcome === 'ok' ? undefined : result.refusal;
      if (refusal !== undefined) {
        record(name, result);
        first ??= result;
        manners.refused(model, refusal.parts);
        continue;
      }
      const isRefusedInAnyForm =
        first !== undefined && result.outcome !== 'ok' && isOfRequest(result);
      if (isRefusedInAnyForm) manners.refusedInAnyForm(model);
      record(name, result);
      if (result.outcome === 'ok') pass.succeed();
      else if (isTooLong(result)) pass.cancel();
      else pass.fail(breakerFailure(result));
      if (!isTooLong(result)) hasWorked = result.outcome === 'ok';
      return isRefusedInAnyForm && first !== undefined ? { ...first, refusal: undefined } : result;
    }
  };

  const rest = async (ms: number): Promise<void> => {
    onRest?.(ms);
    await delay(ms, abortSignal);
  };

  /** Enters, after the time for which the provider asked to be left alone, where there is so much. */
  const enterRested = async (name: string): Promise<BreakerPass | LeftAlone> => {
    for (;;) {
      const entered = enter(name);
      const isAskedFor = 'leftMs' in entered && entered.isAskedFor;
      if (!isAskedFor || entered.leftMs > retriesUntil - clockMs()) return entered;
      await rest(entered.leftMs);
    }
  };

  const leave = (): void => {
    running -= 1;
    freed.resolve();
    freed = Promise.withResolvers();
  };

  /** Waits for a pass; nothing comes back when the model is not to be asked any more. */
  const admit = async (
    asked: number,
    name: string,
  ): Promise<BreakerPass | SummarizationError | undefined> => {
    for (;;) {
      abortSignal?.throwIfAborted();
      if (!isStillAsked(asked)) return undefined;
      if (running < mostRunning()) {
        running += 1;
        let entered: BreakerPass | LeftAlone | undefined;
        try {
          entered = await enterRested(name);
          if ('succeed' in entered) return entered;
        } finally {
          if (entered === undefined || 'leftMs' in entered) leave();
        }
        if (running === 0) {
          passOn(asked);
          return leftAlone(name, entered.leftMs);
        }
      }
      // One that runs may be the probe after which the model is no longer left alone.
      await freed.promise;
    }
  };

  /** Makes a call, and once more where its failure may pass in time. */
  const attempt = async <Answer extends object>(
    asked: number,
    { model, call, pass }: { model: ModelObject; call: Call<Answer>; pass: BreakerPass },
  ): Promise<ModelCallResult<Answer>> => {
    const result = await make(model, call, pass);
    if (result.outcome !== 'transport-error' || result.retry !== 'soon') return result;
    const waitMs = result.retryAfterMs ?? backOffMs * 2 ** (failures - 1);
    if (!isStillAsked(asked) || waitMs > retriesUntil - clockMs()) return result;
    await rest(waitMs);
    const again = isStillAsked(asked) ? await enterRested(nameOfModel(model)) : undefined;
    return again !== undefined && 'succeed' in again ? make(model, call, again) : result;
  };

  /** Asks the models in turn, until one answers. */
  const inTurn = async <Answer extends object>(prepare: PrepareCall<Answer>): Promise<Answer> => {
    let earlier: SummarizationError | undefined;
    let refused: ContextOverflow | undefined;
    for (;;) {
      const asked = turn;
      const given = failures < maxFailedCalls ? models[asked] : undefined;
      if (given === undefined) throw earlier ?? noneLeft();
      const model = await (resolved[asked] ??= resolve(given));
      const call = SummarizationError.isInstance(model) ? undefined : await prepare(model, refused);
      refused = undefined;
      if (SummarizationError.isInstance(model)) earlier = model;
      if (SummarizationError.isInstance(model) || call === undefined) {
        passOn(asked);
        continue;
      }
      const pass = await admit(asked, nameOfModel(model));
      // A model that is left alone says less than one that failed just now.
      if (SummarizationError.isInstance(pass)) earlier ??= pass;
      if (pass === undefined || SummarizationError.isInstance(pass)) continue;
      const result = await attempt(asked, { model, call, pass }).finally(leave);
      if (result.outcome === 'ok') return result;
      earlier = failed(nameOfModel(model), result, options);
      if (result.outcome === 'invalid-output') throw earlier;
      if (isStillAsked(asked)) refused = result.overflow;
      if (refused === undefined) passOn(asked);
    }
  };

  const once = async (prepare: (model: ModelObject) => string): Promise<string | undefined> => {
    for (; ; passOn(turn)) {
      const asked = turn;
      const given = models[asked];
      // The summary's own request meets the fault of an unknown id, too, and reports it.
      const model = given && (await resolveModel(given).catch(() => undefined));
      if (model === undefined) return undefined;
      const pass = enter(nameOfModel(model));
      const hasNext = asked + 1 < models.length;
      if (!('succeed' in pass)) {
        if (hasNext) continue;
        return undefined;
      }
      const prompt = prepare(model);
      const result = await make(
        model,
        async (form) => askForText(callOf(model, form), prompt),
        pass,
      );
      if (result.outcome === 'ok') return result.text === withheldText ? undefined : result.text;
      if (result.outcome === 'transport-error' && !isTooLong(result) && hasNext) passOn(asked);
      return undefined;
    }
  };

  const callOf = (model: ModelObject, form: RequestForm): ModelCall => {
    const contextLength = options.contextLengthOf?.(model);
    return { ...options, model, form, manners, contextLength };
  };
  return {
    usage: () => ({ ...usage }),
    calls: () => calls,
    failures: () => failures,
    ask: async (prepare) => {
      const { answer } = await inTurn(async (model, refused) => {
        const request = await prepare(model, refused, manners.shareFor(model));
        return request && (async (form) => askForAnswer(callOf(model, form), request));
      });
      if (answer.summary === withheldText) throw redactFailure();
      return answer;
    },
    write: async (prompt) => {
      const { text } = await inTurn(async (model, refused) => {
        if (refused !== undefined) return undefined;
        return async (form) => {
          const result = await askForText(callOf(model, form), prompt);
          // A summary that was cut off lacks its end, where things stand.
          if (result.outcome !== 'ok' || result.isComplete) return result;
          const detail = 'finish reason length';
          return { outcome: 'invalid-output', usage: result.usage, detail };
        };
      });
      if (text === withheldText) throw redactFailure();
      return text;
    },
    askText: once,
  };
}

/** The error of a call that failed. */
function failed(
  model: string,
  failure: CallFailure,
  { keepsCauses = false }: Pick<AskModelsOptions, 'keepsCauses'>,
): SummarizationError {
  const { detail } = failure;
  const cause = keepsCauses && 'error' in failure ? { cause: failure.error } : {};
  if (failure.outcome === 'invalid-output')
    return new SummarizationError({
      reason: 'invalid-output',
      message: `The summarising model ${model} gave no usable summary: ${detail}.`,
    });
  return new SummarizationError({
    reason: 'transport',
    message: `The summarising model ${model} could not be used: ${detail}.`,
    retryable: failure.retry !== 'never',
    // One that hangs is not over in a moment.
    retryAfterMs: failure.retry === 'later' ? hangingMs : failure.retryAfterMs,
    ...cause,
  });
}

/** Milliseconds after which a model that hung is worth asking again. */
const hangingMs = 30_000;

function leftAlone(model: string, leftMs = 0): SummarizationError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const message = `The summarising model ${model} failed repeatedly or is busy: it is left alone for ${seconds} s.`;
  return new SummarizationError({
    reason: 'breaker-open',
    message,
    retryable: true,
    retryAfterMs: leftMs,
  });
}

function noneLeft(): SummarizationError {
  const message = 'No summarising model is left to ask.';
  return new SummarizationError({ reason: 'transport', message });
}

/** Whether a call was refused because of its length: that says nothing about the model but how much it reads. */
function isTooLong(result: ModelCallResult<object>): boolean {
  return result.outcome === 'transport-error' && result.overflow !== undefined;
}

function isOfRequest(failure: CallFailure): boolean {
  return failure.outcome === 'transport-error' && failure.isOfRequest === true;
}

function breakerFailure(failure: CallFailure): Parameters<BreakerPass['fail']>[0] {
  // The messages alone may be why.
  if (failure.outcome === 'invalid-output' || isOfRequest(failure)) return { of: 'content' };
  const isPassing = failure.retry === 'soon';
  return { of: 'model', isPassing, ...(isPassing ? { retryAfterMs: failure.retryAfterMs } : {}) };
}
