import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it, vi } from 'vitest';
import { explainSummarization, memoryStore } from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import { apiError, chatModel, textParts, textResult } from '../support/models.ts';
import type { CallOptions } from '../support/prompt-types.ts';
import { lastPrompt, promptsOf, summaryOf } from '../support/prompts.ts';
import { called, type SetUp, setUp } from '../support/set-up.ts';
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

/** A wrapped model that never summarizes by itself. */
function wrapped(inner: MockLanguageModelV4, options: Parameters<typeof setUp>[0] = {}): SetUp {
  return setUp({ contextLength: 100_000, strategy: 'none', ...options }, { inner });
}

const typesOf = ({ events }: SetUp): string[] => events.map(({ type }) => type);

async function streamed(
  { model }: SetUp,
  rest: Omit<CallOptions, 'prompt'> = {},
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream({ prompt, ...rest });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('a stream that is cancelled', () => {
  /** A stream of parts that never ends by itself, and why it was canceled. */
  function endless(...parts: readonly LanguageModelV4StreamPart[]) {
    const rest = [...parts];
    const cancelled = vi.fn<(reason: unknown) => void>();
    const pull = (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>) => {
      const part = rest.shift();
      return part === undefined ? new Promise<void>(() => {}) : controller.enqueue(part);
    };
    const stream = new ReadableStream({ pull, cancel: cancelled }, { highWaterMark: 0 });
    return { stream, cancelled };
  }

  type Endless = ReturnType<typeof endless>['stream'];

  /** Reads of a model that gives such streams one after the other. */
  async function reading(...streams: readonly (Endless | Promise<Endless>)[]) {
    const rest = [...streams];
    const inner = new MockLanguageModelV4({
      doStream: async () => ({ stream: (await rest.shift()) ?? new ReadableStream() }),
    });
    const { stream } = await wrapped(inner).model.doStream({ prompt });
    return { reader: stream.getReader(), calls: inner.doStreamCalls };
  }

  it.each([false, true])('before it says anything; it is read: %s', async (isRead) => {
    const { stream, cancelled } = endless();
    const { reader } = await reading(stream);
    if (isRead) void reader.read();
    await reader.cancel('early');
    expect(cancelled).toHaveBeenCalledWith('early');
  });

  it('is the one that took the place of the first', async () => {
    const [first, second] = [endless(failed(tooLong)), endless(start, ...textParts('b'))];
    const { reader } = await reading(first.stream, second.stream);
    await reader.read();
    await reader.cancel('late');
    expect(first.cancelled).toHaveBeenCalledWith(undefined);
    expect(second.cancelled).toHaveBeenCalledWith('late');
  });

  it('is the one that comes too late for a caller who has left', async () => {
    const { promise, resolve } = Promise.withResolvers<Endless>();
    const second = endless(...textParts('b'));
    const { reader, calls } = await reading(endless(failed(tooLong)).stream, promise);
    const pending = reader.read();
    await vi.waitUntil(() => calls.length === 2);
    await reader.cancel('gone');
    resolve(second.stream);
    expect(await pending).toEqual({ done: true, value: undefined });
    await vi.waitUntil(() => second.cancelled.mock.calls.length > 0);
    expect(second.cancelled).toHaveBeenCalledWith('gone');
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

  it.each([
    ['follows a generated answer that says nothing', [''], 'Understood.', 'recovered'],
    ['is the last, even where that says nothing', ['', ''], '', 'failed'],
    ['leaves one alone that says something', ['Half'], 'Half', 'check'],
  ])('%s before the context is full', async (_what, answers, text, last) => {
    const inner = chatModel();
    const doGenerate = vi.spyOn(inner, 'doGenerate');
    const reason = { unified: 'length', raw: 'model_context_window_exceeded' } as const;
    for (const each of answers) doGenerate.mockResolvedValueOnce(textResult(each, reason));
    const setup = wrapped(inner);
    expect((await generateText({ model: setup.model, messages })).text).toBe(text);
    const outcomes = ['recovered', 'failed'].filter((type) => typesOf(setup).includes(type));
    expect(outcomes).toEqual(last === 'check' ? [] : [last]);
    expect(doGenerate).toHaveBeenCalledTimes(last === 'check' ? 1 : 2);
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

  it.each([
    ['thrown', { throws: stillTooLong }],
    ['an error part', { parts: [start, failed(stillTooLong), finish] }],
  ])('is the last: a second overflow is the error of the call, %s', async (_how, second) => {
    const inner = refusingModel({ parts: [start, failed(tooLong), finish] }, second);
    const setup = wrapped(inner);
    expect(await streamed(setup)).toMatchObject([start, failed(stillTooLong), { type: 'finish' }]);
    expect(inner.doStreamCalls).toHaveLength(2);
    expect(typesOf(setup)).toEqual(['check', 'limit-learned', 'limit-learned', 'failed']);
    const generating = refusingModel({ throws: tooLong }, { throws: stillTooLong });
    const { model, events } = wrapped(generating);
    await expect(generateText({ model, messages })).rejects.toBe(stillTooLong);
    expect(generating.doGenerateCalls).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ stage: 'recover', error: stillTooLong });
  });

  it.each([
    ['a rate limit', apiError('Rate limit reached. prompt is too long: 9 tokens', 429), {}, {}],
    ['a server error', apiError('Internal error', 500), {}, {}],
    ['a wrong key', apiError('Invalid key', 401), {}, {}],
    ['an error of another kind', new TypeError('fetch failed'), {}, {}],
    ['a middleware that is off', tooLong, { enabled: false }, {}],
    ['one that is off for the call', tooLong, {}, { summarization: { enabled: false } }],
    ['a provider that has the history', tooLong, {}, { openai: { previousResponseId: 'resp_1' } }],
  ])('is not made for %s', async (_what, error, options, providerOptions) => {
    const parts = [start, failed(error)];
    const inner = refusingModel({ throws: error }, { parts });
    const setup = wrapped(inner, options);
    const call = { model: setup.model, messages, maxRetries: 0, providerOptions };
    await expect(generateText(call)).rejects.toBe(error);
    expect(await streamed(setup, { providerOptions })).toEqual(parts);
    expect(promptsOf(inner)).toHaveLength(2);
    expect(typesOf(setup)).not.toContain('limit-learned');
  });

  it('is not made for a stream that breaks otherwise, and no part tells of it', async () => {
    const error = new TypeError('terminated');
    const { model } = wrapped(refusingModel({ parts: [start], throws: error }));
    const reader = (await model.doStream({ prompt })).stream.getReader();
    expect(await reader.read()).toEqual({ done: false, value: start });
    await expect(reader.read()).rejects.toBe(error);
  });

  it('is not made when nothing can be made shorter, and the first error stands', async () => {
    const inner = refusingModel({ throws: tooLong });
    const setup = wrapped(inner);
    const long: ModelMessage[] = [user(words(1, 900))];
    await expect(generateText({ model: setup.model, messages: long })).rejects.toBe(tooLong);
    expect(inner.doGenerateCalls).toHaveLength(1);
    expect(setup.events.at(-1)).toMatchObject({ type: 'failed', stage: 'recover' });
  });

  it('is not made after an abort, whose signal every attempt has', async () => {
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
    const { signal } = new AbortController();
    const retried = refusingModel({ parts: [start, failed(tooLong)] });
    await streamed(wrapped(retried), { abortSignal: signal });
    expect(retried.doStreamCalls.map((call) => call.abortSignal)).toEqual([signal, signal]);
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

  it('keeps what a stored summary says, and calls no summarizer', async () => {
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

  it('remembers a refusal without a word, too', async () => {
    const inner = refusingModel({
      throws: Object.assign(apiError('Payload Too Large', 413), { responseBody: '' }),
    });
    const setup = wrapped(inner);
    await generateText({ model: setup.model, messages });
    await generateText({ model: setup.model, messages });
    const [first, second, third] = promptsOf(inner);
    expect(second?.length).toBeLessThan(first?.length ?? 0);
    expect(third).toEqual(second);
  });
});
