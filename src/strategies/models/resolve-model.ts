import type { JSONObject } from '@ai-sdk/provider';
import type { LanguageModel } from 'ai';
import { providerOptionsKey } from '../../prompt/own-options.ts';
import type { CallOptions, ModelIdentity } from '../../prompt/prompt-types.ts';

/** A language model object of any specification version the SDK accepts. */
export type ModelObject = Exclude<LanguageModel, string>;

/**
 * Resolves a model id the way the SDK does: by the global default provider, else the gateway. Objects
 * are returned as they are.
 *
 * @throws What the provider throws for an id it does not know.
 */
export async function resolveModel(model: LanguageModel): Promise<ModelObject> {
  if (typeof model !== 'string') return model;
  const { AI_SDK_DEFAULT_PROVIDER: defaultProvider } = globalThis;
  const provider = defaultProvider ?? (await import('ai')).gateway;
  return provider.languageModel(model);
}

/** `provider:model`, or the id that was given. */
export function nameOfModel(model: string | ModelIdentity): string {
  return typeof model === 'string' ? model : `${model.provider}:${model.modelId}`;
}

/** In the registry of symbols, so that copies of the package know each other; no JSON can hold one. */
const ownCall = Symbol.for('ai-sdk-summarization.own-call');

/**
 * Marks a call that the package makes itself: `providerOptions.summarization.ownCall` is there. A
 * summarising model may be wrapped with this middleware too, and summarising the summariser's prompt would
 * have no end. The mark survives copying and merging of options, and is left out of JSON: a model that is
 * not wrapped may send all options it is given.
 */
export function ownCallMark(): NonNullable<CallOptions['providerOptions']> {
  return { [providerOptionsKey]: unsent({ ownCall: unsent({ [ownCall]: true }) }) };
}

/** Whether the package makes this call itself. */
export function isOwnCall({ providerOptions }: Pick<CallOptions, 'providerOptions'>): boolean {
  const mark = providerOptions?.[providerOptionsKey]?.['ownCall'];
  return typeof mark === 'object' && mark !== null && Reflect.get(mark, ownCall) === true;
}

function unsent(value: JSONObject): JSONObject {
  return Object.defineProperty(value, 'toJSON', { value: () => undefined });
}
