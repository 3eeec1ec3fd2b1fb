import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  memoryStore,
  type SummarizationEvent,
  summarizationMiddleware,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import { anthropicApi } from '../wire/apis/anthropic.ts';
import { openaiChatApi } from '../wire/apis/chat.ts';
import { type ProviderSettings, served } from '../wire/apis/served.ts';
import { jsonReply, sseReply, type WireReply, type WireRequest } from '../wire/apis/wire-api.ts';
import { anthropic, openai, otherWords, refusedWords } from './errors.ts';

/** A server that refuses what it does not take, and a conversation with it. */
function serverThat(
  refuse: (request: WireRequest) => WireReply | undefined,
  options: SummarizationOptions = {},
  create: (settings: ProviderSettings) => LanguageModelV4 = (settings) =>
    createOpenAICompatible({ name: 'compatible', ...settings })('model-of-mine'),
  api = openaiChatApi,
) {
  const { settings, requests } = served({
    ...api,
    rules: () => [],
    answer: (request) => refuse(request) ?? api.answer(request),
  });
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 100_000,
    strategy: 'none',
    store: memoryStore(),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const model = wrapLanguageModel({ model: create(settings), middleware });
  const generate = async (messages: ModelMessage[], maxOutputTokens?: number) =>
    (
      await generateText({
        model,
        messages,
        maxRetries: 0,
        ...(maxOutputTokens && { maxOutputTokens }),
      })
    ).text;
  const stream = async (messages: ModelMessage[]) => {
    const { text } = streamText({ model, messages, maxRetries: 0, onError: () => {} });
    return text;
  };
  const of = (type: SummarizationEvent['type']) => events.filter((event) => event.type === type);
  return { model, generate, stream, requests, events, of };
}

const sizeOf = ({ body }: WireRequest): number => JSON.stringify(body).length;

/** How a server says something: under its status, or within an answer. */
function saying({ body }: WireRequest, status: number, error: object): WireReply {
  return status === 200 && body.stream === true
    ? sseReply([{ ...error }], '[DONE]')
    : jsonReply(status, error);
}

const long = chat(31, 350);

/** Characters of a request that a model of 9,200 tokens takes, where one of 10,922 is refused. */
const takes = 58_000;

