import type { CallContext } from '../call/call-context.ts';
import type { Composition } from '../composing/compose-prompt.ts';
import type { CallInspection } from '../call/read-call.ts';

/**
 * Warns where the summary is the only system message of a prompt: what adds default instructions behind
 * the middleware does so only where there is none. In `warnings` only, not as an event: without default
 * instructions, which cannot be seen from here, nothing is wrong.
 */
export function warnOfOnlySystemMessage(
  { memory, model, modelKey }: CallContext,
  { params }: Pick<CallInspection, 'params'>,
  { prompt }: Composition,
): void {
  if (!hasSystemMessage(prompt) || hasSystemMessage(params.prompt)) return;
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

function hasSystemMessage(prompt: Composition['prompt']): boolean {
  return prompt.some(({ role }) => role === 'system');
}
