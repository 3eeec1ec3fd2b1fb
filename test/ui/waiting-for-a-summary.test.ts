import type { UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { readSummarization, type SummarizationUIMessage } from '../../src/ui/index.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { summarizerThat } from '../support/waiting.ts';
import { answerLive, liveStream, pageTalk } from './live-chat.ts';

const small = { contextLength: 3_000, minMessages: 2, preserveRecent: 2 };
// Over the limit: it waits as long as there is hope.
const messages = pageTalk(31);

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
    const { next, rest } = reading(liveStream(messages, options));
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
    const first = reading(liveStream(messages, options));
    await first.next();
    const { id } = Object((await first.next()) ?? {});
    const second = reading(liveStream(messages, options));
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
      ...messages,
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