describe('a conversation that is too long for its server', () => {
  const ofTokens = refusedWords.filter(([, , { unit }]) => unit !== 'images');

  it.each(ofTokens)('goes on after %i %s', async (status, text) => {
    for (const way of ['generate', 'stream'] as const) {
      const server = serverThat((request) =>
        sizeOf(request) > takes ? saying(request, status, openai(text, null)) : undefined,
      );
      expect(await server[way](long)).not.toBe('');
      expect(server.requests).toHaveLength(2);
      expect(server.of('recovered')).toMatchObject([{ reason: 'provider-overflow' }]);
    }
  });

  it.each(otherWords)('is sent once where the server says %i %s', async (status, text) => {
    const server = serverThat((request) => saying(request, status, openai(text, null)));
    await expect(server.generate(long)).rejects.toBeInstanceOf(Error);
    expect(server.requests).toHaveLength(1);
    expect(server.of('limit-learned')).toEqual([]);
  });

  it.each([
    'The input (10922 tokens) is longer than the context length of the model (9200 tokens).',
    'Prompt 超长',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length.',
  ])('is summarized by a model that says %s', async (text) => {
    const server = serverThat(
      (request) => (sizeOf(request) > takes ? jsonReply(400, openai(text, null)) : undefined),
      { strategy: 'llm', contextLength: 16_000 },
    );
    expect(await server.generate(chat(51, 350))).not.toBe('');
    expect(server.of('end')).toMatchObject([{ degraded: false }]);
    // The whole was read first, and refused.
    const [first] = server.requests.map(sizeOf);
    expect(first).toBeGreaterThan(takes);
  });

  it('goes on in any language, by figures near our own count', async () => {
    const server = serverThat((request) => {
      const tokens = Math.round(sizeOf(request) / 4.6);
      const text = `입력 토큰 ${tokens}개가 허용된 최대 9200개를 넘었습니다`;
      return tokens > 9200 ? jsonReply(400, openai(text, null)) : undefined;
    });
    expect(await server.generate(long)).not.toBe('');
    expect(server.of('limit-learned')).toMatchObject([{ contextLength: 9200 }]);
  });

  it.each([
    ['without a body', (): WireReply => ({ status: 413, headers: {}, chunks: [''] })],
    [
      'as a page',
      (): WireReply => ({
        status: 413,
        headers: { 'content-type': 'text/html' },
        chunks: ['<html><head><title>413 Request Entity Too Large</title></head></html>'],
      }),
    ],
  ])('goes on turn after turn where a proxy refuses %s', async (_how, refusal) => {
    const server = serverThat((request) => (sizeOf(request) > 30_000 ? refusal() : undefined));
    let failed = 0;
    for (let turn = 0; turn < 30; turn += 1)
      await server.generate(chat(3 + 2 * turn, 400)).catch(() => (failed += 1));
    expect(failed).toBe(0);
    expect(server.of('limit-learned').length).toBeGreaterThan(0);
    // A limit that is not stated is found in a few steps.
    expect(server.requests.length).toBeLessThan(40);
  });

  it('is held to 200,000 tokens where Claude wants to be paid extra for more', async () => {
    const text = 'Extra usage is required for long context requests.';
    const server = serverThat(
      (request) =>
        sizeOf(request) > 1_300_000
          ? jsonReply(429, anthropic(text, 'rate_limit_error'))
          : undefined,
      { contextLength: 1_000_000 },
      (settings) => createAnthropic(settings)('claude-sonnet-4-6'),
      anthropicApi,
    );
    expect(await server.generate(chat(31, 9000))).not.toBe('');
    expect(server.of('limit-learned')).toMatchObject([{ inputLimit: 200_000, evidence: 'stated' }]);
  });

  it('asks for an answer of the length that a refusal taught', async () => {
    const server = serverThat(({ body }) => {
      const [prompt, answer] = [
        Math.round(JSON.stringify(body.messages).length / 4.6),
        Number(body.max_tokens),
      ];
      const text = `This model's maximum context length is 9200 tokens. However, you requested ${prompt + answer} tokens (${prompt} in the messages, ${answer} in the completion).`;
      return prompt + answer > 9200 ? jsonReply(400, openai(text, null)) : undefined;
    });
    for (let turn = 0; turn < 4; turn += 1) await server.generate(chat(3 + 2 * turn, 100), 9000);
    // One refusal, of the first call.
    expect(server.requests).toHaveLength(5);
    expect(server.requests.at(-1)?.body).toMatchObject({ max_tokens: 4600 });
  });
});

/** Words of a request: nearly all of them are one token. */
const wordsOf = ({ body }: WireRequest): number => JSON.stringify(body.messages).split(' ').length;

describe('the room for an answer of which the call says nothing', () => {
  const silent = () => undefined;

  it.each<[string, SummarizationOptions, string]>([
    ['without a summary', {}, 'recovered'],
    ['by a summary', { strategy: 'rule-based' }, 'end'],
  ])('is kept %s', async (_how, given, sign) => {
    const options = { contextLength: 10_000, providers: { compatible: { tokenMultiplier: 1 } } };
    const server = serverThat(silent, { ...options, ...given });
    // 99 % of the context.
    const messages = chat(27, 355);
    expect(await server.generate(messages)).not.toBe('');
    const full = { act: 'emergency', reason: 'context-overflow' };
    expect(server.of('check')).toMatchObject([{ ...full, ratio: expect.closeTo(0.99, 2) }]);
    expect(server.of(sign === 'end' ? 'end' : 'recovered')).toHaveLength(1);
    expect(Math.max(...server.requests.map(wordsOf))).toBeLessThan(9000);
    const explained = await explainSummarization({
      messages,
      model: createOpenAICompatible({ name: 'compatible', baseURL: 'http://127.0.0.1' })('of-mine'),
      options: { ...options, ...given },
    });
    expect(explained).toMatchObject(full);
  });

  it.each<[string, ModelMessage[], number | undefined, string | undefined]>([
    ['below it', chat(21, 355), undefined, undefined],
    ['where the call says how long the answer may be', chat(27, 355), 64, undefined],
    ['where the latest message alone leaves none', [user(words(1, 9600))], undefined, undefined],
    ['where the instructions leave none', chat(3, 20), undefined, words(2, 9500)],
  ])('changes nothing %s', async (_when, messages, maxOutputTokens, system) => {
    const server = serverThat(silent, {
      contextLength: 10_000,
      providers: { compatible: { tokenMultiplier: 1 } },
    });
    const { model } = server;
    await generateText({
      model,
      messages,
      ...(maxOutputTokens && { maxOutputTokens }),
      ...(system && { system }),
    });
    const sent = server.requests[0]?.body.messages;
    expect(JSON.stringify(sent)).toContain(JSON.stringify(messages[0]?.content));
    expect(sent).toHaveLength(messages.length + (system === undefined ? 0 : 1));
  });
});

