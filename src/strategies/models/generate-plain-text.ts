import { callModel, usageOf } from './call-model.ts';
import type { ModelCall, ModelCallResult } from './model-call.ts';

/** How a call for a text ended. */
export type TextCallResult = ModelCallResult<{
  readonly text: string;
  /** `false` if the model was cut off at its output limit. */
  readonly isComplete: boolean;
}>;

/**
 * Asks a model for a text through `generateText`, see {@link callModel}. The text goes through the
 * door. One that was cut off counts and says so; an empty one does not.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function generatePlainText(call: ModelCall): Promise<TextCallResult> {
  return callModel(call, async ({ generateText }, settings) => {
    const result = await generateText(settings);
    const usage = usageOf(result);
    const { finishReason } = result;
    const text = call.clean(result.text).trim();
    const isComplete = finishReason === 'stop';
    if ((isComplete || finishReason === 'length') && text !== '')
      return { outcome: 'ok', usage, text, isComplete };
    const detail = `finish reason ${finishReason}, ${text.length} characters`;
    return { outcome: 'invalid-output', usage, detail };
  });
}
