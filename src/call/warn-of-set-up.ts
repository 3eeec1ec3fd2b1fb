import { isMemoryStore } from '../stores/memory-store.ts';
import type { CallContext } from './call-context.ts';
import type { CallInspection } from './inspect-call.ts';

/** Warns of what is to be mended in the set-up of a call, each once for a model. */
export function warnOfSetUp(
  { warnOnce, model, options, promptWarnings }: CallContext,
  { policy, params }: CallInspection,
): void {
  const { provider, modelId } = model;
  if (!policy.contextLengthKnown) {
    warnOnce({
      type: 'warning',
      code: 'unknown-context-length',
      provider,
      modelId,
      message: `The context length of ${provider}:${modelId} is not known; ${policy.contextLength} is assumed. Set contextLength.`,
    });
  }
  const { store, secret } = options;
  if (store !== undefined && secret === undefined && !isMemoryStore(store)) {
    warnOnce({
      type: 'warning',
      code: 'store-without-secret',
      provider,
      modelId,
      message:
        'A store without a secret: no other process, and not this one after a restart, will find what is stored. Set secret.',
    });
  }
  if (policy.reserveClamped && params.maxOutputTokens !== undefined) {
    warnOnce({
      type: 'warning',
      code: 'reserve-exceeds-context',
      provider,
      modelId,
      message: `maxOutputTokens ${params.maxOutputTokens} is more than half of the context length ${policy.contextLength}; half is kept for the prompt.`,
    });
  }
  if (promptWarnings.length > 0) {
    warnOnce({
      type: 'warning',
      code: 'unknown-template-variable',
      provider,
      modelId,
      message: promptWarnings.join('\n'),
    });
  }
}