const code = (seed: number, tokens: number): string =>
  Array.from({ length: tokens / 5 }, (_, line) => `x[${seed + line}]=f(${line});`).join('\n');

const chinese = (seed: number, tokens: number): string =>
  Array.from(
    { length: tokens },
    (_, place) => '河流市场花园镜子雷声'[(seed + place * 7) % 10],
  ).join('');

/** A conversation in some script. */
function written(script: typeof words, count: number): ModelMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: script(index, 90),
  }));
}

/** A server that reports one figure whatever it is sent. */
function serverThatReports(input: number, create?: Parameters<typeof serverThat>[2]) {
  const answer = { text: 'Understood.', input, output: 3, finishReason: 'stop' };
  return serverThat((request) => openaiChatApi.answer(request, answer), {}, create);
}

describe('a server that reports one figure of calls that grow', () => {
  it.each([
    ['English', words],
    ['code', code],
    ['Chinese', chinese],
  ])('is kept to what it reads from the third call on, in %s', async (_name, script) => {
    const server = serverThatReports(2050);
    for (let call = 0; call < 4; call += 1) await server.generate(written(script, 41 + 2 * call));
    expect(server.of('limit-learned')).toMatchObject([{ inputLimit: 2050, evidence: 'reported' }]);
    expect(server.of('warning')).toMatchObject([{ code: 'silent-truncation' }]);
    const [third = 0, fourth = 0] = server.requests.slice(2).map(sizeOf);
    expect(fourth).toBeLessThan(third);
  });

  it('is not believed where the figure is no size of a prompt', async () => {
    const server = serverThatReports(10);
    for (let call = 0; call < 6; call += 1) await server.generate(chat(21 + 2 * call, 90));
    expect(await server.generate([user(words(1, 3000))])).toBe('Understood.');
    expect(server.of('limit-learned')).toEqual([]);
  });
});

describe('what is known of a model', () => {
  it.each<[string, number, (settings: ProviderSettings) => LanguageModelV4]>([
    [
      'Qwen/Qwen3-8B',
      40_960,
      (all) => createOpenAICompatible({ name: 'of-mine', ...all })('Qwen/Qwen3-8B'),
    ],
    ['qwen3:8b', 40_960, (all) => createOpenAICompatible({ name: 'ollama', ...all })('qwen3:8b')],
    [
      'Workers AI',
      24_000,
      (all) =>
        createOpenAICompatible({ name: 'workersai', ...all })(
          '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
        ),
    ],
    [
      'Workers AI',
      24_000,
      (all) => createOpenAICompatible({ name: 'any', ...all })('@cf/qwen/qwq-32b'),
    ],
  ])('is its length, as %s serves it: %i', async (_name, contextLength, create) => {
    const server = serverThat(() => undefined, { contextLength: undefined }, create);
    await server.generate(chat(3));
    expect(server.of('check')).toMatchObject([{ contextLength }]);
    expect(server.of('warning')).toEqual([]);
  });

  it('is the step above which it costs more', async () => {
    const model = (settings: ProviderSettings) => createAnthropic(settings)('claude-haiku-5-5');
    const options = { contextLength: undefined, strategy: 'rule-based' } as const;
    const server = serverThat(() => undefined, options, model, anthropicApi);
    await server.generate(chat(31, 2900));
    expect(server.of('check')).toMatchObject([{ act: 'summarize', reason: 'price-step' }]);
    expect(server.of('end')).toHaveLength(1);
  });
});

it('a history that another provider compacted is covered like any message', async () => {
  const compacted: ModelMessage = {
    role: 'assistant',
    content: [
      {
        type: 'text',
        text: 'The ticket was closed before.',
        providerOptions: { anthropic: { type: 'compaction' } },
      },
    ],
  };
  const server = serverThat((request) =>
    sizeOf(request) > takes ? jsonReply(400, openai('Prompt 超长', null)) : undefined,
  );
  expect(await server.generate([user('Close it.'), compacted, ...long])).not.toBe('');
  expect(server.of('foreign-compaction')).toHaveLength(1);
  expect(server.of('recovered')).toHaveLength(1);
});

