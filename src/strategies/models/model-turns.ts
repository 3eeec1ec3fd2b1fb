import type { LanguageModel } from 'ai';
import { SummarizationError } from '../../errors/summarization-error.ts';
import type { RedactionDoor } from '../../cleaning/redaction-door.ts';
import { asOneLine } from '../rule-based/texts/sentences.ts';
import type { SummaryAttempt } from '../summary-strategy.ts';
import type { CallUsage, ModelCallResult } from './model-call.ts';
import type { BreakerPass } from './circuit-breaker.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
import type { TurnStanding } from './next-move.ts';
import { nameOfModel, resolveModel, type ModelObject } from './resolve-model.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** What the calls for one summary share. */
export interface TurnOptions {
  /** In order of preference. */
  readonly models: readonly LanguageModel[];
  /** Gives a pass for a call to a model, none while the model is left alone. */
  readonly enter: (model: string) => BreakerPass | undefined;
  /** What models answer, and what is told of it, goes through it before anything is done with it. */
  readonly clean: RedactionDoor;
  /** Told about every call. */
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
  /** Told before a call waits so many milliseconds to be made once more. */
  readonly onRest?: ((ms: number) => void) | undefined;
  /** Whether errors carry what the provider threw, which may quote the messages. */
  readonly keepsCauses?: boolean | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** How far the calls of one summary have come. */
export interface ModelTurns extends TurnOptions {
  /** Time of `performance` until which a call that failed may be made once more. */
  readonly retriesUntil: number;
  /** Position of the model whose turn it is. */
  position: number;
  /** Requests that hold a place. What waits to retry does: nothing may spend its attempts meanwhile. */
  running: number;
  /** Whether the last call to end was answered; one that was too long does not count. */
  isWorking: boolean;
  /** Calls that failed. */
  failures: number;
  /** Tokens billed, by failed calls too. */
  usage: CallUsage;
  /** Resolved when a place is free again. */
  freed: PromiseWithResolvers<void>;
  /** One for all requests: an id that is not known is one failure. */
  readonly resolved: Promise<ModelObject | SummarizationError>[];
}

/** How the calls stand for a request that was written for a model. */
export function standingOf(turns: ModelTurns, turn: number): TurnStanding {
  const { position, models, failures, running, isWorking } = turns;
  const hasNext = position + 1 < models.length;
  const msLeft = turns.retriesUntil - clockMs();
  return { isItsTurn: position === turn, hasNext, msLeft, failures, running, isWorking };
}

/** Lets the next model have its turn, unless it has it. */
export function passOn(turns: ModelTurns, turn: number): void {
  if (turns.position === turn) turns.position += 1;
}

/** The model of a turn, or why its id cannot be used; `undefined` behind the last. */
export async function resolveTurn(
  turns: ModelTurns,
  turn: number,
): Promise<ModelObject | SummarizationError | undefined> {
  const model = turns.models[turn];
  return model === undefined ? undefined : (turns.resolved[turn] ??= resolveOnce(turns, model));
}

async function resolveOnce(
  turns: ModelTurns,
  model: LanguageModel,
): Promise<ModelObject | SummarizationError> {
  try {
    return await resolveModel(model);
  } catch (error) {
    const failure = { ...(await classifyFailure(error, Date.now())), error };
    recordCall(turns, nameOfModel(model), {
      ...failure,
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    return callFailed(nameOfModel(model), failure, turns.keepsCauses);
  }
}

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

/**
 * Makes a call, counts it, and tells the breaker how it ended. A refusal of what is too long says nothing
 * about the model but how much it reads.
 *
 * @throws What the call throws: the reason of an abort.
 */
export async function makeCall<Answer extends object>(
  turns: ModelTurns,
  call: () => Promise<ModelCallResult<Answer>>,
  { name, pass }: { readonly name: string; readonly pass: BreakerPass },
): Promise<ModelCallResult<Answer>> {
  let result: ModelCallResult<Answer>;
  try {
    result = await call();
  } catch (error) {
    pass.cancel();
    turns.onAttempt?.({ model: name, outcome: 'aborted' });
    throw error;
  }
  recordCall(turns, name, result);
  if (result.outcome === 'ok') pass.succeed();
  else if (isTooLong(result)) pass.cancel();
  else pass.fail(isOfContent(result) ? 'content' : 'model');
  return result;
}

/** Characters of an unusable answer that are told. */
const excerptCharacters = 200;

function recordCall(turns: ModelTurns, model: string, result: ModelCallResult<object>): void {
  const { clean, onAttempt, usage } = turns;
  turns.usage = {
    inputTokens: usage.inputTokens + result.usage.inputTokens,
    outputTokens: usage.outputTokens + result.usage.outputTokens,
  };
  if (result.outcome !== 'ok') turns.failures += 1;
  onAttempt?.({
    model,
    outcome: result.outcome,
    // A custom provider may name its errors by what it was sent.
    ...(result.outcome === 'ok' ? {} : { detail: clean(result.detail) }),
    // On one line: logs are read line by line. Cut last: half a secret would not be recognised.
    ...(result.outcome === 'invalid-output' && result.answer !== undefined
      ? { excerpt: asOneLine(clean(result.answer)).slice(0, excerptCharacters).toWellFormed() }
      : {}),
    ...(isTooLong(result) ? { isTooLong: true } : {}),
  });
}

/** Whether a call may have failed because of the messages alone. */
function isOfContent(result: CallFailure): boolean {
  return result.outcome === 'invalid-output' || result.isOfRequest === true;
}

/** Whether a call was refused because of its length. */
export function isTooLong(result: ModelCallResult<object>): boolean {
  return result.outcome === 'transport-error' && result.overflow !== undefined;
}
