import type { Composition } from '../composing/compose-prompt.ts';
import type { Message, ModelIdentity } from '../prompt/prompt-types.ts';
import type { SplitPrompt } from '../prompt/split-system.ts';
import type { WarningPlace } from './add-call-warnings.ts';

/** A call in whose prompt a summary stands. */
export interface SummarisedCall extends WarningPlace {
  readonly model: ModelIdentity;
  /** The prompt as it was given. */
  readonly view: SplitPrompt;
}

/**
 * Warns where the summary is the only system message of a prompt: what adds default instructions behind
 * the middleware does so only where there is none. In `warnings` only, not as an event: without default
 * instructions, which cannot be seen from here, nothing is wrong.
 */
export function warnOfOnlySystemMessage(
  { memory, model, modelKey, view }: SummarisedCall,
  { prompt }: Composition,
): void {
  const wasThereOne = view.systems.length > 0 || hasSystemMessage(view.conversation);
  if (wasThereOne || !hasSystemMessage(prompt)) return;
  const name = `${model.provider}:${model.modelId}`;
  memory.warnings.note(modelKey, {
    cause: `only-system-message ${name}`,
    message:
      `The summary is the only system message of a prompt for ${name}. ` +
      'Default instructions that are added after summarizationMiddleware, or by the model itself, are left out ' +
      'where there is a system message. If there are any, put defaultInstructionsMiddleware before ' +
      "summarizationMiddleware in the list of middlewares, or set placement: 'user'.",
  });
}

function hasSystemMessage(prompt: readonly Message[]): boolean {
  return prompt.some(({ role }) => role === 'system');
}
