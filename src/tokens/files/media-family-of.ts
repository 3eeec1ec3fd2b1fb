import type { ModelIdentity } from '../../prompt/prompt-types.ts';

/** Whose published rule prices images and files. */
export type MediaFamily = 'openai' | 'anthropic' | 'google' | 'other';

const byModel: readonly (readonly [RegExp, MediaFamily])[] = [
  [/claude/, 'anthropic'],
  [/gemini|gemma/, 'google'],
  [/gpt-oss/, 'other'],
  [/(?:^|[/.:])(?:chat)?gpt-|(?:^|[/.:])o[134](?:-|$)|codex/, 'openai'],
];

const byProvider: readonly (readonly [RegExp, MediaFamily])[] = [
  [/anthropic/, 'anthropic'],
  [/google|vertex/, 'google'],
  [/^openai(?:\.|$)|^azure/, 'openai'],
];

/**
 * Names the family whose rule for images and files applies: by the model id first (Claude on Bedrock
 * or behind a gateway is Anthropic's), then by the provider.
 */
export function mediaFamilyOf({ provider, modelId }: ModelIdentity): MediaFamily {
  const name = `${provider} ${modelId}`;
  const family = found.get(name) ?? lookUp(provider.toLowerCase(), modelId.toLowerCase());
  // Every call asks for its model; a process has a few.
  if (found.size < maxFound) found.set(name, family);
  return family;
}

const found = new Map<string, MediaFamily>();
const maxFound = 500;

function lookUp(provider: string, modelId: string): MediaFamily {
  const rule =
    byModel.find(([pattern]) => pattern.test(modelId)) ??
    byProvider.find(([pattern]) => pattern.test(provider));
  return rule?.[1] ?? 'other';
}
