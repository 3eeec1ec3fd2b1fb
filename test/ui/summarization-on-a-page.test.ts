import { convertToModelMessages, tool, type UIMessage, type UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryStore } from '../../src/index.ts';
import {
  numberMessages,
  readSummarization,
  summarizationMetadata,
  summaryDataParts,
  type SummarizationUIMessage,
} from '../../src/entries/ui/index.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { toolLoopModel } from '../support/tool-loop-model.ts';
import { summarizerThat } from '../support/waiting.ts';
import { untyped } from '../support/untyped.ts';
import { answerLive, liveStream, pageTalk } from './live-chat.ts';

const small = { contextLength: 3_000, minMessages: 2, preserveRecent: 2 };

describe('a summary on a page', () => {
  it('is one part that goes from running to done', async () => {
    const chunks: UIMessageChunk[] = [];
    const page = await answerLive(pageTalk(31), {
      ...small,
      summarizerModelPreference: summarizerModel(answer({ summary: 'They spoke of rivers.' })),
      chunks,
    });
    expect(shown(chunks)).toEqual(['running', 'done', 'text']);

    const { summaries, coveredIds, calls, running } = readSummarization(page);
    const covered = calls[0]?.coveredMessages ?? 0;
    expect(covered).toBeGreaterThan(0);
    expect(summaries).toMatchObject([{ messageId: 'answer-31', part: { state: 'done' } }]);
    expect([...coveredIds]).toEqual(page.slice(0, covered).map(({ id }) => id));
    expect(running).toBeUndefined();
  });

  it('is shown, where it was made in the background, by the first answer that uses it, once', async () => {
    const work: Promise<unknown>[] = [];
    const { model, release } = heldSummarizer();
    const options = {
      ...small,
      contextLength: 5_500,
      store: memoryStore(),
      summarizerModelPreference: model,
      background: (promise: Promise<unknown>) => void work.push(promise),
    };
    const first = await answerLive(pageTalk(31), options);
    release();
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

  it('is found by its first use where it was made elsewhere', () => {
    const call = { tokens: 1, contextLength: 9, coveredMessages: 1, recordId: 'r' };
    const answered = {
      parts: [textPart('Yes.')],
      metadata: { summarization: { calls: [call, call] } },
    };
    const page = ['a', 'b'].map((id) => ({ id, role: 'assistant' as const, ...answered }));
    const { summaries, coveredIds } = readSummarization(page);
    const place = { messageId: 'a', part: undefined, partIndex: undefined, recordId: 'r' };
    expect([summaries, [...coveredIds]]).toEqual([[place], ['a']]);
  });

  it.each<[object, string | undefined, boolean]>([
    [{ state: 'running', messages: 12 }, 'interrupted', true],
    // Prepared after its answer ended, it has no place until it is used.
    [{ state: 'running', messages: 12, reason: 'ahead' }, undefined, true],
    [{ state: 'elsewhere' }, undefined, false],
  ])('is shown as %j where its answer is over: %j', (data, state, runs) => {
    const parts = [{ type: 'data-summary' as const, id: '1', data }];
    const page = [{ id: 'a', role: 'assistant' as const, parts }];
    const { summaries, running } = readSummarization(page);
    expect(summaries.map(({ part }) => part?.state)).toEqual(state === undefined ? [] : [state]);
    expect(running).toBeUndefined();
    expect(readSummarization(page, { isStreaming: true }).running).toEqual(runs ? data : undefined);
  });
});

describe('the usage of the context', () => {
  it('notes each call of a tool loop', async () => {
    const read_file = tool({
      inputSchema: z.object({ path: z.string() }),
      execute: async () => 'It is empty.',
    });
    const inner = toolLoopModel({ steps: 2 });
    const { calls, usage } = readSummarization(
      await answerLive(pageTalk(1), { inner, tools: { read_file } }),
    );
    expect(usage).toBe(calls.at(-1));
    expect(calls.map(({ tokens }) => tokens)).toEqual([200, 237, 275]);
  });

  const calls = [null, { tokens: 'many' }];
  it.each([null, { summarization: null }, { summarization: { calls } }])(
    'reads nothing from metadata of %j',
    (metadata) => {
      const page = [{ id: 'a', role: 'assistant' as const, parts: [], metadata }];
      expect(readSummarization(page).calls).toEqual([]);
    },
  );

  it.each([null, 'text', { state: 'other' }, { state: 'done', record: null }])(
    'takes no summary from a data part of %j',
    (data) => {
      const parts = [{ type: 'data-summary' as const, id: '1', data }];
      expect(readSummarization([{ id: 'a', role: 'assistant', parts }]).summaries).toEqual([]);
    },
  );
});

// Over the limit: it waits as long as there is hope.
const tooMany = pageTalk(31);

/** A summarizing model that answers when it is told to. */
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
      data: { state: 'running', reason: 'context-overflow', contextLength: 3_000 },
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
});

