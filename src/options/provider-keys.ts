import type { ModelIdentity } from '../prompt/prompt-types.ts';

/** The keys of `providers` that name a model, the most specific last; case makes no difference. */
export function keysOf(model: ModelIdentity, keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return keys;
  const names = keysFor(model).map((name) => name.toLowerCase());
  return names.flatMap((name) => keys.filter((key) => key.toLowerCase() === name));
}

/** What a key may be that names a model, the most specific last. */
export function keysFor({ provider, modelId }: ModelIdentity): readonly string[] {
  const family = provider.split('.')[0] ?? provider;
  return [...new Set([family, provider, `${family}:${modelId}`, `${provider}:${modelId}`])];
}

/**
 * Whether a key that does not name the model of a call looks wrong: no provider is known by its name, or it
 * names a provider whose models the call reaches through the gateway. One of another provider that is known
 * is for other calls.
 */
export function looksWrong(key: string, { provider, modelId }: ModelIdentity): boolean {
  const [family = ''] = key.toLowerCase().split(/[.:]/);
  if (!knownProviders.has(family)) return true;
  return provider.startsWith('gateway') && modelId.toLowerCase().startsWith(`${family}/`);
}

/** Provider ids, up to the first dot, of the SDK's packages and of those its documentation lists. */
const knownProviders: ReadonlySet<string> = new Set([
  'aihubmix',
  'alibaba',
  'amazon-bedrock',
  'anthropic',
  'azure',
  'baseten',
  'cerebras',
  'cohere',
  'deepinfra',
  'deepseek',
  'fireworks',
  'friendli',
  'gateway',
  'google',
  'groq',
  'huggingface',
  'lmstudio',
  'minimax',
  'mistral',
  'moonshotai',
  'ollama',
  'open-responses',
  'openai',
  'openrouter',
  'perplexity',
  'sambanova',
  'togetherai',
  'vercel',
  'vertex',
  'workersai',
  'xai',
  'zhipu',
]);
