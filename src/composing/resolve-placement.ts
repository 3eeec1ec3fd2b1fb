import { addressOf } from '../prompt/provider-options.ts';
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

/** Places from the one that models of the great providers read best to the one that every model takes. */
export const placements: readonly Placement[] = ['system', 'system-merged', 'user'];

/** Ids of OpenAI's own models; behind its provider package may stand any other server. */
const openaisOwn =
  /^(?:gpt-(?!oss|j\b|neo|sw3)|chatgpt|o\d|codex|computer-use|ft:|davinci|babbage)/i;

/** Under which is kept where the summary goes for a model: another server may have another template. */
export function placementKey(model: ModelIdentity): string {
  return JSON.stringify([model.provider, model.modelId, addressOf(model)?.origin]);
}

/**
 * Resolves `'auto'` for a model and a call.
 *
 * @param call - `taken`: where the model took a summary after it had refused one in a place before.
 */
export function resolvePlacement(
  placement: Placement | 'auto',
  model: ModelIdentity,
  call: Pick<CallOptions, 'providerOptions'> & { readonly taken?: Placement | undefined },
): Placement {
  const wanted = placementWanted(placement, model, call);
  const { taken = wanted } = call;
  return placements.indexOf(taken) > placements.indexOf(wanted) ? taken : wanted;
}

function placementWanted(
  placement: Placement | 'auto',
  model: ModelIdentity,
  params: Pick<CallOptions, 'providerOptions'>,
): Placement {
  if (placement !== 'auto') return placement;
  // With this option the provider drops every system message, ours included.
  const { openai, azure } = params.providerOptions ?? {};
  if ([openai, azure].some((options) => options?.['systemMessageMode'] === 'remove')) return 'user';
  const [family = ''] = model.provider.split('.');
  if (family === 'openai' && !openaisOwn.test(model.modelId)) return 'system-merged';
  return severalSystemMessages.has(family) ? 'system' : 'system-merged';
}
