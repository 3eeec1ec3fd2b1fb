import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelMessage } from 'ai';
import type { SummarizationOptions } from '../../src/index.ts';
import type { ProviderSettings } from '../wire/apis/served.ts';
import type { Refusal, SentMessage, ServerRequest, ServerRules } from './server.ts';

/** A kind of server that people have, with the provider package by which they ask it. */
export interface ServerKind {
  readonly name: string;
  readonly model: (settings: ProviderSettings) => LanguageModelV4;
  /** Tokens that it takes, above which it refuses in its words, or cuts in silence. */
  readonly limit: number;
  /** @default it refuses what is longer than its limit */
  readonly rules?: ServerRules;
  /**
   * How many times its limit the conversation grows to.
   * @default 1.6
   */
  readonly growth?: number;
  /** What the conversation holds from another provider, which it began with. */
  readonly earlier?: readonly ModelMessage[];
  /** Whether the application gives instructions: where no system message is taken, it does not. */
  readonly hasInstructions?: boolean;
  /** Bytes of the picture that each turn shows. */
  readonly pictureBytes?: number;
  /** Times are scaled where a real one would be minutes; else options are the defaults. */
  readonly options?: SummarizationOptions;
}

/** What a server answers where it refuses. */
const said = (error: unknown, status = 400): Refusal => ({ status, body: { error } });

const refusal = (message: string, status = 400): Refusal =>
  said({ message, type: 'invalid_request_error', param: null, code: null }, status);

/** As Anthropic says it. */
const ofAnthropic = (message: string): Refusal => ({
  status: 400,
  body: { type: 'error', error: { type: 'invalid_request_error', message } },
});

/** Refuses what is longer than a limit, as vLLM and OpenAI say it; what else is refused comes first. */
export function limited(
  limit: number,
  refuse: ServerRules['refuse'] = () => undefined,
): ServerRules {
  return {
    refuse: (request) => {
      const { tokens } = request;
      const tooLong = refusal(
        `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. ` +
          'Please reduce the length of the messages.',
      );
      return refuse(request) ?? (tokens > limit ? tooLong : undefined);
    },
  };
}

/** Refuses what is larger than may be asked in a minute; tokens that are asked for count. */
function perMinute(limit: number, status: number, model: string): ServerRules {
  return {
    refuse: ({ tokens, body }) => {
      const { max_tokens: asked, max_completion_tokens: completion = asked ?? 0 } = body;
      const requested = tokens + Number(completion);
      const message =
        `Request too large for model \`${model}\` in organization org-1 on tokens per minute (TPM): ` +
        `Limit ${limit}, Requested ${requested}, please reduce your message size and try again.`;
      const error = { message, type: 'tokens', param: null, code: 'rate_limit_exceeded' };
      return requested > limit ? said(error, status) : undefined;
    },
  };
}

function formatOf({ body }: ServerRequest): unknown {
  return Reflect.get(Object(body['response_format']), 'type');
}

function areSystemsInFront(messages: readonly SentMessage[]): boolean {
  return messages.every(({ role }, index) => role !== 'system' || index === 0);
}

const thinking = 'I go through the messages: {"summary": "a draft"}. Then I write it down.';

