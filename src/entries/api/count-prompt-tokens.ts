import type { LanguageModel } from 'ai';
import { optionsAround } from '../../call/options/options-of-model.ts';
import { readOptions } from '../../call/options/read-options.ts';
import { resolvePolicy } from '../../call/options/resolve-policy.ts';
import { checkInput, checkTexts } from '../../foundations/checks/check-object.ts';
import type { CallOptions, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { adaptForProvider } from '../../planning/selection/sent-messages.ts';
import { plainRates } from '../../planning/sizing/calibration.ts';
import { callCounter, measureWith } from '../../planning/sizing/token-measure.ts';
import { type ContextLength, lengthInTable } from '../../sizes/tokens/context-lengths.ts';
import { loadTextCounter } from '../../sizes/tokens/text-counter.ts';
import { omitUndefined } from '../../foundations/util/defined.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import { type ConversationInput, readConversationInput, readModel } from './conversation-input.ts';

/**
 * The conversation to count: `messages`, and everything else that is sent with a call. Other parameters of it may
 * stand beside them.
 */
export type CountPromptTokensParams = ConversationInput &
  Pick<CallOptions, 'toolChoice' | 'responseFormat'> & {
    /**
     * The model whose images, files and tokens are counted. A wrapped one is counted as its middleware counts it.
     * @default none in particular
     */
    readonly model?: LanguageModel | ModelIdentity | undefined;
  };

/** Sizes of one model call, in tokens. */
export interface PromptTokenCount {
  /** Everything that is sent: `messages + overhead`. */
  readonly total: number;
  /**
   * The same as the `check` event says it of a call that was counted, before usage of the model was reported: in its own
   * tokens, with some to spare for each message. `undefined` without a `model`.
   */
  readonly tokens: number | undefined;
  /** All messages, leading system messages included. */
  readonly messages: number;
  /** Tool definitions, response schema and the opening of the answer. */
  readonly overhead: number;
  /** Each message of the prompt, in order. */
  readonly perMessage: readonly number[];
}

/**
 * Counts the tokens of a model call as it is really sent: texts exactly under o200k (OpenAI's encoding), or nearly so under
 * the vocabulary of the model if it is known (Gemini, Llama 3, Qwen, DeepSeek, Mistral); images and files by their kind,
 * their size and the rates of the model's provider. Loads the tokenizer on first use. Only `tokens` is scaled to other
 * tokenizers. Rejects where a bundle has left the tables out.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed.
 *
 * @example
 * ```ts
 * const { total } = await countPromptTokens({ messages, tools, model });
 * ```
 */
export async function countPromptTokens(
  params: CountPromptTokensParams,
): Promise<PromptTokenCount> {
  checkInput(params, 'messages, and perhaps tools and model');
  const { model, toolChoice, responseFormat } = params;
  const identity = model === undefined || isIdentity(model) ? model : await readModel(model);
  const owner = identity ?? { provider: '', modelId: '' };
  const { prompt: input, tools } = await readConversationInput(params);
  const prompt = input.map(adaptForProvider(owner));
  const options = readOptions(await optionsAround(owner));
  const { tokenMultiplier, tokenMultiplierGiven } = resolvePolicy(options, owner, {});
  const counter = await callCounter(
    omitUndefined({ tools, toolChoice, responseFormat }),
    owner,
    { isGiven: tokenMultiplierGiven },
    await loadTextCounter(),
  );
  await counter.count(prompt);
  const { overhead } = counter;
  const perMessage = prompt.map(counter.message);
  const messages = sumOf(perMessage, (tokens) => tokens);
  const measure = identity && measureWith(counter, plainRates(tokenMultiplier));
  const tokens = measure?.prompt(prompt);
  return { total: messages + overhead, tokens, messages, overhead, perMessage };
}

function isIdentity(model: LanguageModel | ModelIdentity): model is ModelIdentity {
  if (typeof model !== 'object' || model === null) return false;
  return typeof model.provider === 'string' && typeof model.modelId === 'string';
}

/**
 * Looks up how many tokens a model accepts, by provider and model id: what its host is known to serve
 * first, then the model's family wherever it is hosted; dates, regions, versions and the paths of
 * gateways are left out. Where hosts differ, families carry the smaller number. A version newer than
 * the newest listed gets that one's length, any other unknown model 128,000, both with `known: false`. Figures of
 * November 2026. They are of the model alone: a prompt may have the smaller of `inputLimit` and of `contextLength` less
 * the room that its call keeps for the answer.
 *
 * @param given - A model, or `provider` and `modelId` as models of the SDK have them; by itself or as `{ model }`.
 * @throws {SummarizationOptionError} when it has no `provider` or `modelId`.
 *
 * @example
 * ```ts
 * contextLengthOf({ model: openai('gpt-5-mini') });
 * // { contextLength: 400000, inputLimit: 272000, known: true }
 * ```
 */
export function contextLengthOf(
  given: ModelIdentity | { readonly model: ModelIdentity },
): ContextLength {
  const model = 'model' in Object(given) ? Object(given).model : given;
  checkInput(model, 'provider and modelId');
  const { provider, modelId } = model;
  checkTexts({ provider, modelId });
  return lengthInTable(model);
}
