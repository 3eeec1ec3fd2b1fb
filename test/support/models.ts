import {
  APICallError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { emptyContent } from './empty-content.ts';

const usage: LanguageModelV4Usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const stop: LanguageModelV4FinishReason = { unified: 'stop', raw: 'stop' };

/** A result with one text. */
export function textResult(
  text: string,
  finishReason: LanguageModelV4FinishReason = stop,
): LanguageModelV4GenerateResult {
  return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
}

/** A result of which a provider says how many tokens it took. */
export function billedResult(
  text: string,
  input: number,
  output = 3,
  cacheRead = 0,
): LanguageModelV4GenerateResult {
  const inputTokens = { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: 0 };
  const outputTokens = { total: output, text: output, reasoning: 0 };
  return { ...textResult(text), usage: { inputTokens, outputTokens } };
}

/** The stream parts of an answer with one text. */
export function textParts(text: string): LanguageModelV4StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: text },
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: stop, usage },
  ];
}

/** A conversation's model: answers every call with the same text. */
export function chatModel(
  options: { provider?: string; modelId?: string; text?: string } = {},
): MockLanguageModelV4 {
  const { provider = 'openai.responses', modelId = 'gpt-test', text = 'Understood.' } = options;
  return new MockLanguageModelV4({
    provider,
    modelId,
    doGenerate: async () => textResult(text),
    doStream: async () => ({ stream: simulateReadableStream({ chunks: textParts(text) }) }),
  });
}

/** What a summarizing model answers in these tests. */
export interface Answer {
  summary?: string;
  keyPoints?: readonly unknown[];
  context?: Partial<Record<string, unknown>> | undefined;
  ended?: readonly unknown[];
}

/** A summary as a model writes it. */
export function answer({
  summary = 'They talked.',
  keyPoints = [],
  context = {},
  ...rest
}: Answer = {}): string {
  const content = emptyContent(summary);
  return JSON.stringify({
    ...content,
    keyPoints,
    context: { ...content.context, ...context },
    ...rest,
  });
}

type Written = string | LanguageModelV4GenerateResult;

/** A summarizing model: each call gets the next answer, the last one from then on; one that is a function may throw. */
export function summarizerModel(
  ...answers: readonly (
    | Written
    | ((options: LanguageModelV4CallOptions) => Written | PromiseLike<Written>)
  )[]
): MockLanguageModelV4 {
  let calls = 0;
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'summarizer',
    doGenerate: async (options) => {
      const next = answers[Math.min(calls, answers.length - 1)] ?? answer();
      calls += 1;
      const written = typeof next === 'function' ? await next(options) : next;
      return typeof written === 'string' ? textResult(written) : written;
    },
  });
}

/** An error of a provider. */
export function apiError(
  message: string,
  statusCode = 400,
  responseHeaders: Record<string, string> = {},
): APICallError {
  return new APICallError({
    message,
    statusCode,
    responseHeaders,
    url: 'https://api.example.com/v1/chat/completions',
    requestBodyValues: {},
    responseBody: JSON.stringify({ error: { message } }),
  });
}
