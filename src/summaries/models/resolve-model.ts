import type { LanguageModel } from 'ai';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';

/** A language model object of any specification version the SDK accepts. */
export type ModelObject = Exclude<LanguageModel, string>;

/**
 * Resolves a model id the way the SDK does: by the global default provider, else the gateway. Objects
 * are returned as they are.
 *
 * @throws The provider's error for an id it does not know.
 */
export async function resolveModel(model: LanguageModel): Promise<ModelObject> {
  if (typeof model !== 'string') return model;
  const { AI_SDK_DEFAULT_PROVIDER: defaultProvider } = globalThis;
  const provider = defaultProvider ?? (await import('./used-sdk.ts')).sdk.gateway;
  return provider.languageModel(model);
}

/** `provider:model`, or the id that was given. */
export function nameOfModel(model: string | ModelIdentity): string {
  return typeof model === 'string' ? model : `${model.provider}:${model.modelId}`;
}