it('a page follows what events say, and nothing that they say too late', () => {
  const parts: { id?: string }[] = [];
  const writer = untyped<Parameters<typeof summaryDataParts>[0]>({
    write: (part: object) => parts.push(part),
  });
  let tell = summaryDataParts(writer);
  const say = (type: string, more: object = {}): readonly object[] => {
    parts.length = 0;
    tell(untyped({ type, ...more }));
    return parts;
  };
  const summary = (data: object, id: unknown = expect.any(String)): readonly object[] => [
    { type: 'data-summary', id, data },
  ];
  const part = { layer: 1, completed: 1, total: 3 };
  const progress = { completed: 1, total: 3 };
  const running = { state: 'running', messages: 9, reason: 'forced' };
  expect(say('progress', part)).toEqual([]);
  expect(say('waiting', { isOver: true })).toEqual([]);
  expect(say('start', running)).toEqual(summary(running));
  const first = parts[0]?.id;
  expect(say('progress', part)).toEqual(summary({ ...running, progress }, first));
  expect(say('progress', { ...part, layer: 2 })).toEqual([]);
  expect(say('failed', { stage: 'store', reason: 'down' })).toEqual([]);
  const failure = { stage: 'summarize', reason: 'timeout' };
  expect(say('failed', failure)).toEqual(summary({ state: 'failed', reason: 'timeout' }, first));
  expect(say('progress', part)).toEqual([]);
  expect(say('fallback')).toEqual([]);
  const sizes = { tokensBefore: 9, tokensAfter: 5 };
  const shortened = { type: 'data-shortened', data: sizes };
  expect(say('recovered', { ...sizes, reason: 'too-long' })).toEqual([shortened]);
  const skip = { type: 'data-summarySkipped', data: { reason: 'cooldown' }, transient: true };
  expect(say('skipped', { reason: 'cooldown' })).toEqual([skip]);
  expect(say('start', running)).toEqual(summary(running, first));
  const record = { id: 'r' };
  const used = { record, coveredMessages: 4 };
  const usage = { inputTokens: 7, outputTokens: 2 };
  const end = { ...used, ...sizes, reason: 'forced', durationMs: 5, usage };
  expect(say('end', { ...end, depth: 0 })).toEqual(summary({ state: 'done', ...end }, first));
  expect(say('progress', part)).toEqual([]);
  expect(say('applied', used)).toEqual([]);
  expect(say('start', running)).toEqual(summary(running));
  expect(parts[0]?.id).not.toBe(first);
  // What is waited for is the part that is written then, unless another answer makes it.
  const waiting = { messages: 9, reason: 'token-ratio', tokens: 5, contextLength: 6 };
  expect(say('waiting', waiting)).toEqual(summary({ state: 'running', ...waiting }));
  const awaited = parts[0]?.id;
  expect(say('start', waiting)).toEqual([]);
  expect(say('end', end)).toEqual(summary({ state: 'done', ...end }, awaited));
  tell = summaryDataParts(writer, { messages: [] });
  expect(say('applied', used)).toEqual(summary({ state: 'done', ...used }));
  expect(say('applied', used)).toEqual([]);
  say('waiting', waiting);
  const longer = { ...waiting, messages: 10 };
  expect(say('start', longer)).toEqual(summary({ state: 'running', ...longer }));
  expect(say('end', { ...end, record: { id: 's' } })).toHaveLength(1);
  expect(say('applied', { record: { id: 's' } })).toEqual([]);
  say('waiting', waiting);
  expect(say('waiting', { isOver: true })).toEqual(summary({ state: 'elsewhere' }));
  expect(say('waiting', { isOver: true })).toEqual([]);
  expect(say('applied', { record: { id: 't' } })).toEqual([]);
});

