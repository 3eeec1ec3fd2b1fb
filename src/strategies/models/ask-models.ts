import { redactFailure, withheldText } from '../../cleaning/redaction-door.ts';
import type { ContextOverflow } from '../../overflow/context-overflow.ts';
import { askInTurn } from './ask-in-turn.ts';
import type { SummarizationTelemetry } from '../call-telemetry.ts';
import type { CallUsage, ModelCall } from './model-call.ts';
import { generatePlainText, type TextCallResult } from './generate-plain-text.ts';
import { generateSummaryObject, type SummaryRequest } from './generate-summary-object.ts';
import { isTooLong, makeCall, passOn, type ModelTurns, type TurnOptions } from './model-turns.ts';
import { nameOfModel, resolveModel, type ModelObject } from './resolve-model.ts';
import type { SummaryAnswer } from './summary-answer.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** Milliseconds for which a retry is worth waiting where nobody says how long there is. */
const defaultRetryMs = 60_000;

/** What {@link askModels} needs for one summary. */
export interface AskModelsOptions extends TurnOptions, Pick<ModelCall, 'termsFor'> {
  /** Milliseconds after which one call counts as failed. */
  readonly timeoutMs: number;
  /**
   * Milliseconds, from now on, in which a call that failed may be made once more.
   * @default 60_000
   */
  readonly retryMs?: number | undefined;
  readonly telemetry?: SummarizationTelemetry | undefined;
  /** Told the narrative as far as it is written, each time as a whole. */
  readonly onPartial?: ((narrative: string) => void) | undefined;
}

/** The models of one summary. Failed calls of all kinds count together. */
export interface ModelPanel {
  /**
   * Asks the first model that answers for a summary's content.
   *
   * @param prepare - Writes the request for a model; may ask for texts first. Called again with what a
   * model said that refused a request as too long; `undefined` leaves it at that.
   * @throws SummarizationError when none does or an answer is unusable; the reason of an abort.
   */
  readonly ask: (
    prepare: (model: ModelObject, refused?: ContextOverflow) => Promise<SummaryRequest | undefined>,
  ) => Promise<SummaryAnswer>;
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
  /** Calls that failed so far. */
  readonly failures: () => number;
}

/** Sets up the models of one summary; see {@link askInTurn} for what happens when calls fail. */
export function askModels(options: AskModelsOptions): ModelPanel {
  const { retryMs = defaultRetryMs, onPartial } = options;
  const freed = Promise.withResolvers<void>();
  const usage = { inputTokens: 0, outputTokens: 0 };
  const start = { position: 0, running: 0, isWorking: false, failures: 0, usage, freed };
  const retriesUntil = clockMs() + retryMs;
  const turns: ModelTurns = { ...options, ...start, retriesUntil, resolved: [] };
  const callOf = (model: ModelObject, prompt: string): ModelCall =>
    callWith(options, { model, prompt });
  return {
    usage: () => turns.usage,
    failures: () => turns.failures,
    ask: async (prepare) => {
      const { answer } = await askInTurn(turns, async (model, refused) => {
        const request = await prepare(model, refused);
        if (request === undefined) return undefined;
        return async () =>
          generateSummaryObject({ ...callOf(model, request.prompt), onPartial, ...request });
      });
      if (answer.summary === withheldText) throw redactFailure();
      return answer;
    },
    write: async (prompt) => {
      const { text } = await askInTurn(turns, async (model, refused) => {
        if (refused !== undefined) return undefined;
        return async () => {
          const result = await generatePlainText(callOf(model, prompt));
          // A summary that was cut off lacks its end, where things stand.
          if (result.outcome !== 'ok' || result.isComplete) return result;
          const { usage: billed } = result;
          return { outcome: 'invalid-output', usage: billed, detail: 'finish reason length' };
        };
      });
      if (text === withheldText) throw redactFailure();
      return text;
    },
    askText: (prepare) =>
      askOnce(turns, async (model) => generatePlainText(callOf(model, prepare(model)))),
  };
}

function callWith(
  { timeoutMs, telemetry, clean, termsFor, abortSignal }: AskModelsOptions,
  asked: Pick<ModelCall, 'model' | 'prompt'>,
): ModelCall {
  return { ...asked, timeoutMs, telemetry, clean, termsFor, abortSignal };
}

async function askOnce(
  turns: ModelTurns,
  call: (model: ModelObject) => Promise<TextCallResult>,
): Promise<string | undefined> {
  for (;;) {
    const turn = turns.position;
    const given = turns.models[turn];
    // The summary's own request meets the fault of an unknown id, too, and reports it.
    const model =
      given === undefined ? undefined : await resolveModel(given).catch(() => undefined);
    if (model === undefined) return undefined;
    const name = nameOfModel(model);
    const pass = turns.enter(name);
    const hasNext = turn + 1 < turns.models.length;
    if (pass !== undefined) {
      const result = await makeCall(turns, async () => call(model), { name, pass });
      if (result.outcome === 'ok') return result.text === withheldText ? undefined : result.text;
      if (result.outcome === 'transport-error' && !isTooLong(result) && hasNext)
        passOn(turns, turn);
      return undefined;
    }
    if (!hasNext) return undefined;
    passOn(turns, turn);
  }
}