/** Each is one entry; what a server refuses, and how, is what the real ones say. */
export const serverKinds: readonly ServerKind[] = [
  {
    name: 'OpenAI, gpt-4o-mini',
    model: (settings) => createOpenAI(settings).chat('gpt-4o-mini'),
    limit: 128_000,
  },
  {
    name: 'Anthropic, claude-haiku-4-5',
    model: (settings) => createAnthropic(settings)('claude-haiku-4-5'),
    limit: 200_000,
    rules: limited(200_000, ({ tokens }) =>
      tokens > 200_000
        ? ofAnthropic(`prompt is too long: ${tokens} tokens > 200000 maximum`)
        : undefined,
    ),
  },
  {
    name: 'Anthropic, claude-sonnet-4 (prompt and answer together)',
    model: (settings) => createAnthropic(settings)('claude-sonnet-4-20250514'),
    limit: 200_000,
    rules: {
      refuse: ({ tokens, body }) => {
        const answer = Number(body['max_tokens']);
        const message = `input length and \`max_tokens\` exceed context limit: ${tokens} + ${answer} > 200000, decrease input length or \`max_tokens\` and try again`;
        return tokens + answer > 200_000 ? ofAnthropic(message) : undefined;
      },
    },
  },
  {
    name: 'OpenAI, gpt-4o-mini, after Claude that compacted',
    model: (settings) => createOpenAI(settings).chat('gpt-4o-mini'),
    limit: 128_000,
    earlier: [
      { role: 'user', content: 'Close TICKET-900, please.' },
      {
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: 'TICKET-900 was closed before.',
            providerOptions: { anthropic: { type: 'compaction' } },
          },
        ],
      },
    ],
  },
  {
    name: 'Groq, llama-3.3-70b (no `json_schema`)',
    model: (settings) => createGroq(settings)('llama-3.3-70b-versatile'),
    limit: 131_072,
    rules: limited(131_072, (request) =>
      formatOf(request) === 'json_schema'
        ? refusal('This model does not support response format `json_schema`.')
        : undefined,
    ),
  },
  {
    name: 'LM Studio (no `json_object`)',
    model: (settings) =>
      createOpenAICompatible({ name: 'lmstudio', ...settings })('qwen2.5-7b-local'),
    limit: 16_384,
    rules: {
      refuse: (request) => {
        const format = formatOf(request);
        if (format !== undefined && format !== 'json_schema' && format !== 'text')
          return said("'response_format.type' must be 'json_schema' or 'text'");
        const tooLong = `Trying to keep the first ${request.tokens} tokens when context the overflows. However, the model is loaded with context length of only 16384 tokens, which is not enough.`;
        return request.tokens <= 16_384 ? undefined : said(tooLong);
      },
    },
  },
  {
    name: 'OpenAI, gpt-4-turbo (no `json_schema`, 4,096 tokens out)',
    model: (settings) => createOpenAI(settings).chat('gpt-4-turbo'),
    limit: 128_000,
    rules: limited(128_000, (request) => {
      if (formatOf(request) === 'json_schema')
        return refusal(
          "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        );
      return Number(request.body['max_tokens'] ?? 0) > 4096
        ? refusal(
            `max_tokens is too large: ${String(request.body['max_tokens'])}. This model supports at most 4096 completion tokens.`,
          )
        : undefined;
    }),
  },
  {
    name: 'Google, gemma-3-27b (no JSON mode)',
    model: (settings) => createGoogle(settings)('gemma-3-27b-it'),
    limit: 128_000,
    rules: {
      refuse: ({ body, tokens }) => {
        const say = (message: string): Refusal =>
          said({ code: 400, message, status: 'INVALID_ARGUMENT' });
        if (body['systemInstruction'] !== undefined)
          return say('Developer instruction is not enabled for models/gemma-3-27b-it');
        const config = Object(body['generationConfig']);
        if (Reflect.get(config, 'responseMimeType') === 'application/json')
          return say('JSON mode is not enabled for models/gemma-3-27b-it');
        return tokens > 128_000
          ? say(
              `The input token count (${tokens}) exceeds the maximum number of tokens allowed (128000).`,
            )
          : undefined;
      },
    },
  },
  {
    name: 'vLLM, a template without a system role',
    model: (settings) =>
      createOpenAICompatible({ name: 'vllm', ...settings })('gemma-2-9b-of-mine'),
    limit: 16_384,
    hasInstructions: false,
    rules: limited(16_384, ({ messages }) =>
      messages.some(({ role }) => role === 'system')
        ? refusal('System role not supported')
        : undefined,
    ),
  },
  {
    name: 'vLLM behind `openai`, a template with one system message in front',
    model: (settings) => createOpenAI(settings).chat('qwen3-32b'),
    limit: 32_768,
    rules: limited(32_768, ({ messages }) =>
      areSystemsInFront(messages) ? undefined : refusal('System message must be at the beginning.'),
    ),
  },
  {
    name: 'a model that thinks aloud, in a fence',
    model: (settings) =>
      createOpenAICompatible({ name: 'local', ...settings })('r1-distill-of-mine'),
    limit: 16_384,
    rules: {
      ...limited(16_384),
      write: (text) =>
        `<think>${thinking}</think>\n\nHere it is:\n\`\`\`json\n${text}\n\`\`\`<|im_end|>`,
    },
  },
  {
    name: 'a model whose answers end with `length`',
    model: (settings) => createOpenAICompatible({ name: 'local', ...settings })('short-of-mine'),
    limit: 16_384,
    rules: { ...limited(16_384), finishReason: 'length' },
  },
  {
    name: 'a server that does not stream',
    model: (settings) => createOpenAI(settings).chat('o3'),
    limit: 200_000,
    rules: limited(200_000, ({ isStreamed }) =>
      isStreamed ? refusal('Your organization must be verified to stream this model.') : undefined,
    ),
  },
  {
    name: 'a slow model: a record takes longer than the time limit',
    model: (settings) => createOpenAICompatible({ name: 'local', ...settings })('slow-of-mine'),
    limit: 16_384,
    // A sixtieth of the real times: 65 s where one is given up after 60 s without a word.
    options: { summaryTimeoutMs: 1000, maxWaitMs: 1500 },
    rules: { ...limited(16_384), recordMs: 1083 },
  },
  {
    name: 'a busy server: each second request for a record is answered 503',
    model: (settings) => createOpenAICompatible({ name: 'local', ...settings })('busy-of-mine'),
    limit: 16_384,
    rules: limited(16_384, ({ isForRecord, earlierForRecord }) =>
      isForRecord && earlierForRecord % 2 === 0
        ? refusal('The server is overloaded.', 503)
        : undefined,
    ),
  },
  {
    name: 'Groq, a request larger than the tokens of a minute (413)',
    model: (settings) => createGroq(settings)('llama-3.1-8b-instant'),
    limit: 12_000,
    rules: perMinute(12_000, 413, 'llama-3.1-8b-instant'),
  },
  {
    name: 'OpenAI, a request larger than the tokens of a minute (429)',
    model: (settings) => createOpenAI(settings).chat('gpt-4o'),
    limit: 30_000,
    rules: perMinute(30_000, 429, 'gpt-4o'),
  },
  {
    name: 'a proxy that takes 150 kB, and screenshots (413)',
    model: (settings) => createOpenAI(settings).chat('gpt-4o-mini'),
    limit: 16_384,
    pictureBytes: 12_000,
    rules: {
      refuse: ({ body }) =>
        JSON.stringify(body).length > 150_000 ? { status: 413, body: 'Too large' } : undefined,
    },
  },
  {
    name: 'Anthropic, 20 pictures in a request',
    model: (settings) => createAnthropic(settings)('claude-haiku-4-5'),
    limit: 200_000,
    pictureBytes: 1000,
    rules: {
      refuse: ({ body, tokens }) => {
        const images = JSON.stringify(body).split('"type":"image"').length - 1;
        if (images > 20) return ofAnthropic(`too many images and documents: ${images} + 0 > 20`);
        return tokens > 200_000
          ? ofAnthropic(`prompt is too long: ${tokens} tokens > 200000 maximum`)
          : undefined;
      },
    },
  },
  {
    name: 'Ollama: what is over `num_ctx` is dropped without a word',
    model: (settings) => createOpenAICompatible({ name: 'ollama', ...settings })('llama-of-mine'),
    limit: 4096,
    growth: 9,
    rules: { silentLimit: 4096 },
  },
];
