import { convertToModelMessages, tool, type UIMessage, type UIMessageChunk } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryStore } from '../../src/index.ts';
import {
  numberMessages,
  readSummarization,
  type SummarizationUIMessage,
} from '../../src/ui/index.ts';
import { answer, chatModel, summarizerModel, textResult } from '../support/models.ts';
import { toolLoopModel } from '../support/tool-loop-model.ts';
import { summarizerThat } from '../support/waiting.ts';
import { answerLive, liveStream, pageTalk } from './live-chat.ts';

const summarizer = () => summarizerModel(answer({ summary: 'They spoke of rivers.' }));
const small = { contextLength: 3_000, minMessages: 2, preserveRecent: 2 };

function summaryStates(chunks: readonly UIMessageChunk[]): readonly unknown[] {
  return chunks.flatMap((chunk) =>
    chunk.type === 'data-summary' ? Reflect.get(Object(chunk.data), 'state') : [],
  );
}

describe('a summary on a page', () => {
  it('is one part that goes from running to done', async () => {
    const chunks: UIMessageChunk[] = [];
    const page = await answerLive(pageTalk(31), {
      ...small,
      summarizerModelPreference: summarizer(),
      chunks,
    });
    expect(summaryStates(chunks)).toEqual(['running', 'done']);

    const { summaries, coveredIds, calls, running } = readSummarization(page);
    const covered = calls[0]?.coveredMessages ?? 0;
    expect(covered).toBeGreaterThan(0);
    expect(summaries).toMatchObject([{ messageId: 'answer-31', part: { state: 'done' } }]);
    expect([...coveredIds]).toEqual(page.slice(0, covered).map(({ id }) => id));
    expect(running).toBeUndefined();
  });

  it('is shown, where it was made in the background, by the first answer that uses it, once', async () => {
    const work: Promise<unknown>[] = [];
    const answered = Promise.withResolvers<void>();
    const options = {
      ...small,
      contextLength: 5_000,
      store: memoryStore(),
      summarizerModelPreference: new MockLanguageModelV4({
        provider: 'openai.responses',
        modelId: 'slow',
        doGenerate: async () => {
          await answered.promise;
          return textResult(answer({ summary: 'They spoke of rivers.' }));
        },
      }),
      background: (promise: Promise<unknown>) => void work.push(promise),
    };
    const first = await answerLive(pageTalk(31), options);
    answered.resolve();
    await Promise.all(work);
    const ask = (page: readonly SummarizationUIMessage[]): SummarizationUIMessage[] => [
      ...page,
      { id: `next-${page.length}`, role: 'user', parts: [{ type: 'text', text: 'And then?' }] },
    ];
    const second = await answerLive(ask(first), options);
    const third = await answerLive(ask(second), options);
    const { summaries } = readSummarization(third);
    const done = summaries.filter(({ part }) => part?.state === 'done');
    expect(done).toMatchObject([
      { messageId: 'answer-33', part: { record: { summary: 'They spoke of rivers.' } } },
    ]);
  });

  it('is the same one after a fallback', async () => {
    const page = await answerLive(pageTalk(31), {
      ...small,
      summarizerModelPreference: summarizerModel('This is no JSON.'),
    });
    expect(readSummarization(page).summaries).toMatchObject([
      { part: { state: 'done', record: { degraded: true } } },
    ]);
  });

  it('stays failed where nothing could make it', async () => {
    const page = await answerLive(pageTalk(15), {
      contextLength: 100_000,
      force: true,
      fallbackStrategy: false,
      summarizerModelPreference: summarizerModel('This is no JSON.'),
    });
    expect(readSummarization(page).summaries).toMatchObject([{ part: { state: 'failed' } }]);
  });

  it('is said to be skipped, and kept nowhere, where there is nothing to cover', async () => {
    const chunks: UIMessageChunk[] = [];
    const page = await answerLive(pageTalk(1), {
      contextLength: 100_000,
      force: true,
      summarizerModelPreference: summarizer(),
      chunks,
    });
    expect(chunks).toContainEqual({
      type: 'data-summarySkipped',
      data: { reason: 'nothing-to-cover' },
      transient: true,
    });
    expect(readSummarization(page).summaries).toEqual([]);
  });

  it('leaves a note where a prompt was cut without a model', async () => {
    const page = await answerLive(pageTalk(31), { ...small, strategy: 'none' });
    expect(page.at(-1)?.parts.map(({ type }) => type)).toContain('data-shortened');
  });

  it('is found by its first use where it was made elsewhere', async () => {
    const page = await answerLive(pageTalk(31), {
      ...small,
      summarizerModelPreference: summarizer(),
    });
    const withoutParts = page.map((message) => ({
      ...message,
      parts: message.parts.filter(({ type }) => type !== 'data-summary'),
    }));
    const { summaries, coveredIds } = readSummarization(withoutParts);
    expect(summaries).toMatchObject([
      { messageId: 'answer-31', part: undefined, partIndex: undefined },
    ]);
    expect(coveredIds.size).toBeGreaterThan(0);
  });

  it('is interrupted where its answer ended before it', () => {
    const part = {
      type: 'data-summary',
      id: '1',
      data: { state: 'running', messages: 12 },
    } as const;
    const page: SummarizationUIMessage[] = [{ id: 'a', role: 'assistant', parts: [part] }];
    expect(readSummarization(page)).toMatchObject({
      summaries: [{ part: { state: 'interrupted' } }],
    });
    expect(readSummarization(page).running).toBeUndefined();
    expect(readSummarization(page, { isStreaming: true }).running).toEqual(part.data);
  });

  it('has no place where it is prepared after its answer ended, until it is used', () => {
    const data = { state: 'running', messages: 12, reason: 'ahead' } as const;
    const parts = [{ type: 'data-summary' as const, id: '1', data }];
    const page: SummarizationUIMessage[] = [{ id: 'a', role: 'assistant', parts }];
    expect(readSummarization(page).summaries).toEqual([]);
    expect(readSummarization(page, { isStreaming: true }).running).toEqual(data);
  });
});

