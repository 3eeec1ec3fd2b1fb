import type { LanguageModel } from 'ai';
import { redactFailure, withheldText } from '../../prompt/cleaning/redactor.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import type { ContextOverflow } from '../../sizes/overflow/context-overflow.ts';
import { maxModels } from '../../prompt/messages/model-name.ts';
import { clockMs, delay } from '../../foundations/util/async/waiting.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import type { SummaryInput } from '../strategies/summary-strategy.ts';
import { asOneLine } from '../strategies/texts.ts';
import {
  callInSpan,
  callModel,
  type ModelCall,
  type ModelForms,
  modelForms,
  type SummaryRequest,
} from './call-model.ts';
import {
  type CallEnd,
  type CallUsage,
  classifyFailure,
  type FailedCall,
} from './classify-failure.ts';
import { type ModelObject, nameOfModel, resolveModel } from './resolve-model.ts';
import type { SummaryAnswer } from './summary-answer.ts';

/** Calls that may fail before a summary is given up, over all models and requests. */
const maxFailedCalls = 3;

/** Wait before a retry where the provider names none. */
const backOffMs = 250;

/** Milliseconds after which a model that hung is worth asking again. */
const hangingMs = 30_000;

/** Characters of an unusable answer, and of a provider's words, that are reported. */
const excerptCharacters = 200;

/** Options of {@link modelChain} for one summary. */
export interface ModelChainOptions
  extends Omit<ModelCall, 'model' | 'forms'>, Pick<SummaryInput, 'onAttempt' | 'onRest'> {
  /** In order of preference. */
  readonly models: readonly LanguageModel[];
  /** Gives a pass for a call to a model, none while the model is left alone. */
  readonly enter: (model: string) => BreakerPass | ModelBackoff;
  /**
   * Forms of requests that the models accept.
   * @default nothing is known of it
   */
  readonly forms?: ModelForms | undefined;
  /** Whether errors carry what the provider threw, which may quote the messages. */
  readonly keepsCauses?: boolean | undefined;
}

/**
 * Writes a request for a model; may ask for texts first. A context overflow error is passed to a second call for the
 * same model; `undefined` gives that model up.
 */
export type PrepareRequest = (
  model: ModelObject,
  refused: ContextOverflow | undefined,
) => Promise<SummaryRequest | undefined>;

/** The models of one summary. Failed calls of all kinds count together. */
export interface ModelChain {
  /**
   * Asks the first model that answers for a summary's content.
   *
   * @throws SummarizationError when none does or an answer is unusable; the reason of an abort.
   */
  readonly ask: (prepare: PrepareRequest) => Promise<SummaryAnswer>;
  /** Makes a request once; returns `undefined` without a usable answer. Throws only the reason of an abort. */
  readonly askOnce: (request: SummaryRequest) => Promise<SummaryAnswer | undefined>;
  /**
   * Asks the first model that answers for a text. A text that was cut off is unusable.
   *
   * @param prepare - Writes the prompt for a model; models read different amounts at once.
   * @param isOnce - Whether to stop after one failed call of any kind, as little is lost. The last model keeps its turn
   * then, and a text that was cut off is usable.
   * @throws As `ask` does.
   */
  readonly write: (prepare: (model: ModelObject) => string, isOnce?: boolean) => Promise<string>;
  readonly soFar: {
    /** Tokens billed, by failed calls too. */
    readonly usage: CallUsage;
    /** Calls made, and those of them that failed, without refusals of the form alone. */
    readonly calls: number;
    readonly failures: number;
  };
}

/**
 * Sets up the models of one summary. The first model that answers keeps its turn. The result of a call decides:
 *
 * | result                             | reaction                                                |
 * | ---------------------------------- | ------------------------------------------------------- |
 * | an answer                          | it counts                                               |
 * | something unusable                 | it is given up: asking again would be billed again      |
 * | a refusal of the request's form    | the model is asked in the next form, which it keeps     |
 * | a refusal as too long              | a shorter request is written for the same model         |
 * | a failure that may pass, once      | the same call after a while, as long as there is time   |
 * | any other failure                  | the next model is asked, now and for what comes later   |
 *
 * Three failures end the summary.
 */
