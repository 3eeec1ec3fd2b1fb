import {
  callModel,
  callSettings,
  usageOf,
  withBoundedAnswers,
  type ModelCall,
  type ModelCallResult,
} from './call-model.ts';

/** How a call for a text ended. */
export type TextCallResult = ModelCallResult<{
  readonly text: string;
  /** `false` if the model was cut off at its output limit. */
  readonly isComplete: boolean;
}>;

/**
 * Asks a model for a text through `generateText`, see {@link callSettings}. The text goes through the
 * door. One that was cut off counts and says so; an empty one does not.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function generatePlainText(call: ModelCall): Promise<TextCallResult> {
  return callModel(call, (abortSignal) => generatePlain(call, abortSignal));
}

async function generatePlain(call: ModelCall, abortSignal: AbortSignal): Promise<TextCallResult> {
  // Loaded here: the root entry must cost nothing to import.
  const { generateText, wrapLanguageModel } = await import('ai');
  const model = withBoundedAnswers(call.model, wrapLanguageModel);
  const result = await generateText({ ...callSettings(call, abortSignal), model });
  const usage = usageOf(result);
  const { finishReason } = result;
  const text = call.clean(result.text).trim();
  const isUsable = (finishReason === 'stop' || finishReason === 'length') && text !== '';
  return isUsable
    ? { outcome: 'ok', usage, text, isComplete: finishReason === 'stop' }
    : {
        outcome: 'invalid-output',
        usage,
        detail: `finish reason ${finishReason}, ${text.length} characters`,
      };
}