describe('the usage of the context', () => {
  it('is that of the latest call', async () => {
    const page = await answerLive(pageTalk(31), {
      ...small,
      summarizerModelPreference: summarizer(),
    });
    const { usage, calls } = readSummarization(page);
    expect(usage).toEqual(calls.at(-1));
    expect(usage).toMatchObject({ contextLength: 3_000, tokens: expect.any(Number) });
  });

  it('notes each call of a tool loop', async () => {
    const read_file = tool({
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      execute: async () => 'It is empty.',
    });
    const page = await answerLive(pageTalk(1), {
      inner: toolLoopModel({ steps: 2 }),
      tools: { read_file },
    });
    const { calls } = readSummarization(page);
    expect(calls.map(({ tokens }) => tokens)).toEqual(
      calls.map(({ tokens }) => tokens).toSorted((a, b) => a - b),
    );
    expect(calls).toHaveLength(3);
  });

  it('says what was billed, that from a cache too', async () => {
    const billing = new MockLanguageModelV4({
      doStream: async (options) => {
        const { stream } = await chatModel().doStream(options);
        const usage = {
          inputTokens: { total: 1_000, noCache: 400, cacheRead: 600, cacheWrite: 0 },
          outputTokens: { total: 50, text: 50, reasoning: 0 },
        };
        return {
          stream: stream.pipeThrough(
            new TransformStream({
              transform: (part, controller) =>
                controller.enqueue(part.type === 'finish' ? { ...part, usage } : part),
            }),
          ),
        };
      },
    });
    const page = await answerLive(pageTalk(1), { inner: billing, contextLength: 10_000 });
    const usage = { inputTokens: 1_000, cacheReadTokens: 600, outputTokens: 50 };
    expect(readSummarization(page)).toMatchObject({ calls: [{ usage }], usage: { usage } });
  });

  it.each([
    null,
    'text',
    { summarization: null },
    { summarization: { calls: 'none' } },
    { summarization: { calls: [null, { tokens: 'many' }] } },
  ])('reads nothing from metadata of %j', (metadata) => {
    expect(readSummarization([{ id: 'a', role: 'assistant', parts: [], metadata }]).calls).toEqual(
      [],
    );
  });

  it.each([null, 'text', { state: 'other' }, { state: 'done' }, { state: 'done', record: null }])(
    'takes no summary from a data part of %j',
    (data) => {
      const parts = [{ type: 'data-summary' as const, id: '1', data }];
      expect(readSummarization([{ id: 'a', role: 'assistant', parts }]).summaries).toEqual([]);
    },
  );
});

