import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import * as ai from 'ai';
import type { AssistantModelMessage, ModelMessage } from 'ai';
import { checkThat } from '../../foundations/checks/check-object.ts';
import type { Message, WrappedModel } from '../../prompt/messages/prompt-types.ts';
import { currentPrompt, isOlderSDK } from '../../prompt/sdk/older-sdk.ts';

/** A model that answers without a network, and keeps what it was sent. */
export type RecordingModel = WrappedModel & {
  /** The prompts it was sent, in the form of AI SDK 7. */
  readonly prompts: readonly (readonly Message[])[];
};

/**
 * An answer: a text, all that an assistant message may hold, or the error with which the call fails. Other messages of a
 * recording are passed over.
 */
export type ScriptedAnswer = string | ModelMessage | Error;

/**
 * A model that gives these answers, one a call, and the last one from then on: those of a script, or of the assistant in
 * a recorded conversation. It takes generate and stream calls, of the AI SDK that is installed, and reports no usage.
 *
 * @param identity - Identity of the model, which decides context length and counts.
 * @throws {SummarizationOptionError} where there is no answer.
 *
 * @example
 * const summarizer = scriptedModel([new Error('It cannot be reached.'), 'Sure, here is your summary.']);
 */
export function scriptedModel(
  answers: readonly ScriptedAnswer[],
  identity: Partial<Pick<WrappedModel, 'provider' | 'modelId'>> = {},
): RecordingModel {
  const given = Array.isArray(answers) ? answers : [];
  const script = given.flatMap((answer: ScriptedAnswer): (LanguageModelV4Content[] | Error)[] => {
    if (answer instanceof Error) return [answer];
    if (typeof answer === 'string') return [contentOf(answer)];
    return answer.role === 'assistant' ? [contentOf(answer.content)] : [];
  });
  const allowed = 'a list of at least one answer, a text, an assistant message or an error';
  const last = script.at(-1);
  checkThat(last !== undefined, 'answers', answers, allowed);
  const { provider = 'openai', modelId = 'scripted' } = identity;
  const prompts: (readonly Message[])[] = [];
  const model: WrappedModel = {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: async ({ prompt }) => {
      const content = script[prompts.length] ?? last;
      prompts.push([...currentPrompt(prompt)]);
      if (content instanceof Error) throw content;
      const isCalling = content.some(({ type }) => type === 'tool-call');
      const unified = isCalling ? 'tool-calls' : 'stop';
      return { content, finishReason: { unified, raw: unified }, usage: noUsage, warnings: [] };
    },
    // Streams are made of it below.
    doStream: () => Promise.reject(new Error('unreachable')),
  };
  const version = isOlderSDK(ai) ? { specificationVersion: 'v3' } : {};
  const middleware = ai.simulateStreamingMiddleware();
  return Object.assign(ai.wrapLanguageModel({ model: Object.assign(model, version), middleware }), {
    prompts,
  });
}

const noTokens = undefined;

/** Usage of a model that reports none. */
const noUsage: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: noTokens, noCache: noTokens, cacheRead: noTokens, cacheWrite: noTokens },
  outputTokens: { total: noTokens, text: noTokens, reasoning: noTokens },
};

function contentOf(content: AssistantModelMessage['content']): LanguageModelV4Content[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): LanguageModelV4Content[] => {
    if (part.type === 'text' || part.type === 'reasoning')
      return [{ type: part.type, text: part.text }];
    if (part.type !== 'tool-call') return [];
    const { type, toolCallId, toolName, input } = part;
    return [{ type, toolCallId, toolName, input: JSON.stringify(input) }];
  });
}