it('the calls of an answer that goes on with another come behind those of that', () => {
  const call = { tokens: 5, contextLength: 10, coveredMessages: 0 };
  const metadata = { summarization: { calls: [call] } };
  const usage = { inputTokens: 5, outputTokens: 3, inputTokenDetails: { cacheReadTokens: 4 } };
  const step = (providerMetadata?: object) => ({
    part: untyped<never>({ type: 'finish-step', usage, providerMetadata }),
  });
  for (const [role, before] of [
    ['assistant', [call]],
    ['user', []],
  ] as const) {
    const note = summarizationMetadata({ continues: { role, metadata } });
    expect(note({ part: untyped<never>({ type: 'text-end' }) })).toBeUndefined();
    expect(note(step())).toBeUndefined();
    const billed = { ...call, usage: { inputTokens: 5, outputTokens: 3, cacheReadTokens: 4 } };
    expect(note(step({ summarization: call }))?.summarization?.calls).toEqual([...before, billed]);
  }
});

type Parts = UIMessage['parts'];

const step = { type: 'step-start' } as const;
const textPart = (words: string) => ({ type: 'text' as const, text: words });
const reasoning = { type: 'reasoning', text: 'I think.' } as const;
const note = { type: 'data-summary', id: '1', data: { state: 'running', messages: 3 } } as const;
const call = { type: 'tool-search', toolCallId: 'c1', input: {} } as const;
const finished = { ...call, state: 'output-available', output: 'found' } as const;

const allowed = { id: 'a1', approved: true } as const;
const refused = { id: 'a1', approved: false } as const;
const steering = { type: 'steering-message' as const, id: 's1', parts: [textPart('Two.')] };

const answers: readonly (readonly [string, Parts])[] = [
  ['a text', [step, textPart('Yes.')]],
  ['an empty text', [step, textPart('')]],
  ['reasoning alone', [step, reasoning]],
  ['reasoning, then a tool, then a text', [step, reasoning, finished, step, textPart('Found.')]],
  ['two tools in one step', [step, finished, { ...finished, toolCallId: 'c2' }, textPart('Done.')]],
  ['a tool that is still called', [step, { ...call, state: 'input-available' }]],
  ['a tool that failed', [step, { ...call, state: 'output-error', errorText: 'No.' }]],
  [
    'a tool of the provider',
    [step, { ...finished, providerExecuted: true }, textPart('It is so.')],
  ],
  ['a tool whose output is not final', [step, { ...finished, preliminary: true }]],
  ['an allowed tool', [step, { ...call, state: 'approval-responded', approval: allowed }]],
  ['a refused tool', [step, { ...call, state: 'output-denied', approval: refused }]],
  ['a summary between its steps', [step, finished, note, step, textPart('Found.')]],
  ['a word of the user between', [step, textPart('One.'), steering, textPart('Three.')]],
  ['a dynamic tool', [step, { ...finished, type: 'dynamic-tool', toolName: 'search' }]],
  ['a file', [step, { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' }]],
];

describe('numberMessages', () => {
  it.each(answers)('numbers an answer of %s as the SDK does', async (name, parts) => {
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
    const ids = expected.flat();
    // Messages without content are no origins of items.
    const isEmpty = ['reasoning alone', 'an empty text'].includes(name);
    const originIds = isEmpty ? ['u1', 'u2'] : ids;
    expect(numberMessages(messages)).toEqual({ ids, originIds });
    expect(numberMessages(messages.slice(0, 1))).toEqual({ ids: [], originIds: [] });
  });
});
