import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { givenContextLength, overridesFor } from './resolve-policy.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/**
 * Tells how many tokens the options say a model accepts, whatever it is used for; a `contextLength` that
 * is a number speaks of the wrapped model alone. A function of the caller's that throws says nothing.
 */
export function declaredContextLengths({
  contextLength,
  providers = {},
}: SummarizationOptions): (model: ModelIdentity) => number | undefined {
  return (model) => {
    const override = overridesFor(providers, model).contextLength;
    if (override !== undefined || typeof contextLength !== 'function') return override;
    try {
      return givenContextLength({ contextLength }, model);
    } catch {
      return undefined;
    }
  };
}
