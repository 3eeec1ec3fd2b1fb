import { oncePerModel } from '../../prompt/model-name.ts';
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
export const mediaFamilyOf: (model: ModelIdentity) => MediaFamily = oncePerModel(
  ({ provider, modelId }) => {
    const rule =
      byModel.find(([pattern]) => pattern.test(modelId.toLowerCase())) ??
      byProvider.find(([pattern]) => pattern.test(provider.toLowerCase()));
    return rule?.[1] ?? 'other';
  },
);
