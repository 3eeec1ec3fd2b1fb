import { checkThat } from '../../checks/check-object.ts';
import type { LanguageModel } from 'ai';
import { isModel } from '../../checks/option-rule.ts';
import type { WrappedModel } from '../../prompt/prompt-types.ts';
import { resolveModel } from '../../strategies/models/resolve-model.ts';

/**
 * The model that a caller means, who may have no types: ids are resolved as the SDK does it, models of
 * older specifications are taken as the SDK takes them.
 *
 * @throws {SummarizationOptionError} for what is no model; what the provider throws for an id it does not know.
 */
export async function readModel(model: LanguageModel): Promise<WrappedModel> {
  checkModel(model);
  const resolved = await resolveModel(model);
  if (resolved.specificationVersion === 'v4') return resolved;
  const { wrapLanguageModel } = await import('ai');
  return wrapLanguageModel({ model: resolved, middleware: [] });
}

/** @throws {SummarizationOptionError} unless something is a model or the id of one. */
export function checkModel(model: unknown): void {
  checkThat(isModel(model), 'model', model, 'a language model or the id of one');
}
