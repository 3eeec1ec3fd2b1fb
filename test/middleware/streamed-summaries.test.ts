import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { generateText, simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chat } from '../support/messages.ts';
import { answer, summarizerModel, textParts, textResult } from '../support/models.ts';
import { lastPrompt, summaryJson } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';
import { elapse, stopClock } from '../support/still-clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

const sentences = Array.from({ length: 40 }, (_, index) => `On day ${index} they rowed on.`);
const narrative = sentences.join(' ');

/** A model that cannot but stream: its text comes some characters at a time. */
function streamingModel(
  text: string,
  end: readonly LanguageModelV4StreamPart[] = textParts('').slice(-1),
): MockLanguageModelV4 {
  const chunks = [...partsOf(text), ...end];
  return modelOf(async () => ({ stream: simulateReadableStream({ chunks }) }));
}

function modelOf(doStream: MockLanguageModelV4['doStream']): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'summarizer',
    doStream,
  });
}

/** A stream up to its end. */
function partsOf(text: string): readonly LanguageModelV4StreamPart[] {
  const deltas = text.match(/[^]{1,7}/g) ?? [];
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'answer-1', modelId: 'summarizer' },
    ...deltas.map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
  ];
}

describe('a summary that its model streams', () => {
  it('is put together from its parts', async () => {
    const summarizer = streamingModel(answer({ summary: narrative, keyPoints: ['They rowed.'] }));
    const run = setUp({}, { summarizer });
    await generateText({ model: run.model, messages: chat(19) });
    expect(narrative.startsWith(String(summaryJson(lastPrompt(run.inner))['summary']))).toBe(true);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(run.events.find(({ type }) => type === 'end')).toMatchObject({ degraded: false });
  });

  it('is asked for at once of a model that cannot stream', async () => {
    const run = setUp({}, { summarizer: summarizerModel(answer({ summary: narrative })) });
    await generateText({ model: run.model, messages: chat(19) });
    expect(run.summarizer.doGenerateCalls).toHaveLength(1);
    expect(run.events.find(({ type }) => type === 'end')).toMatchObject({ degraded: false });
  });

  it.each([
    ['a fence around it', (text: string) => `\`\`\`json\n${text}\n\`\`\``],
    ['line breaks in it', (text: string) => JSON.stringify(JSON.parse(text), undefined, 2)],
  ])('is read with %s too', async (_, written) => {
    const summarizer = streamingModel(written(answer({ summary: narrative })));
    const run = setUp({}, { summarizer });
    await generateText({ model: run.model, messages: chat(19) });
    expect(run.events.find(({ type }) => type === 'end')).toMatchObject({ degraded: false });
  });

  it.each([
    ['breaks off in the middle', [], -9, undefined],
    ['breaks off behind its end', [], undefined, false],
    [
      'ends in an error',
      [{ type: 'error', error: new Error('The line is down.') }, finishOf('stop')],
      undefined,
      undefined,
    ],
    ['ends because it is too long', [finishOf('length')], undefined, false],
    ['is filtered', [finishOf('content-filter')], undefined, true],
  ] as const)(
    'is read as far as it was paid for when its stream %s',
    async (_, end, cut, degraded) => {
      const summarizer = streamingModel(answer({ summary: narrative }).slice(0, cut), end);
      const run = setUp({}, { summarizer });
      const { text } = await generateText({ model: run.model, messages: chat(19) });
      expect(text).toBe('Understood.');
      // A line that is down is no reason to have rules write: the next call tries again.
      const ends = run.events.flatMap((event) => (event.type === 'end' ? [event.degraded] : []));
      expect(ends).toEqual(degraded === undefined ? [] : [degraded]);
    },
  );

  it('is done as soon as its stream says so, though that stays open', async () => {
    const parts = [...partsOf(answer({ summary: narrative })), finishOf('stop')];
    const cancelled = Promise.withResolvers<void>();
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
      },
      cancel: () => cancelled.resolve(),
    });
    const run = setUp({}, { summarizer: modelOf(async () => ({ stream })) });
    await generateText({ model: run.model, messages: chat(19) });
    await cancelled.promise;
    expect(run.events.find(({ type }) => type === 'end')).toMatchObject({ degraded: false });
  });

  it('has its stream cancelled when it is given up, by a provider that heeds no signal too', async () => {
    const begun = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const summarizer = modelOf(async () => {
      begun.resolve();
      return { stream: new ReadableStream({ cancel: () => cancelled.resolve() }) };
    });
    const run = setUp({ summaryTimeoutMs: 5000 }, { summarizer });
    stopClock();
    const sending = generateText({ model: run.model, messages: chat(19) });
    await begun.promise;
    await elapse(5000);
    await cancelled.promise;
    const { text } = await sending;
    expect(text).toBe('Understood.');
    // The prompt fits, and a model that hung may answer the next call.
    expect(run.events.find(({ type }) => type === 'end')).toBeUndefined();
  });

  it('is written all at once by a model that refuses to stream, and by no other that refuses', async () => {
    const refusal = (message: string): APICallError =>
      new APICallError({ message, url: '', requestBodyValues: {}, statusCode: 400 });
    for (const [message, isWritten] of [
      ['Your organization must be verified to stream this model.', true],
      ['Unknown parameter: text.', false],
    ] as const) {
      const summarizer = modelOf(async () => {
        throw refusal(message);
      });
      summarizer.doGenerate = async () => textResult(answer({ summary: narrative }));
      const run = setUp({}, { summarizer });
      await generateText({ model: run.model, messages: chat(19) });
      const end = run.events.find(({ type }) => type === 'end');
      expect(end).toMatchObject({ degraded: !isWritten });
      // Without a word of what is wrong, all forms are tried.
      expect(summarizer.doStreamCalls).toHaveLength(isWritten ? 1 : 3);
    }
  });

  it('is billed as its stream says', async () => {
    const summarizer = streamingModel(answer({ summary: narrative }), [finishOf('stop', 700)]);
    const run = setUp({}, { summarizer });
    await generateText({ model: run.model, messages: chat(19) });
    expect(run.events.find(({ type }) => type === 'end')).toMatchObject({
      usage: { inputTokens: 700, outputTokens: 70 },
    });
  });
});

function finishOf(
  unified: 'stop' | 'length' | 'content-filter',
  inputTokens = 0,
): LanguageModelV4StreamPart {
  return {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: inputTokens / 10, text: inputTokens / 10, reasoning: 0 },
    },
  };
}
