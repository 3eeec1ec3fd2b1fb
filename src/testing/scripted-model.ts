import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import * as ai from 'ai';
import type { AssistantModelMessage, ModelMessage } from 'ai';
import { checkThat } from '../checks/check-object.ts';
import type { CallOptions, Message, WrappedModel } from '../prompt/prompt-types.ts';
import { currentPrompt } from '../sdk/file-forms.ts';
import { isOlderSDK } from '../sdk/is-older-sdk.ts';

/** A model that answers without a network, and keeps what it was sent. */
export type RecordingModel = WrappedModel & {
  /** The prompts it was sent, in the form of AI SDK 7. */
  readonly prompts: readonly (readonly Message[])[];
};

type Identity = Partial<Pick<WrappedModel, 'provider' | 'modelId'>>;

/** An answer: a text, or all that an assistant message may hold. */
export type ScriptedAnswer = string | AssistantModelMessage;

/**
 * A model that gives these answers, one a call, and the last one from then on. It takes generate and stream
 * calls, of the AI SDK that is installed.
 *
 * @param identity - Who it says it is, by which context length and counts go.
 * @throws {SummarizationOptionError} where there is no answer.
 */
export function scriptedModel(
  answers: readonly ScriptedAnswer[],
  identity: Identity = {},
): RecordingModel {
  const isList = Array.isArray(answers) && answers.length > 0;
  checkThat(
    isList,
    'answers',
    answers,
    'a list of at least one answer, a text or an assistant message',
  );
  let calls = 0;
  return recordingModel(identity, async () => {
    const answer = answers[Math.min(calls, answers.length - 1)] ?? '';
    calls += 1;
    return { content: contentOf(answer) };
  });
}

/**
 * A model that plays the assistant of a recorded conversation: its messages in their order.
 *
 * @throws {SummarizationOptionError} where it has none.
 */
export function recordedModel(
  messages: readonly ModelMessage[],
  identity: Identity = {},
): RecordingModel {
  const isSpoken = Array.isArray(messages) && messages.some(({ role }) => role === 'assistant');
  checkThat(isSpoken, 'messages', messages, 'a list of messages, one of them of the assistant');
  return scriptedModel(
    messages.filter((message) => message.role === 'assistant'),
    identity,
  );
}

/** What a model says in one call. */
export interface GivenAnswer {
  readonly content: LanguageModelV4Content[];
  /** @default `tool-calls` where it calls any, else `stop` */
  readonly finishReason?: LanguageModelV4GenerateResult['finishReason']['unified'] | undefined;
}

/** Prompts of calls that failed. */
const failed = new WeakSet<readonly Message[]>();

/** Whether a prompt was answered, with whatever: a call that fails is not paid. */
export function wasAnswered(prompt: readonly Message[]): boolean {
  return !failed.has(prompt);
}

/** Makes a model of a function that answers; it reports no usage. */
export function recordingModel(
  { provider = 'openai', modelId = 'scripted' }: Identity,
  answer: (params: CallOptions) => Promise<GivenAnswer>,
): RecordingModel {
  const prompts: (readonly Message[])[] = [];
  const generate = async (params: CallOptions): Promise<LanguageModelV4GenerateResult> => {
    const prompt = [...currentPrompt(params.prompt)];
    prompts.push(prompt);
    failed.add(prompt);
    const { content, finishReason } = await answer(params);
    failed.delete(prompt);
    const calls = content.some(({ type }) => type === 'tool-call');
    const unified = finishReason ?? (calls ? 'tool-calls' : 'stop');
    return { content, finishReason: { unified, raw: unified }, usage: noUsage, warnings: [] };
  };
  const model: WrappedModel = {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: generate,
    doStream: async (params) => ({ stream: streamOf(await generate(params)) }),
  };
  const version = isOlderSDK(ai) ? { specificationVersion: 'v3' } : {};
  return Object.assign(model, version, { prompts });
}

const noTokens = undefined;

/** Of a model that says nothing of its tokens. */
export const noUsage: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: noTokens, noCache: noTokens, cacheRead: noTokens, cacheWrite: noTokens },
  outputTokens: { total: noTokens, text: noTokens, reasoning: noTokens },
};

function contentOf(answer: ScriptedAnswer): LanguageModelV4Content[] {
  const content = typeof answer === 'string' ? answer : answer.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): LanguageModelV4Content[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [{ type: part.type, text: part.text }];
      case 'tool-call': {
        const { type, toolCallId, toolName } = part;
        return [{ type, toolCallId, toolName, input: JSON.stringify(part.input) }];
      }
      default:
        return [];
    }
  });
}

function streamOf({
  content,
  finishReason,
  usage,
}: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> {
  const parts = content.flatMap((part, index): LanguageModelV4StreamPart[] => {
    if (part.type === 'tool-call') return [part];
    if (part.type !== 'text' && part.type !== 'reasoning') return [];
    const id = String(index);
    return [
      { type: `${part.type}-start`, id },
      { type: `${part.type}-delta`, id, delta: part.text },
      { type: `${part.type}-end`, id },
    ];
  });
  const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] };
  const finish: LanguageModelV4StreamPart = { type: 'finish', finishReason, usage };
  return new ReadableStream({
    start: (controller) => {
      for (const part of [start, ...parts, finish]) controller.enqueue(part);
      controller.close();
    },
  });
}
