import { keysFor, keysOf, looksWrong } from './provider-keys.ts';
import type { CallContext } from '../call/call-context.ts';
import type { CallInspection } from '../call/read-call.ts';

/** Warns of what is to be mended in the set-up of a call. */
export function warnOfSetUp(context: CallContext, { policy, params }: CallInspection): void {
  const { warnForCall, model, options, promptWarnings } = context;
  const name = `${model.provider}:${model.modelId}`;
  if (!policy.contextLengthKnown) {
    warnForCall({
      code: 'unknown-context-length',
      message: `The context length of ${name} is not known; ${policy.contextLength} is assumed. Set contextLength.`,
    });
  }
  const { store, secret } = options;
  if (store !== undefined && secret === undefined && store.isLocal !== true) {
    warnForCall({
      code: 'store-without-secret',
      cause: 'store',
      message:
        'A store without a secret: no other process, and not this one after a restart, will find what is stored. Set secret.',
    });
  }
  if (policy.reserveClamped && params.maxOutputTokens !== undefined) {
    warnForCall({
      code: 'reserve-exceeds-context',
      message: `maxOutputTokens ${params.maxOutputTokens} is more than half of the context length ${policy.contextLength} of ${name}; half is kept for the prompt.`,
    });
  }
  for (const message of promptWarnings)
    warnForCall({ code: 'unknown-template-variable', cause: message, message });
  warnOfProviderKeys(context);
}

/** Warns of keys of `providers` that look wrong, when a call has shown that they are not for its model. */
function warnOfProviderKeys({ warnForCall, model, options, memory }: CallContext): void {
  const { provider, modelId } = model;
  const keys = Object.keys(options.providers ?? {});
  const naming = keysOf({ provider, modelId }, keys);
  for (const key of naming) memory.providerKeys.set(key, true);
  for (const key of keys) {
    if (memory.providerKeys.get(key) === true || !looksWrong(key, { provider, modelId })) continue;
    warnForCall({
      code: 'unknown-provider-key',
      cause: key,
      message:
        `'${key}' in providers does not name ${provider}:${modelId}, which this call goes to, and has named no ` +
        `model so far: its overrides may apply to none. Keys for this model: ${keysFor({ provider, modelId }).join(', ')}.`,
    });
  }
}