/** A picture of some bytes that names itself. */
function picture(number: number, bytes: number): Uint8Array {
  const data = new Uint8Array(bytes).fill(number);
  data.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return data;
}

/** A conversation in which each turn of the user shows a picture. */
function shown(turns: number, bytes: number): ModelMessage[] {
  return Array.from({ length: turns }, (_, turn): ModelMessage[] => [
    {
      role: 'user',
      content: [
        { type: 'text', text: `Look at screenshot ${turn}.` },
        { type: 'file', data: picture(turn, bytes), mediaType: 'image/png' },
      ],
    },
    { role: 'assistant', content: `I see ${turn}.` },
  ]).flat();
}

/** The same where a tool answers with it. */
function worked(turns: number, bytes: number): ModelMessage[] {
  const steps = Array.from({ length: turns }, (_, turn): ModelMessage[] => {
    const call = { toolCallId: `call-${turn}`, toolName: 'screenshot' } as const;
    const data = Buffer.from(picture(turn, bytes)).toString('base64');
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            ...call,
            output: {
              type: 'content',
              value: [
                {
                  type: 'file',
                  data: { type: 'data', data },
                  mediaType: 'image/png',
                },
              ],
            },
          },
        ],
      },
    ];
  }).flat();
  return [user('Find the button.'), ...steps];
}

const imagesIn = (request: WireRequest): number =>
  JSON.stringify(request.body).split('iVBORw0KGgo').length - 1;

/** How often the beginning of a request is not that of the one before. */
function breaks(requests: readonly WireRequest[]): number {
  const messages = requests.map(({ body }) =>
    JSON.stringify(body.messages)
      .replaceAll(/"cache_control":\{[^}]*\},?/g, '')
      .slice(0, -1),
  );
  return messages.filter((each, index) => index > 0 && !each.startsWith(messages[index - 1] ?? ''))
    .length;
}

const claude = (settings: ProviderSettings) => createAnthropic(settings)('claude-sonnet-4-6');

describe('a conversation with more pictures than its server takes', () => {
  it.each([
    [
      'too many images',
      (request: WireRequest) =>
        imagesIn(request) > 10
          ? jsonReply(
              400,
              anthropic(`too many images and documents: ${imagesIn(request)} + 0 > 10`),
            )
          : undefined,
    ],
    [
      'too many bytes',
      (request: WireRequest) =>
        sizeOf(request) > 60_000
          ? jsonReply(413, anthropic('Request exceeds the maximum size', 'request_too_large'))
          : undefined,
    ],
  ])('goes on after %s', async (_what, refuse) => {
    for (const conversation of [shown, worked]) {
      const server = serverThat(refuse, {}, claude, anthropicApi);
      for (let turns = 1; turns <= 30; turns += 1) {
        const messages = conversation(turns, 4000);
        expect(
          await server.generate(
            messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages,
          ),
        ).not.toBe('');
      }
      const refused = server.requests.length - 30;
      expect(refused).toBeLessThan(3);
      const last = server.requests.at(-1);
      expect(JSON.stringify(last?.body)).toContain('A picture (image/png, 4 kB) stood here');
      // The newest one is always there.
      const newest = Buffer.from(picture(29, 4000)).toString('base64').slice(20, 400);
      expect(JSON.stringify(last?.body)).toContain(newest);
      expect(server.of('limit-learned').length).toBeGreaterThan(0);
      expect(breaks(server.requests)).toBeLessThan(12);
    }
  });

  it.each<[string, SummarizationOptions]>([
    ['maxImages', { maxImages: 8 }],
    ['maxRequestBytes', { maxRequestBytes: 50_000 }],
    ['providers', { providers: { anthropic: { maxImages: 8 } } }],
  ])('is held to %s', async (_name, options) => {
    const server = serverThat(() => undefined, options, claude, anthropicApi);
    for (let turns = 1; turns <= 20; turns += 1) await server.generate(worked(turns, 4000));
    expect(Math.max(...server.requests.map(imagesIn))).toBeLessThanOrEqual(9);
    expect(server.requests.every((request) => imagesIn(request) > 0)).toBe(true);
    expect(Math.max(...server.requests.map(imagesIn))).toBeGreaterThan(4);
    expect(breaks(server.requests)).toBeLessThan(8);
  });
});