export function modelChain(options: ModelChainOptions): ModelChain {
  const { models, enter, clean, onAttempt, onRest, abortSignal } = options;
  const { forms = modelForms() } = options;
  // Retries may begin for as long as one call may take.
  const retriesUntil = clockMs() + options.timeoutMs;
  const soFar = { calls: 0, failures: 0, usage: { inputTokens: 0, outputTokens: 0 } };
  let turn = 0;
  const isOver = (): boolean => soFar.failures >= maxFailedCalls || turn >= models.length;

  /** Counts a call, and tells how it ended. */
  const record = (model: string, end: CallEnd, isOnce?: boolean): void => {
    const { outcome } = end;
    const { refusal, overflow, detail, said }: Partial<FailedCall> = outcome === 'ok' ? {} : end;
    soFar.usage.inputTokens += end.usage.inputTokens;
    soFar.usage.outputTokens += end.usage.outputTokens;
    // All calls that are made at once may fail: one failure is left for the summary itself.
    const most = isOnce === true ? Math.max(soFar.failures, maxFailedCalls - 1) : Infinity;
    if (outcome !== 'ok' && refusal === undefined)
      soFar.failures = Math.min(soFar.failures + 1, most);
    onAttempt?.({
      model,
      outcome,
      // A custom provider may repeat its input in the name of an error.
      detail: detail && clean(detail),
      // On one line: logs are read line by line. Cut last: half a secret would not be recognized.
      excerpt: said && asOneLine(clean(said)).slice(0, excerptCharacters).toWellFormed(),
      isTooLong: overflow && true,
      refused: refusal,
    });
  };

  /** Makes a call, and tells the breaker how it ended. */
  const make = async (
    model: ModelObject,
    request: SummaryRequest,
  ): Promise<CallEnd | ModelBackoff> => {
    const name = nameOfModel(model);
    const pass = enter(name);
    if (typeof pass !== 'function') return pass;
    const call = { ...options, model, forms };
    const isTraced = options.telemetry?.tracer !== undefined;
    soFar.calls += 1;
    let end: CallEnd | undefined;
    try {
      end = await (isTraced ? callInSpan(call, request) : callModel(call, request));
      record(name, end, request.mayBeCut);
      return end;
    } finally {
      if (end === undefined) onAttempt?.({ model: name, outcome: 'aborted' });
      // A refusal of form or length says nothing about the model's health.
      const isOfRequest = end && end.outcome !== 'ok' && (end.refusal ?? end.overflow);
      pass(isOfRequest ? undefined : end);
    }
  };

  /** Asks the models in turn, until one answers. */
  const ask = async (prepare: PrepareRequest, isOnce = false): Promise<SummaryAnswer> => {
    let earlier: SummarizationError | undefined;
    let refused: ContextOverflow | undefined;
    /** The last turn in which a call that failed was made once more. */
    let repeated = -1;
    for (;;) {
      abortSignal?.throwIfAborted();
      const asked = turn;
      const given = models[asked];
      if (given === undefined || isOver()) throw earlier ?? noneIsLeft();
      const model = await resolveModel(given).catch(async (error: unknown) => {
        const failure = await classifyFailure(error, Date.now());
        record(nameOfModel(given), failure);
        earlier = errorOf(nameOfModel(given), failure, options);
      });
      const request = model && (await prepare(model, refused));
      const end = model && request && (await make(model, request));
      const name = nameOfModel(model ?? given);
      refused = undefined;
      let restMs: number | undefined;
      if (end !== undefined && 'leftMs' in end) {
        // An earlier failure says more about the model.
        earlier ??= leftAlone(name, end.leftMs);
        if (end.isAskedFor) restMs = end.leftMs;
      } else if (end !== undefined) {
        if (end.outcome === 'ok') {
          if (end.answer.summary === withheldText) throw redactFailure();
          return end.answer;
        }
        if (model !== undefined && end.refusal !== undefined) {
          forms.leaveOut(model, end.refusal);
          continue;
        }
        earlier = errorOf(name, end, options);
        if (end.outcome === 'invalid-output') throw earlier;
        if (turn === asked) refused = end.overflow;
        if (end.retry === 'soon' && repeated !== asked && !isOnce) {
          restMs = end.retryAfterMs ?? backOffMs;
          repeated = asked;
        }
      }
      const isStillAsked = turn === asked && !isOver();
      if (restMs !== undefined && isStillAsked && restMs <= retriesUntil - clockMs()) {
        onRest?.(restMs);
        await delay(restMs, abortSignal);
        continue;
      }
      if (refused === undefined && turn === asked && !(isOnce && turn + 1 === models.length))
        turn += 1;
      if (isOnce) throw earlier ?? noneIsLeft();
    }
  };

  return {
    soFar,
    ask,
    askOnce: (request) =>
      ask(async () => request, true).catch(() => {
        abortSignal?.throwIfAborted();
        return undefined;
      }),
    write: async (prepare, isOnce) => {
      const writeFor: PrepareRequest = async (model, refused) =>
        refused
          ? undefined
          : { kind: 'text', instructions: '', prompt: prepare(model), mayBeCut: isOnce };
      return (await ask(writeFor, isOnce)).summary;
    },
  };
}

