import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';

/**
 * Where the summary goes:
 * - `system`: a system message of its own after the leading ones;
 * - `system-merged`: at the end of the last leading system message;
 * - `user`: the first text part of the first user message.
 */
export type Placement = 'system' | 'system-merged' | 'user';

// Providers that accept several leading system messages. Chat templates of self-hosted models often
// reject a second one, so everybody else gets the summary merged into the first.
const severalSystemMessages = new Set([
  'openai',
  'azure',
  'anthropic',
  'google',
  'vertex',
  'amazon-bedrock',
  'bedrock',
  'mistral',
  'xai',
  'groq',
  'deepseek',
  'cohere',
  'gateway',
]);

/** Resolves `'auto'` for a model and a call. */
export function resolvePlacement(
  placement: Placement | 'auto',
  model: ModelIdentity,
  params: Pick<CallOptions, 'providerOptions'>,
): Placement {
  if (placement !== 'auto') return placement;
  // With this option the provider drops every system message, ours included.
  const { openai, azure } = params.providerOptions ?? {};
  if ([openai, azure].some((options) => options?.['systemMessageMode'] === 'remove')) return 'user';
  const [family = ''] = model.provider.split('.');
  return severalSystemMessages.has(family) ? 'system' : 'system-merged';
}
