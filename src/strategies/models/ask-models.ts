import { redactFailure, withheldText, type TextDoor } from '../../cleaning/text-door.ts';
import type { ContextOverflow } from '../../overflow/context-overflow.ts';
import { askInTurn, type TurnOptions } from './ask-in-turn.ts';
import { askText } from './ask-text.ts';
import { callTally } from './call-tally.ts';
import type { SummarizationTelemetry } from '../call-telemetry.ts';
import type { CallUsage } from './call-usage.ts';
import { generatePlainText, type TextCallResult } from './generate-plain-text.ts';
import { generateSummaryObject } from './generate-summary-object.ts';
import type { ModelObject } from './resolve-model.ts';
import type { AnswerKind, SummaryAnswer } from './summary-answer.ts';
import type { SummaryAttempt } from '../summary-strategy.ts';

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
export interface AskModelsOptions extends Omit<TurnOptions, 'tally'> {
  readonly timeoutMs: number;
  /** What models answer goes through it before anything is done with it. */
  readonly clean: TextDoor;
  readonly telemetry?: SummarizationTelemetry | undefined;
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
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
  readonly ask: <Request extends SummaryRequest>(
    prepare: (model: ModelObject, refused?: ContextOverflow) => Promise<Request | undefined>,
  ) => Promise<Reply<Request>>;
  /**
   * Asks the first model that answers for a text. One that was cut off is unusable.
   *
   * @throws As `ask` does.
   */
  readonly write: (prompt: string) => Promise<string>;
  /** Asks once for a text, see {@link askText}; `undefined` when that fails. */
  readonly askText: (prepare: (model: ModelObject) => string) => Promise<string | undefined>;
  /** Tokens billed so far, by failed calls too. */
  readonly usage: () => CallUsage;
  /** Calls that failed so far. */
  readonly failures: () => number;
}

/** Sets up the models of one summary; see {@link askInTurn} for what happens when calls fail. */
export function askModels(options: AskModelsOptions): ModelPanel {
  const { timeoutMs, telemetry, clean, onAttempt, abortSignal } = options;
  const tally = callTally(onAttempt, clean);
  const { ask, takeTurn } = askInTurn({ ...options, tally });
  return {
    usage: tally.usage,
    failures: tally.failures,
    ask: async (prepare) => {
      const reply = await ask(async (model, refused) => {
        const request = await prepare(model, refused);
        if (request === undefined) return undefined;
        return async () => {
          const call = { model, timeoutMs, telemetry, clean, abortSignal, ...request };
          const result = await generateSummaryObject(call);
          return result.outcome === 'ok' ? { ...result, request } : result;
        };
      });
      if (reply.answer.summary === withheldText) throw redactFailure();
      return reply;
    },
    write: async (prompt) => {
      const { text } = await ask(async (model, refused) => {
        if (refused !== undefined) return undefined;
        return async () => {
          const call = { model, timeoutMs, telemetry, clean, abortSignal, prompt };
          return completed(await generatePlainText(call));
        };
      });
      if (text === withheldText) throw redactFailure();
      return text;
    },
    askText: (prepare) => askText({ ...options, tally, takeTurn }, prepare),
  };
}

/** A summary that was cut off lacks its end, where things stand. */
function completed(result: TextCallResult): TextCallResult {
  if (result.outcome !== 'ok' || result.isComplete) return result;
  return { outcome: 'invalid-output', usage: result.usage, detail: 'finish reason length' };
}
