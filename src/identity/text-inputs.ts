import type { LanguageModelV4ToolCallPart, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';

/** Inputs of calls that are texts, by the ids of the calls until their results have come. */
export type TextInputs = Map<string, string>;

/**
 * Whether the result of a call is to say what its input was. What a model wrote that no tool can read is sent as `{}`
 * within the loop, and as the text it is once it has come back from a client.
 *
 * @param textInputs - Those of the messages before it; without them, a call says so itself.
 */
export function isLeftToResult(
  { toolCallId, input, providerExecuted }: LanguageModelV4ToolCallPart,
  textInputs: TextInputs | undefined,
): boolean {
  const isLeft =
    typeof input === 'string' && providerExecuted !== true && textInputs?.has(toolCallId) === false;
  if (isLeft) textInputs?.set(toolCallId, input);
  return isLeft;
}

/** The input that was left to a result, unless the result is the word of the SDK that nobody could read it. */
export function unreadInput(
  { toolCallId, output }: LanguageModelV4ToolResultPart,
  textInputs: TextInputs | undefined,
): string | undefined {
  const input = textInputs?.get(toolCallId);
  textInputs?.delete(toolCallId);
  if (input === undefined || output.type !== 'error-text') return input;
  // Without types, it may be anything.
  const said: unknown = output.value;
  if (typeof said !== 'string') return input;
  const words = [`failed: Text: ${input}.`, `failed: Value: ${JSON.stringify(input)}.`];
  return words.some((quoted) => said.includes(quoted)) ? undefined : input;
}
