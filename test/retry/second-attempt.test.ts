import {
  APICallError,
  type LanguageModelV4Prompt,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { generateText, type ModelMessage, streamText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it, vi } from 'vitest';
import { explainSummarization, memoryStore } from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import { apiError, chatModel, textParts, textResult } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryOf } from '../support/prompts.ts';
import { called, eventsOf, type SetUp, setUp } from '../support/set-up.ts';
import { refusingModel } from './refusing-model.ts';

const tooLong = apiError("This model's maximum context length is 500 tokens.");
const stillTooLong = apiError('The prompt is too long.');
const messages = chat(15);
const prompt: LanguageModelV4Prompt = messages.map(({ content }, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text: JSON.stringify(content) }],
}));
const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] };
const metadata: LanguageModelV4StreamPart = { type: 'response-metadata', id: 'first' };
const finish = textParts('').at(-1) ?? start;
const failed = (error: unknown): LanguageModelV4StreamPart => ({ type: 'error', error });
const full: LanguageModelV4StreamPart = {
  type: 'finish',
  usage: textResult('').usage,
  finishReason: { unified: 'length', raw: 'model_context_window_exceeded' },
};

/** A wrapped model that never summarises by itself. */
function wrapped(inner: MockLanguageModelV4, options: Parameters<typeof setUp>[0] = {}): SetUp {
  return setUp({ contextLength: 100_000, strategy: 'none', ...options }, { inner });
}

const typesOf = ({ events }: SetUp): string[] => events.map(({ type }) => type);

