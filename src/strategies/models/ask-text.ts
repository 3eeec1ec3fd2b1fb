import { withheldText, type TextDoor } from '../../cleaning/text-door.ts';
import type { BreakerPass } from './circuit-breaker.ts';
import type { CallTally } from './call-tally.ts';
import type { SummarizationTelemetry } from '../call-telemetry.ts';
import { generatePlainText, type TextCallResult } from './generate-plain-text.ts';
import type { ModelObject } from './resolve-model.ts';
import { isTooLong, runCall } from './run-call.ts';

/** What {@link askText} shares with the other calls for the same summary. */
export interface TextPanel {
  /** The model whose turn it is, `undefined` when none is left. */
  readonly takeTurn: () =>
    | {
        /** Rejects when the model's id is not known. */
        readonly model: () => Promise<ModelObject>;
        /** Lets the next model have its turn, if there is one; returns whether another has it. */
        readonly passOn: () => boolean;
      }
    | undefined;
  readonly enter: (model: string) => BreakerPass | undefined;
  readonly tally: CallTally;
  readonly timeoutMs: number;
  readonly clean: TextDoor;
  readonly telemetry?: SummarizationTelemetry | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Asks once for a text, with no retry: what a failure costs is a shorter way of saying the same.
 *
 * @param prepare - Writes the prompt for a model; models read different amounts at once.
 * @returns The text, or `undefined` when the call failed, the model is left alone or `redact` failed.
 * @throws The reason of an abort; nothing else.
 */
export async function askText(
  panel: TextPanel,
  prepare: (model: ModelObject) => string,
): Promise<string | undefined> {
  const { takeTurn, enter, tally, timeoutMs, telemetry, clean, abortSignal } = panel;
  const turn = takeTurn();
  if (turn === undefined) return undefined;
  let model: ModelObject;
  try {
    model = await turn.model();
  } catch {
    // The summary's own request meets the same fault and reports it.
    return undefined;
  }
  const name = `${model.provider}:${model.modelId}`;
  const pass = enter(name);
  if (pass === undefined) {
    return turn.passOn() ? askText(panel, prepare) : undefined;
  }
  const call = async (): Promise<TextCallResult> =>
    generatePlainText({ model, prompt: prepare(model), timeoutMs, telemetry, clean, abortSignal });
  const result = await runCall(call, { name, pass, tally });
  if (result.outcome === 'ok') return result.text === withheldText ? undefined : result.text;
  if (result.outcome === 'transport-error' && !isTooLong(result)) turn.passOn();
  return undefined;
}