/** The error of a call that failed. */
function errorOf(
  model: string,
  { outcome, detail = '', retry, retryAfterMs, error }: FailedCall,
  { keepsCauses = false }: Pick<ModelChainOptions, 'keepsCauses'>,
): SummarizationError {
  const isAnswered = outcome === 'invalid-output';
  return new SummarizationError({
    reason: isAnswered ? 'invalid-output' : 'transport',
    message: isAnswered
      ? `The summarizing model ${model} gave no usable summary: ${detail}.`
      : `The summarizing model ${model} could not be used: ${detail}.`,
    retryable: retry !== undefined,
    // A hanging model does not recover in a moment.
    retryAfterMs: retry === 'later' ? hangingMs : retryAfterMs,
    ...(keepsCauses ? { cause: error } : {}),
  });
}

function leftAlone(model: string, retryAfterMs: number): SummarizationError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const message = `The summarizing model ${model} failed repeatedly or is busy: it is left alone for ${seconds} s.`;
  const reason = 'breaker-open';
  return new SummarizationError({ reason, message, retryable: true, retryAfterMs });
}

function noneIsLeft(): SummarizationError {
  const message = 'No summarizing model is left to ask.';
  return new SummarizationError({ reason: 'transport', message });
}

/**
 * Permission to make one call; told how the call ended, or the breaker stays half open. `undefined`: the call was given
 * up for a reason that says nothing about the model, unless it was slow.
 */
export type BreakerPass = (end: CallEnd | undefined) => void;

/** A model is left alone for so many milliseconds. */
export interface ModelBackoff {
  readonly leftMs: number;
  /** Whether the provider asked for the pause: the model will answer after it. */
  readonly isAskedFor: boolean;
}

/** Failures in a row that open a circuit. */
const maxFailures = 3;

/** Milliseconds that a circuit stays open, and at first after failures that may pass, doubled each time. */
const openMs = 60_000;
const leastOpenMs = 1000;

/** Namespaces in a row without a usable answer from which the model is at fault and not their messages. */
const maxUnlucky = 3;

/** A call under way. */
interface RunningCall {
  /** Time of the call, or of a later answer of the model to another call. */
  since: number;
  readonly slowMs: number;
  readonly isProbe: boolean;
}

/**
 * Leaves a model alone after three failures in a row: for a second where they may pass, doubling up to a minute; for a
 * minute at once where it hangs, refuses or writes nothing usable, and then one call probes. A success closes the
 * circuit. A call that hangs counts before it has ended. Unusable answers count for the namespace of the messages: a
 * tenant whose messages no model summarizes takes the model from nobody else.
 *
 * @returns The function that gives a pass for a call. `slowMs`: milliseconds after which a call that is under way counts
 * as failing, while the model answers no other.
 */