async function streamed(
  { model }: SetUp,
  rest: { abortSignal?: AbortSignal } = {},
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream({ prompt, ...rest });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('a stream that is cancelled', () => {
  /** A stream that never ends by itself, and why it was cancelled. */
  function endless(parts: readonly LanguageModelV4StreamPart[]) {
    const rest = [...parts];
    const seen: { cancelled?: unknown } = {};
    const stream = new ReadableStream<LanguageModelV4StreamPart>(
      {
        pull: (controller) => {
          const part = rest.shift();
          return part === undefined ? new Promise(() => {}) : controller.enqueue(part);
        },
        cancel: (reason) => {
          seen.cancelled = reason ?? 'without a reason';
        },
      },
      { highWaterMark: 0 },
    );
    return { stream, seen };
  }

  function streaming(
    ...streams: readonly PromiseLike<ReadableStream<LanguageModelV4StreamPart>>[]
  ) {
    const rest = [...streams];
    const doStream = async () => ({ stream: await (rest.shift() ?? Promise.reject(tooLong)) });
    return wrapped(
      new MockLanguageModelV4({ provider: 'openai.responses', modelId: 'gpt-test', doStream }),
    );
  }

  it('before it is read, and before it says anything', async () => {
    for (const isRead of [false, true]) {
      const first = endless([]);
      const { stream } = await streaming(Promise.resolve(first.stream)).model.doStream({ prompt });
      const reader = stream.getReader();
      if (isRead) void reader.read();
      await reader.cancel('early');
      expect(first.seen.cancelled).toBe('early');
    }
  });

  it('is the one that took the place of the first', async () => {
    const [first, second] = [endless([failed(tooLong)]), endless([start, ...textParts('b')])];
    const made = streaming(Promise.resolve(first.stream), Promise.resolve(second.stream));
    const reader = (await made.model.doStream({ prompt })).stream.getReader();
    await reader.read();
    await reader.cancel('late');
    expect([first.seen.cancelled, second.seen.cancelled]).toEqual(['without a reason', 'late']);
  });

  it('is the one that comes too late for a caller who has left', async () => {
    const { promise, resolve } = Promise.withResolvers<ReadableStream<LanguageModelV4StreamPart>>();
    const [first, second] = [endless([failed(tooLong)]), endless(textParts('b'))];
    const made = streaming(Promise.resolve(first.stream), promise);
    const reader = (await made.model.doStream({ prompt })).stream.getReader();
    const pending = reader.read();
    await vi.waitUntil(() => made.inner.doStreamCalls.length === 2);
    await reader.cancel('gone');
    resolve(second.stream);
    expect(await pending).toEqual({ done: true, value: undefined });
    await vi.waitUntil(() => second.seen.cancelled !== undefined);
    expect(second.seen.cancelled).toBe('gone');
  });
});

describe('a second attempt', () => {
  it.each([
    ['an error part', { parts: [start, metadata, failed(tooLong), finish] }],
    [
      'an event as the provider sent it',
      { parts: [start, failed({ code: 'context_length_exceeded' }), finish] },
    ],
    ['a stream that breaks', { parts: [start, metadata], throws: tooLong }],
    ['a finish part for a full context', { parts: [start, metadata, full] }],
    ['a throw', { throws: tooLong }],
  ])('follows %s, and goes on where the first has stopped', async (_what, refusal) => {
    const inner = refusingModel(refusal);
    const setup = wrapped(inner);
    const parts = await streamed(setup);
    const expected = textParts('Understood.');
    // What announced the first attempt has been passed on; there is one start, and one answer.
    expect(parts.slice(0, -1).filter((part) => part !== metadata)).toEqual(expected.slice(0, -1));
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      providerMetadata: { summarization: { depth: 0, degraded: true } },
    });
    const [first, second, ...more] = promptsOf(inner);
    expect(more).toEqual([]);
    expect(second?.length).toBeLessThan(first?.length ?? 0);
    expect(second && summaryOf(second)).toBeDefined();
    expect(typesOf(setup)).toEqual(['check', 'limit-learned', 'recovered', 'applied']);
  });

  it('follows a generated answer that says only that the context is full', async () => {
    let calls = 0;
    const inner = chatModel();
    inner.doGenerate = async () => {
      calls += 1;
      return calls === 1
        ? textResult('', { unified: 'length', raw: 'model_context_window_exceeded' })
        : textResult('Understood.');
    };
    const setup = wrapped(inner);
    const { text } = await generateText({ model: setup.model, messages });
    expect(text).toBe('Understood.');
    expect(calls).toBe(2);
    expect(typesOf(setup)).toContain('recovered');
  });

  it('leaves an answer alone that says something before the context is full', async () => {
    const inner = chatModel();
    inner.doGenerate = async () =>
      textResult('Half', { unified: 'length', raw: 'model_context_window_exceeded' });
    const setup = wrapped(inner);
    expect((await generateText({ model: setup.model, messages })).text).toBe('Half');
    expect(typesOf(setup)).toEqual(['check']);
  });

  it('never repeats what has been streamed', async () => {
    const [, textStart, delta] = textParts('Once.');
    if (textStart === undefined || delta === undefined) throw new Error('Unexpected parts.');
    const parts = [start, textStart, delta, failed(tooLong)];
    const inner = refusingModel({ parts });
    const setup = wrapped(inner);
    expect(await streamed(setup)).toEqual(parts);
    expect(inner.doStreamCalls).toHaveLength(1);
    expect(typesOf(setup)).toEqual(['check']);
  });

  it('is the last: a second overflow is the error of the call', async () => {
    const inner = refusingModel({ throws: tooLong }, { throws: stillTooLong });
    const setup = wrapped(inner);
    await expect(generateText({ model: setup.model, messages })).rejects.toBe(stillTooLong);
    expect(inner.doGenerateCalls).toHaveLength(2);
    expect(setup.events.at(-1)).toMatchObject({
      type: 'failed',
      stage: 'recover',
      error: stillTooLong,
    });
  });

  it.each([
    ['thrown', { throws: stillTooLong }],
    ['an error part', { parts: [start, failed(stillTooLong), finish] }],
  ])('is the last in a stream too: %s', async (_how, second) => {
    const inner = refusingModel({ parts: [start, failed(tooLong), finish] }, second);
    const setup = wrapped(inner);
    const parts = await streamed(setup);
    expect(parts.map(({ type }) => type)).toEqual(['stream-start', 'error', 'finish']);
    expect(parts[1]).toEqual(failed(stillTooLong));
    expect(inner.doStreamCalls).toHaveLength(2);
    expect(typesOf(setup)).toEqual(['check', 'limit-learned', 'limit-learned', 'failed']);
  });

  it('closes in on a limit that no error states, call by call', async () => {
    const inner = new MockLanguageModelV4({
      doGenerate: async (options) => {
        if (JSON.stringify(options.prompt).length > 2500) throw stillTooLong;
        return textResult('Understood.');
      },
    });
    const setup = wrapped(inner);
    const outcomes: string[] = [];
    for (let call = 0; call < 4; call += 1) {
      const [{ status }] = await Promise.allSettled([
        generateText({ model: setup.model, messages }),
      ]);
      outcomes.push(status);
    }
    expect(outcomes).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  it.each([
    ['a rate limit', apiError('Rate limit reached. prompt is too long: 9 tokens', 429)],
    ['a server error', apiError('Internal error', 500)],
    ['a wrong key', apiError('Invalid key', 401)],
    ['an error of another kind', new TypeError('fetch failed')],
  ])('is not made for %s', async (_what, error) => {
    const inner = refusingModel({ throws: error }, { parts: [start, failed(error)] });
    const setup = wrapped(inner);
    const generated = generateText({ model: setup.model, messages, maxRetries: 0 });
    await expect(generated).rejects.toBe(error);
    expect(await streamed(setup)).toEqual([start, failed(error)]);
    expect(promptsOf(inner)).toHaveLength(2);
    expect(typesOf(setup)).toEqual(['check', 'check']);
  });

  it.each([
    ['is switched off', { enabled: false }, {}],
    ['is switched off for the call', {}, { summarization: { enabled: false } }],
    ['leaves the history to the provider', {}, { openai: { previousResponseId: 'resp_1' } }],
  ])('is not made when the middleware %s', async (_what, options, providerOptions) => {
    const parts = [start, failed(tooLong)];
    const inner = refusingModel({ throws: tooLong }, { parts });
    const { model } = wrapped(inner, options);
    await expect(generateText({ model, messages, providerOptions })).rejects.toBe(tooLong);
    const errors: unknown[] = [];
    await streamText({
      model,
      messages,
      providerOptions,
      onError: ({ error }) => void errors.push(error),
    }).consumeStream();
    expect(errors).toContain(tooLong);
    expect(promptsOf(inner)).toHaveLength(2);
  });

  it('is not made when nothing can be made shorter, and the first error stands', async () => {
    const inner = refusingModel({ throws: tooLong });
    const setup = wrapped(inner);
    const long: ModelMessage[] = [user(words(1, 900))];
    await expect(generateText({ model: setup.model, messages: long })).rejects.toBe(tooLong);
    expect(inner.doGenerateCalls).toHaveLength(1);
    expect(setup.events.at(-1)).toMatchObject({ type: 'failed', stage: 'recover' });
  });

  it('is not made after an abort', async () => {
    const controller = new AbortController();
    let calls = 0;
    const inner = new MockLanguageModelV4({
      doGenerate: async () => {
        calls += 1;
        controller.abort(new Error('Enough.'));
        throw tooLong;
      },
    });
    const { model } = wrapped(inner);
    const abortSignal = controller.signal;
    await expect(generateText({ model, messages, abortSignal })).rejects.toThrow('Enough.');
    expect(calls).toBe(1);
  });

  it('hands the abort signal on', async () => {
    const { signal } = new AbortController();
    const inner = refusingModel({ parts: [start, failed(tooLong)] });
    await streamed(wrapped(inner), { abortSignal: signal });
    expect(inner.doStreamCalls.map(({ abortSignal }) => abortSignal)).toEqual([signal, signal]);
  });

  it('teaches the trigger: the next call of that model is summarised in time', async () => {
    const throws = apiError("This model's maximum context length is 1000 tokens.");
    const inner = refusingModel({ throws });
    const long = chat(31);
    const setup = await called(long, { contextLength: 100_000 }, { inner });
    expect(setup.summarizer.doGenerateCalls).toHaveLength(0);
    const { providerMetadata } = await generateText({ model: setup.model, messages: long });
    expect(setup.summarizer.doGenerateCalls).toHaveLength(1);
    expect(providerMetadata?.['summarization']).toMatchObject({
      degraded: false,
      contextLength: 1000,
    });
    expect(inner.doGenerateCalls).toHaveLength(3);
    expect(eventsOf(setup, 'check')).toMatchObject([
      { reason: 'below-trigger', contextLength: 100_000 },
      { reason: 'context-overflow', contextLength: 1000 },
    ]);
  });

  it('teaches everybody who shares the store, and an explanation', async () => {
    const options = { store: memoryStore(), secret: 'a secret for the tests' };
    const inner = refusingModel({ throws: tooLong });
    await generateText({ model: wrapped(inner, options).model, messages });
    const another = wrapped(inner, options);
    await generateText({ model: another.model, messages });
    expect(another.events.find(({ type }) => type === 'check')).toMatchObject({
      contextLength: 500,
    });
    const explained = await explainSummarization({
      messages,
      model: inner,
      options: { ...options, contextLength: 100_000 },
    });
    expect(explained.contextLength).toBe(500);
  });

  it('keeps what a stored summary says, and calls no summariser', async () => {
    const inner = refusingModel();
    const before = chat(25, 30);
    const setup = await called(before, { contextLength: 1000 }, { inner });
    expect(setup.summarizer.doGenerateCalls).toHaveLength(1);
    const { doGenerate } = inner;
    let refusals = 0;
    inner.doGenerate = async (options) => {
      if (refusals > 0) return doGenerate(options);
      refusals += 1;
      throw apiError("This model's maximum context length is 400 tokens.");
    };
    const more = [...before, ...chat(4, 30).slice(1)];
    await generateText({ model: setup.model, messages: more });
    expect(refusals).toBe(1);
    expect(setup.summarizer.doGenerateCalls).toHaveLength(1);
    expect(summaryOf(lastPrompt(inner))).toContain('They spoke of rivers.');
    expect(setup.events.at(-2)).toMatchObject({ type: 'recovered', reason: 'provider-overflow' });
  });

  it('remembers nothing of a refusal without a word', async () => {
    const inner = refusingModel({
      throws: new APICallError({
        message: 'Payload Too Large',
        statusCode: 413,
        responseBody: '',
        url: 'https://api.example.com',
        requestBodyValues: {},
      }),
    });
    const setup = wrapped(inner);
    await generateText({ model: setup.model, messages });
    await generateText({ model: setup.model, messages });
    const [first, second, third] = promptsOf(inner);
    expect(second?.length).toBeLessThan(first?.length ?? 0);
    expect(third).toEqual(first);
  });
});
