import { tool, wrapLanguageModel, type UIMessageChunk } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryStore, type SummarizationEvent } from '../../src/index.ts';
import type { Prompt } from '../support/prompt-types.ts';
import {
  readSummarization,
  summarizationMetadata,
  summaryDataParts,
  type SummarizationUIMessage,
} from '../../src/ui/index.ts';
import { answer, chatModel, summarizerModel, textResult } from '../support/models.ts';
import { toolLoopModel } from '../support/tool-loop-model.ts';
import { untyped } from '../support/untyped.ts';
import { answerLive, pageTalk } from './live-chat.ts';

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
    expect(summaries).toMatchObject([
      { messageId: 'answer-31', isInterrupted: false, part: { state: 'done' } },
    ]);
    expect([...coveredIds]).toEqual(page.slice(0, covered).map(({ id }) => id));
    expect(summaries[0]?.coveredIds).toEqual([...coveredIds]);
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
    expect(done[0]?.coveredIds.length).toBeGreaterThan(0);
  });

  it('is not open again for what is still told of it when it has ended', async () => {
    const events: SummarizationEvent[] = [];
    await answerLive(pageTalk(31), {
      contextLength: 100_000,
      force: true,
      summarizerModelPreference: chatModel({ text: answer({ summary: 'They row to Rome.' }) }),
      onEvent: (event) => events.push(event),
    });
    const states: unknown[] = [];
    const tell = summaryDataParts({
      write: (part) => {
        if (part.type === 'data-summary') states.push(Reflect.get(part.data, 'state'));
      },
    });
    const call = { provider: 'openai.responses', modelId: 'gpt-test', strategy: 'llm' };
    for (const event of events) tell(event);
    tell({ ...call, type: 'progress', layer: 1, completed: 1, total: 2 });
    expect(states).toEqual(['running', 'done']);
  });

  it('is the same one after a fallback, which says why', async () => {
    const page = await answerLive(pageTalk(31), {
      ...small,
      summarizerModelPreference: summarizerModel('This is no JSON.'),
    });
    expect(readSummarization(page).summaries).toMatchObject([
      { part: { state: 'done', fallbackReason: 'invalid-output', record: { degraded: true } } },
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
    expect(summaries[0]?.coveredIds).toEqual([...coveredIds]);
  });

  it('is interrupted where its answer ended before it', () => {
    const part = {
      type: 'data-summary',
      id: '1',
      data: { state: 'running', messages: 12 },
    } as const;
    const page: SummarizationUIMessage[] = [{ id: 'a', role: 'assistant', parts: [part] }];
    expect(readSummarization(page)).toMatchObject({ summaries: [{ isInterrupted: true }] });
    expect(readSummarization(page).running).toBeUndefined();
    expect(readSummarization(page, { isStreaming: true }).running).toEqual(part.data);
  });

  it('has no place where it is prepared after its answer ended, until it is used', () => {
    const data = { state: 'running', messages: 12, isAhead: true } as const;
    const parts = [{ type: 'data-summary' as const, id: '1', data }];
    const page: SummarizationUIMessage[] = [{ id: 'a', role: 'assistant', parts }];
    expect(readSummarization(page).summaries).toEqual([]);
    expect(readSummarization(page, { isStreaming: true }).running).toEqual(data);
  });
});

describe('the usage of the context', () => {
  it('adds up to what was sent, and knows what all messages would have come to', async () => {
    const page = await answerLive(pageTalk(31), {
      ...small,
      summarizerModelPreference: summarizer(),
    });
    const { usage, sentTokens, fullTokens } = readSummarization(page, { resetTokenRatio: 0.1 });
    const { system = 0, tools = 0, summary = 0, messages = 0 } = usage?.parts ?? {};
    expect(system + tools + summary + messages).toBe(usage?.tokens);
    expect(Math.min(system, summary, messages)).toBeGreaterThan(0);
    expect(fullTokens).toBeGreaterThan(sentTokens);
    expect(usage?.afterSummary).toBe(300);
    expect(usage?.ratio).toBeCloseTo(sentTokens / 3_000);
  });

  it('counts nothing twice and no summary where there is none', async () => {
    const [first] = readSummarization(await answerLive(pageTalk(1), small)).calls;
    expect(first).toMatchObject({
      fullTokens: first?.tokens,
      coveredMessages: 0,
      parts: { summary: 0 },
    });
  });

  it('does without the count of the history', async () => {
    const [first] = readSummarization(
      await answerLive(pageTalk(1), { ...small, counted: false }),
    ).calls;
    expect(first?.parts).toBeUndefined();
    expect(first?.tokens).toBeGreaterThan(0);
  });

  it('lets a call pass whose prompt cannot be counted', async () => {
    const { countHistory } = summarizationMetadata();
    const model = wrapLanguageModel({ model: chatModel(), middleware: countHistory });
    const prompt = untyped<Prompt>([{ role: 'user', content: [{ type: 'text' }] }]);
    const { content } = await model.doGenerate({ prompt });
    expect(content).toEqual([{ type: 'text', text: 'Understood.' }]);
  });

  it('notes each call of a tool loop, and the tools', async () => {
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
    expect(calls[0]?.parts?.tools).toBeGreaterThan(0);
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
    expect(readSummarization(page)).toMatchObject({ calls: [{ usage }], usage: { answer: 50 } });
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
