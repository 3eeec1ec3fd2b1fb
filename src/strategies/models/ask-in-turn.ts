import { SummarizationError } from '../../errors/summarization-error.ts';
import type { ContextOverflow } from '../../overflow/context-overflow.ts';
import { delay } from '../../util/async/delay.ts';
import type { ModelCallResult } from './model-call.ts';
import type { BreakerPass } from './circuit-breaker.ts';
import {
  callFailed,
  isTooLong,
  makeCall,
  passOn,
  resolveTurn,
  standingOf,
  type ModelTurns,
} from './model-turns.ts';
import { isSpent, mayAsk, mustWait, nextMove } from './next-move.ts';
import { nameOfModel, type ModelObject } from './resolve-model.ts';

type Call<Answer extends object> = () => Promise<ModelCallResult<Answer>>;

/**
 * Writes a request for a model; returns the call, to be made once or twice. When the model has refused it
 * as too long, a shorter one is written; `undefined` if there is none.
 */
type PrepareCall<Answer extends object> = (
  model: ModelObject,
  refused?: ContextOverflow,
) => Promise<Call<Answer> | undefined>;

/**
 * Asks the first model that answers. A transport failure that may pass is retried once, unless the provider
 * asks for more time than there is; then the next model is asked, which also answers what is asked later. A request that is too long is written again,
 * shorter, for the same model. An unusable answer, or three failures in all, end it; see `nextMove`.
 *
 * @throws SummarizationError when no model answers or an answer is unusable; the reason of an abort.
 */
export async function askInTurn<Answer extends object>(
  turns: ModelTurns,
  prepare: PrepareCall<Answer>,
): Promise<Answer> {
  let earlier: SummarizationError | undefined;
  let refused: ContextOverflow | undefined;
  for (;;) {
    const turn = turns.position;
    const model = isSpent(standingOf(turns, turn)) ? undefined : await resolveTurn(turns, turn);
    if (model === undefined) {
      const message = 'No summarising model is left to ask.';
      throw earlier ?? new SummarizationError({ reason: 'transport', message });
    }
    if (SummarizationError.isInstance(model)) {
      earlier = model;
      passOn(turns, turn);
      continue;
    }
    const call = await prepare(model, refused);
    refused = undefined;
    if (call === undefined) {
      passOn(turns, turn);
      continue;
    }
    const asked = await askModel(turns, turn, nameOfModel(model), call);
    if ('answer' in asked) return asked.answer;
    ({ refused } = asked);
    // A model that is left alone says less than one that failed just now.
    earlier =
      asked.error?.reason === 'breaker-open' ? (earlier ?? asked.error) : (asked.error ?? earlier);
  }
}

/** How the calls of a request to one model ended; neither where the turn has been passed on before one. */
type Asked<Answer extends object> =
  | { readonly answer: Answer }
  | {
      readonly error?: SummarizationError | undefined;
      /** The model is to be asked for less. */
      readonly refused?: ContextOverflow | undefined;
    };

async function askModel<Answer extends object>(
  turns: ModelTurns,
  turn: number,
  name: string,
  call: Call<Answer>,
): Promise<Asked<Answer>> {
  const pass = await admit(turns, turn, name);
  if (pass === undefined) return {};
  if (SummarizationError.isInstance(pass)) return { error: pass };
  try {
    return await attempt(turns, turn, call, { name, pass });
  } finally {
    turns.running -= 1;
    turns.freed.resolve();
    turns.freed = Promise.withResolvers();
  }
}

/** Waits for a place; nothing comes back when the model is not to be asked any more. */
async function admit(
  turns: ModelTurns,
  turn: number,
  name: string,
): Promise<BreakerPass | SummarizationError | undefined> {
  for (;;) {
    turns.abortSignal?.throwIfAborted();
    const standing = standingOf(turns, turn);
    if (!mayAsk(standing)) return undefined;
    const pass = mustWait(standing) ? undefined : turns.enter(name);
    if (pass !== undefined) {
      turns.running += 1;
      return pass;
    }
    // One that runs may be the probe after which the model is no longer left alone.
    if (turns.running === 0) {
      passOn(turns, turn);
      const message = `The summarising model ${name} failed repeatedly and is left alone for a minute.`;
      return new SummarizationError({ reason: 'breaker-open', message, retryable: true });
    }
    await turns.freed.promise;
  }
}

async function attempt<Answer extends object>(
  turns: ModelTurns,
  turn: number,
  call: Call<Answer>,
  { name, pass: firstPass }: { readonly name: string; readonly pass: BreakerPass },
): Promise<Asked<Answer>> {
  let pass: BreakerPass | undefined = firstPass;
  for (let attempts = 1; ; attempts += 1) {
    const result: ModelCallResult<Answer> = await makeCall(turns, call, { name, pass });
    const move = nextMove(result, attempts, standingOf(turns, turn));
    if (!isTooLong(result)) turns.isWorking = result.outcome === 'ok';
    if (result.outcome === 'ok') return { answer: result };
    const error = callFailed(name, result, turns.keepsCauses);
    if (move.to === 'give-up') throw error;
    if (move.to === 'shorten') return { error, refused: move.refused };
    if (move.to === 'retry') {
      turns.onRest?.(move.afterMs);
      await delay(move.afterMs, turns.abortSignal);
    }
    const mayRetry = move.to === 'retry' && mayAsk(standingOf(turns, turn));
    pass = mayRetry ? turns.enter(name) : undefined;
    if (pass === undefined) {
      passOn(turns, turn);
      return { error };
    }
  }
}
