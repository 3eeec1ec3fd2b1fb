import { oncePerModel } from '../../prompt/messages/model-name.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { isObject } from '../../foundations/util/is-object.ts';

/** Provider whose published rules price images, files and the use of tools. */
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
 * Names the family whose rules apply: by the model id first (Claude on Bedrock or behind a gateway is Anthropic's),
 * then by the provider.
 */
const mediaFamilyOf: (model: ModelIdentity) => MediaFamily = oncePerModel(
  ({ provider, modelId }) => {
    const rule =
      byModel.find(([pattern]) => pattern.test(modelId.toLowerCase())) ??
      byProvider.find(([pattern]) => pattern.test(provider.toLowerCase()));
    return rule?.[1] ?? 'other';
  },
);

/** Properties that decide how much of a prompt a model reads. */
export interface SendingRules {
  readonly family: MediaFamily;
  /** Whether the provider's package writes a tool result with several parts as JSON text, files included. */
  readonly writesJson: boolean;
}

/** Providers whose packages do so; those with a picture block of their own are left out. */
const jsonWriters =
  /^(?!deepseek\.|workersai\.|google\.vertex\.chat).*\.chat$|^mistral\.conversation$|^ollama\./;

/** Gives the rules by which the package of a model's provider sends prompts. */
export function sendingRulesOf(model: ModelIdentity): SendingRules {
  const config: unknown = Reflect.get(model, 'config');
  // The setting of openai-compatible for servers that take pictures in tool results.
  const hasBlocks = isObject(config) && config['supportsMultiPartToolContent'] === true;
  return {
    family: mediaFamilyOf(model),
    writesJson: !hasBlocks && jsonWriters.test(model.provider.toLowerCase()),
  };
}

/** The same for Claude, of which it was measured on 850 calls, and for what is not known: rather too much. */
const otherMultiplier = 1.35;

/**
 * Gives the factor from an o200k count to the model's own tokens before any usage of it is known: OpenAI 1, its open
 * models too, Gemini 1.1, Llama 3 1.05 (0.99 to 1.07 on recorded conversations), Claude and everything else 1.35 (an
 * o200k count is 20-24 % low for Claude 4.5).
 */
export function tokenMultiplierOf(model: ModelIdentity): number {
  const family = mediaFamilyOf(model);
  if (family === 'openai' || /gpt-oss/i.test(model.modelId)) return 1;
  if (family === 'google') return 1.1;
  return /llama-?3/i.test(model.modelId) ? 1.05 : otherMultiplier;
}
