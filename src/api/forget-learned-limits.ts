import { processMemory } from '../call/call-context.ts';
import { checkInput, checkTexts } from '../checks/check-object.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';

/**
 * Forgets what this process has learned from overflow errors about the context length of a model, in
 * every store and namespace; without a model, of all. What is learned is announced by the event
 * `limit-learned` and lasts an hour. After this the configured length, else that of the table, counts again.
 *
 * @param model - As in the event: `provider` and `modelId` of the wrapped model.
 * @throws {SummarizationOptionError} when the model has no `provider` or `modelId`.
 *
 * @example
 * ```ts
 * forgetLearnedLimits({ provider: 'openai.responses', modelId: 'gpt-5-mini' });
 * ```
 */
export function forgetLearnedLimits(model?: ModelIdentity): void {
  if (model !== undefined) {
    checkInput(model, 'provider and modelId');
    checkTexts({ provider: model.provider, modelId: model.modelId });
  }
  processMemory().limits.forget(model);
}
