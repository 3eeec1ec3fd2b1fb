import type { CallOptions, WrappedModel } from '../../prompt/messages/prompt-types.ts';
import { currentPrompt, olderPrompt } from '../../prompt/sdk/older-sdk.ts';
import { prepareCall, type PreparedCall } from './prepare-call.ts';
import type { CallContext } from './call-context.ts';

/** Prepares a call of AI SDK 6 like `prepareCall`: reads it in the form of AI SDK 7, sends it in that of AI SDK 6. */
export async function prepareOlderCall(
  context: CallContext,
  given: CallOptions,
): Promise<PreparedCall> {
  const current = { ...given, prompt: currentPrompt(given.prompt) };
  const model = takingCurrentPrompts(context.model);
  const { params, sent } = await prepareCall({ ...context, model }, current);
  return { params: params === current ? given : older(params), sent };
}

function older(params: CallOptions): CallOptions {
  return { ...params, prompt: olderPrompt(params.prompt) };
}

/** One wrapper for each model: facts about a model are kept by its object. */
const takingCurrent = new WeakMap<WrappedModel, WrappedModel>();

/** Wraps a model of AI SDK 6 to take prompts that the package writes, for the second attempt of a call. */
function takingCurrentPrompts(model: WrappedModel): WrappedModel {
  const made = takingCurrent.get(model);
  if (made !== undefined) return made;
  const taking: WrappedModel & { readonly config: unknown } = {
    // `config` says where the calls of the model go.
    config: Reflect.get(model, 'config'),
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (params) => model.doGenerate(older(params)),
    doStream: (params) => model.doStream(older(params)),
  };
  takingCurrent.set(model, taking);
  return taking;
}