// Over the limit: it waits as long as there is hope.
const tooMany = pageTalk(31);

/** A summarising model that answers when it is told to. */
function heldSummarizer() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { model: summarizerThat(async () => promise), release: resolve };
}

/** What an answer streams, chunk by chunk. */
function reading(stream: ReadableStream<UIMessageChunk>) {
  const reader = stream.getReader();
  const rest = async (): Promise<UIMessageChunk[]> => {
    const chunks: UIMessageChunk[] = [];
    for (let read = await reader.read(); !read.done; read = await reader.read())
      chunks.push(read.value);
    return chunks;
  };
  return { next: async () => (await reader.read()).value, rest };
}

/** The states of the summaries among some chunks, and the beginning of the answer. */
function shown(chunks: readonly UIMessageChunk[]): unknown[] {
  return chunks.flatMap((chunk) => {
    if (chunk.type === 'data-summary') return [Reflect.get(Object(chunk.data), 'state')];
    return chunk.type === 'text-start' ? ['text'] : [];
  });
}

describe('a page that waits for a summary', () => {
  it('is told at once what for, before any model has answered', async () => {
    const { model, release } = heldSummarizer();
    const inner = chatModel();
    const options = { ...small, inner, summarizerModelPreference: model };
    const { next, rest } = reading(liveStream(tooMany, options));
    expect(await next()).toMatchObject({ type: 'start' });
    expect(await next()).toMatchObject({
      type: 'data-summary',
      data: {
        state: 'running',
        reason: 'context-overflow',
        messages: expect.any(Number),
        tokens: expect.any(Number),
        contextLength: 3_000,
      },
    });
    expect(inner.doStreamCalls).toHaveLength(0);
    release();
    expect(shown(await rest())).toEqual(['done', 'text']);
  });

  it('is told of one that another answer makes, and then that it was made there', async () => {
    const store = memoryStore();
    const { model, release } = heldSummarizer();
    const options = { ...small, store, summarizerModelPreference: model };
    const first = reading(liveStream(tooMany, options));
    await first.next();
    const { id } = Object((await first.next()) ?? {});
    const second = reading(liveStream(tooMany, options));
    await second.next();
    const told = Object((await second.next()) ?? {});
    expect(told).toMatchObject({ type: 'data-summary', data: { state: 'running' } });
    expect(told.id).not.toBe(id);
    release();
    const [made, used] = await Promise.all([first.rest(), second.rest()]);
    expect(shown(made)).toEqual(['done', 'text']);
    expect(shown(used)).toEqual(['elsewhere', 'text']);
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('shows a summary of another answer where it was first used, and none beside it', () => {
    const part = { type: 'data-summary', data: { state: 'elsewhere' } } as const;
    const page: SummarizationUIMessage[] = [
      ...tooMany,
      { id: 'answer', role: 'assistant', parts: [part] },
    ];
    for (const isStreaming of [true, false]) {
      const { summaries, running } = readSummarization(page, { isStreaming });
      expect(summaries).toEqual([]);
      expect(running).toBeUndefined();
    }
  });

  it('is told of nothing where an answer waits for nothing', async () => {
    const chunks: UIMessageChunk[] = [];
    const summarizerModelPreference = summarizerModel(answer({ summary: 'They rowed.' }));
    await answerLive(pageTalk(15), { contextLength: 100_000, summarizerModelPreference, chunks });
    expect(shown(chunks)).toEqual(['text']);
  });
});

type Parts = UIMessage['parts'];

const step = { type: 'step-start' } as const;
const textPart = (words: string) => ({ type: 'text' as const, text: words });
const reasoning = { type: 'reasoning', text: 'I think.' } as const;
const note = { type: 'data-summary', id: '1', data: { state: 'running', messages: 3 } } as const;
const call = { type: 'tool-search', toolCallId: 'c1', input: {} } as const;
const finished = { ...call, state: 'output-available', output: 'found' } as const;

const answers: readonly (readonly [string, Parts])[] = [
  ['a text', [step, textPart('Yes.')]],
  ['nothing', []],
  ['a step that said nothing', [step]],
  ['an empty text', [step, textPart('')]],
  ['reasoning alone', [step, reasoning]],
  ['reasoning, then a tool, then a text', [step, reasoning, finished, step, textPart('Found.')]],
  ['two tools in one step', [step, finished, { ...finished, toolCallId: 'c2' }, textPart('Done.')]],
  ['a tool that is still called', [step, { ...call, state: 'input-available' }]],
  ['a tool that failed', [step, { ...call, state: 'output-error', errorText: 'No.' }]],
  [
    'a tool of the provider',
    [step, { ...finished, providerExecuted: true }, textPart('The web says so.')],
  ],
  ['a tool whose output is not final', [step, { ...finished, preliminary: true }]],
  [
    'a tool that the user allowed',
    [step, { ...call, state: 'approval-responded', approval: { id: 'a1', approved: true } }],
  ],
  [
    'a tool that the user refused',
    [step, { ...call, state: 'output-denied', approval: { id: 'a1', approved: false } }],
  ],
  ['a summary before its text', [note, step, textPart('Yes.')]],
  ['a summary alone', [note]],
  ['a summary between its steps', [step, finished, note, step, textPart('Found.')]],
  ['a dynamic tool', [step, { ...finished, type: 'dynamic-tool', toolName: 'search' }]],
  ['a file', [step, { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' }]],
  ['a source', [step, { type: 'source-url', sourceId: 's', url: 'https://example.com' }]],
];

describe('numberMessages', () => {
  it.each(answers)('numbers an answer of %s as the SDK does', async (_name, parts) => {
    const messages: UIMessage[] = [
      { id: 'system', role: 'system', parts: [textPart('Be brief.')] },
      { id: 'u1', role: 'user', parts: [textPart('Hello.')] },
      { id: 'a1', role: 'assistant', parts },
      { id: 'u2', role: 'user', parts: [textPart('And then?')] },
    ];
    const expected = await Promise.all(
      messages.slice(1).map(async (message) => {
        const sent = await convertToModelMessages([message], { ignoreIncompleteToolCalls: true });
        return sent.map(() => message.id);
      }),
    );
    expect(numberMessages(messages).ids).toEqual(expected.flat());
  });

  it.each(['reasoning alone', 'an empty text'])(
    'leaves out %s where origins of items are counted',
    (name) => {
      const [, parts = []] = answers.find(([other]) => other === name) ?? [];
      const { ids, originIds } = numberMessages([
        { id: 'a1', role: 'assistant', parts },
        { id: 'u1', role: 'user', parts: [textPart('And then?')] },
      ]);
      expect([ids, originIds]).toEqual([['a1', 'u1'], ['u1']]);
    },
  );

  it('numbers none of a page without messages, or of instructions alone', () => {
    expect(numberMessages([]).ids).toEqual([]);
    expect(numberMessages([{ id: 's', role: 'system', parts: [textPart('Hi.')] }]).ids).toEqual([]);
  });
});
