import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import * as ai from 'ai';
import type { AssistantModelMessage, ModelMessage } from 'ai';
import { checkThat } from '../checks/check-object.ts';
import type { CallOptions, Message, WrappedModel } from '../prompt/prompt-types.ts';
import { emptyContent } from '../record/content-items.ts';
import { currentPrompt, isOlderSDK } from '../sdk/older-sdk.ts';

/** A model that answers without a network, and keeps what it was sent. */
export type RecordingModel = WrappedModel & {
  /** The prompts it was sent, in the form of AI SDK 7. */
  readonly prompts: readonly (readonly Message[])[];
};

type Identity = Partial<Pick<WrappedModel, 'provider' | 'modelId'>>;

/** An answer: a text, or all that an assistant message may hold. Other messages of a recording are passed over. */
export type ScriptedAnswer = string | ModelMessage;

/**
 * A model that gives these answers, one a call, and the last one from then on: those of a script, or of the assistant in
 * a recorded conversation. It takes generate and stream calls, of the AI SDK that is installed.
 *
 * @param identity - Who it says it is, by which context length and counts go.
 * @throws {SummarizationOptionError} where there is no answer.
 */
export function scriptedModel(
  answers: readonly ScriptedAnswer[],
  identity: Identity = {},
): RecordingModel {
  const given = Array.isArray(answers) ? answers : [];
  const contents = given.flatMap((answer) => {
    if (typeof answer === 'string') return [contentOf(answer)];
    return answer.role === 'assistant' ? [contentOf(answer.content)] : [];
  });
  const allowed = 'a list of at least one answer, a text or an assistant message';
  checkThat(contents.length > 0, 'answers', answers, allowed);
  return recordingModel(identity, async (_, call) => ({
    content: contents[Math.min(call, contents.length - 1)] ?? [],
  }));
}

/**
 * What may go wrong in a call of a summarising model:
 * - `error`: it cannot be reached;
 * - `not-json`: it answers with chatter;
 * - `empty`: it answers with nothing;
 * - `cut-off`: it stops in the middle of its answer;
 * - `silent`: it never answers, until the call is given up.
 */
export type SummarizerFault = keyof typeof faultyAnswers;

/** What it says with each; never to be reached says nothing. */
const faultyAnswers = {
  error: undefined,
  'not-json': 'Sure, here is the summary you asked for.',
  empty: '',
  'cut-off': '{"summary": "It was about',
  silent: undefined,
} as const;

const allowedFaults = `undefined or one of ${Object.keys(faultyAnswers).join(', ')}`;

/**
 * A summarising model whose calls go wrong as often as said: `faults` are those of its calls, one after another
 * and again from the first; `undefined` is a call that goes well. Its summaries say how many calls there were.
 *
 * @throws {SummarizationOptionError} naming the fault that is none.
 *
 * @example
 * const summarizer = faultySummarizer(['error', undefined, 'not-json']); // two of three calls go wrong
 */
export function faultySummarizer(faults: readonly (SummarizerFault | undefined)[]): RecordingModel {
  checkThat(Array.isArray(faults), 'faults', faults, 'a list');
  for (const [index, fault] of faults.entries()) {
    const isKnown = fault === undefined || Object.hasOwn(faultyAnswers, fault);
    checkThat(isKnown, `faults[${index}]`, fault, allowedFaults);
  }
  return recordingModel({ modelId: 'summarizer' }, async (params, call) => {
    const { responseFormat, abortSignal } = params;
    const fault: SummarizerFault | undefined = faults[call % Math.max(1, faults.length)];
    if (fault === 'error') throw new Error('The summarising model cannot be reached.');
    if (fault === 'silent') await givenUp(abortSignal);
    const summary = `Summary number ${call + 1} of the conversation.`;
    const isPlain = responseFormat?.type !== 'json';
    const well = isPlain ? summary : JSON.stringify(emptyContent(summary));
    const text = (fault === undefined ? undefined : faultyAnswers[fault]) ?? well;
    return { content: contentOf(text), ...(fault === 'cut-off' && { finishReason: 'length' }) };
  });
}

async function givenUp(abortSignal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = (): void => reject(new Error('The call was given up.'));
    if (abortSignal?.aborted === true) giveUp();
    abortSignal?.addEventListener('abort', giveUp, { once: true });
  });
}

/** What a model says in one call. */
interface GivenAnswer {
  readonly content: LanguageModelV4Content[];
  /** @default `tool-calls` where it calls any, else `stop` */
  readonly finishReason?: LanguageModelV4GenerateResult['finishReason']['unified'];
}

/** Makes a model of a function that answers; it reports no usage. */
function recordingModel(
  { provider = 'openai', modelId = 'scripted' }: Identity,
  answer: (params: CallOptions, call: number) => Promise<GivenAnswer>,
): RecordingModel {
  const prompts: (readonly Message[])[] = [];
  const model: WrappedModel = {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: async (params) => {
      prompts.push([...currentPrompt(params.prompt)]);
      const { content, finishReason } = await answer(params, prompts.length - 1);
      const isCalling = content.some(({ type }) => type === 'tool-call');
      const unified = finishReason ?? (isCalling ? 'tool-calls' : 'stop');
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

/** Of a model that says nothing of its tokens. */
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
