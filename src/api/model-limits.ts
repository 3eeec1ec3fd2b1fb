import { processMemory } from '../call/call-context.ts';
import { checkInput, checkTexts } from '../checks/check-object.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { type ContextLength, lengthInTable } from '../tokens/context-lengths.ts';

/**
 * Looks up how many tokens a model accepts, by provider and model id: what its host is known to serve
 * first, then the model's family wherever it is hosted; dates, regions, versions and the paths of
 * gateways are left out. Where hosts differ, families carry the smaller number. A version newer than
 * the newest listed gets that one's length, any other unknown model 128,000, both with `known: false`. Figures of
 * November 2026.
 *
 * @param model - `provider` and `modelId` as models of the SDK have them.
 * @throws {SummarizationOptionError} when the model has no `provider` or `modelId`.
 *
 * @example
 * ```ts
 * contextLengthOf({ provider: 'openai.responses', modelId: 'gpt-5-mini' });
 * // { contextLength: 400000, inputLimit: 272000, known: true }
 * ```
 */
export function contextLengthOf(model: ModelIdentity): ContextLength {
  checkIdentity(model);
  return lengthInTable(model);
}

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
  if (model !== undefined) checkIdentity(model);
  processMemory.limits.forget(model);
}

function checkIdentity(model: ModelIdentity): void {
  checkInput(model, 'provider and modelId');
  const { provider, modelId } = model;
  checkTexts({ provider, modelId });
}
