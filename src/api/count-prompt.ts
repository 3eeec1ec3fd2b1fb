import type { LanguageModel } from 'ai';
import type { CountPromptTokensParams, PromptTokenCount } from './count-prompt-tokens.ts';
import { checkInput } from '../checks/check-object.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { countOverhead } from '../tokens/count-overhead.ts';
import { loadTextCounter } from '../tokens/text/load-text-counter.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { messageCounterOf } from '../tokens/message-counter.ts';
import { timeSlices } from '../util/time-slices.ts';
import { readConversation } from './given-conversation.ts';
import { readModel } from './given-model.ts';

/** The part of `countPromptTokens` that loads when it is called. */
export async function countPrompt(params: CountPromptTokensParams): Promise<PromptTokenCount> {
  checkInput(params, 'prompt or messages, and perhaps tools and model');
  const { model, toolChoice, responseFormat } = params;
  const identity = model === undefined || isIdentity(model) ? model : await readModel(model);
  const family = identity === undefined ? 'other' : mediaFamilyOf(identity);
  const { prompt, tools } = await readConversation(params);
  const counter = await loadTextCounter();
  const messageCounter = messageCounterOf(counter, family);
  await messageCounter.countInSlices(prompt, {});
  const perMessage = prompt.map(messageCounter.count);
  const messages = perMessage.reduce((sum, tokens) => sum + tokens, 0);
  const overhead = await countOverhead(
    counter,
    {
      ...(tools && { tools }),
      ...(toolChoice && { toolChoice }),
      ...(responseFormat && { responseFormat }),
    },
    family,
    timeSlices(),
  );
  return { total: messages + overhead, messages, overhead, perMessage };
}

function isIdentity(model: LanguageModel | ModelIdentity): model is ModelIdentity {
  if (typeof model !== 'object' || model === null) return false;
  return typeof model.provider === 'string' && typeof model.modelId === 'string';
}