export function modelBreaker(): (
  model: string,
  namespace: string,
  slowMs?: number,
) => BreakerPass | ModelBackoff {
  const circuits = boundedMap<ReturnType<typeof closedCircuit>>(maxModels);
  const unlucky = boundedMap<Set<string>>(maxModels);
  /** Failures in a row due to a namespace's messages, and the end of the pause for them, by model and namespace. */
  const ofContent = boundedMap<{ readonly failures: number; readonly until: number }>(maxModels);
  return (model, namespace, slowMs = Infinity) => {
    const own = JSON.stringify([model, namespace]);
    const leftMs = (ofContent.get(own)?.until ?? 0) - clockMs();
    if (leftMs > 0) return { leftMs, isAskedFor: false };
    const circuit = circuits.get(model) ?? closedCircuit();
    circuits.set(model, circuit);
    const pass = circuit(slowMs);
    if (typeof pass !== 'function') return pass;
    return (end) => {
      const all = unlucky.get(model) ?? new Set();
      if (end?.outcome === 'ok') {
        ofContent.delete(own);
        unlucky.delete(model);
        return pass(end);
      }
      if (end?.isOfContent === true) {
        const failures = (ofContent.get(own)?.failures ?? 0) + 1;
        ofContent.set(own, { failures, until: failures < maxFailures ? 0 : clockMs() + openMs });
        if (all.size < maxUnlucky) unlucky.set(model, all.add(namespace));
      }
      pass(end?.isOfContent === true && all.size < maxUnlucky ? undefined : end);
    };
  };
}

/** Makes the circuit of a model. Times are those of `clockMs`. */
function closedCircuit(): (slowMs: number) => BreakerPass | ModelBackoff {
  /** Calls that count as neither answered nor failed. */
  const running = new Set<RunningCall>();
  let failures = 0;
  /** Time until which the circuit is open, and whether the provider asked for that. */
  let openUntil = 0;
  let isAskedFor = false;
  /** Time for which failures opened the circuit: after the longest time one call at a time may probe, else all may. */
  let openedForMs = 0;

  const open = (ms: number, isByProvider: boolean): void => {
    if (clockMs() + ms <= openUntil) return;
    openUntil = clockMs() + ms;
    isAskedFor = isByProvider;
  };
  /** @param end - `undefined` of a call that hangs. */
  const fail = ({ since, isProbe }: RunningCall, end?: FailedCall): void => {
    const isPassing = end?.retry === 'soon';
    const restMs = isPassing ? end.retryAfterMs : undefined;
    if (restMs !== undefined) open(Math.min(restMs, openMs), true);
    // A call that began before the circuit opened says nothing new.
    if (restMs !== undefined || since < openUntil) return;
    failures += 1;
    if (!isProbe && failures < maxFailures) return;
    const longer = Math.min(Math.max(leastOpenMs, openedForMs * 2), openMs);
    openedForMs = isPassing ? longer : openMs;
    open(openedForMs, false);
  };
  /** Counts each call that is under way for too long as failed, once. */
  const countSlow = (): void => {
    for (const call of running)
      if (clockMs() - call.since >= call.slowMs && running.delete(call)) fail(call);
  };
  return (slowMs) => {
    countSlow();
    const now = clockMs();
    if (now < openUntil) return { leftMs: openUntil - now, isAskedFor };
    const isProbe = openedForMs === openMs;
    // A probe keeps other calls out, but not for ever: its request may have ended without a report.
    if (isProbe && [...running].some((each) => each.isProbe && now - each.since < openMs))
      return { leftMs: leastOpenMs, isAskedFor: false };
    const call = { since: now, slowMs: isProbe ? Infinity : slowMs, isProbe };
    running.add(call);
    return (end) => {
      countSlow();
      const isCounted = !running.delete(call);
      if (end?.outcome === 'ok') {
        [failures, openUntil, openedForMs] = [0, 0, 0];
        for (const other of running) other.since = clockMs();
      } else if (end !== undefined && !isCounted) fail(call, end);
    };
  };
}
