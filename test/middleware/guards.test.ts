import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, simulateReadableStream, streamText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SummarizationEvent, SummaryStrategy, SummaryTreeStore } from '../../src/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { assistant, chat, user, words } from '../support/messages.ts';
import { summarizerModel, textParts, textResult } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryOf, textOf } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

type EventOf<Type extends SummarizationEvent['type']> = Extract<SummarizationEvent, { type: Type }>;

function eventsOf<Type extends SummarizationEvent['type']>(
  { events }: SetUp,
  type: Type,
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** A strategy that says what it is told to. */
function saying(summary: string): SummaryStrategy {
  return {
    name: 'saying',
    summarize: async () => ({
      content: emptyContent(summary),
      usage: { inputTokens: 1, outputTokens: 1 },
    }),
  };
}

describe('an option of ours on a message', () => {
  const pinned: ModelMessage[] = chat(21).map((message, index) =>
    index === 2
      ? { ...message, providerOptions: { summarization: { pin: true }, openai: { name: 'Ada' } } }
      : message,
  );

  it.each([
    ['far from the trigger', 100_000],
    ['in a prompt that is summarised', 1000],
  ])('does not reach the provider %s', async (_where, contextLength) => {
    const run = setUp({ contextLength });
    await generateText({ model: run.model, messages: pinned });
    await streamText({ model: run.model, messages: pinned }).consumeStream();
    expect(promptsOf(run.inner)).toHaveLength(2);
    for (const prompt of promptsOf(run.inner)) {
      expect(summaryOf(prompt) === undefined).toBe(contextLength > 1000);
      const sent = prompt.find((message) => textOf(message).startsWith('Question 2:'));
      expect(sent?.providerOptions).toEqual({ openai: { name: 'Ada' } });
      expect(JSON.stringify(prompt)).not.toContain('"summarization"');
    }
  });

  it('does not reach the provider when the middleware is off', async () => {
    const run = setUp({ enabled: false });
    await generateText({ model: run.model, messages: pinned });
    expect(JSON.stringify(lastPrompt(run.inner))).not.toContain('"summarization"');
  });
});

describe('a summary that is not smaller than what it stands for', () => {
  it('is not sent, not kept, and not paid for again', async () => {
    let asked = 0;
    const long = saying(words(1, 3000));
    const strategy: SummaryStrategy = {
      name: 'long',
      summarize: (input) => {
        asked += 1;
        return long.summarize(input);
      },
    };
    // A budget that lets it through, so that only the comparison can refuse it.
    const run = setUp({
      contextLength: 60_000,
      tokenThreshold: 600,
      maxSummaryTokens: 6000,
      strategy,
      fallbackStrategy: false,
    });
    const messages = chat(15);
    await generateText({ model: run.model, messages });
    expect(eventsOf(run, 'failed')).toMatchObject([{ stage: 'summarize', reason: 'not-smaller' }]);
    expect(promptsOf(run.inner).map(summaryOf)).toEqual([undefined]);
    expect(lastPrompt(run.inner)).toHaveLength(messages.length);
    await generateText({ model: run.model, messages });
    expect(asked).toBe(1);
    expect(eventsOf(run, 'applied')).toEqual([]);
  });
});

describe('the least that a summary must free', () => {
  // Small talk, then a document that stays: the talk is 1 % of the whole.
  const messages: ModelMessage[] = [
    ...chat(12, 2),
    user(`Read this: ${words(3, 12_000)}`),
    assistant('Read.'),
    user('And?'),
  ];

  it('keeps from paying for next to nothing', async () => {
    const run = setUp({ contextLength: 15_000, preserveRecent: 3 });
    await generateText({ model: run.model, messages });
    expect(eventsOf(run, 'check')).toMatchObject([{ act: 'summarize', reason: 'token-ratio' }]);
    expect(eventsOf(run, 'skipped')).toMatchObject([{ reason: 'nothing-to-cover' }]);
    expect(run.summarizer.doGenerateCalls).toHaveLength(0);
  });

  it('is less where the caller asks for a summary', async () => {
    const run = setUp({ contextLength: 15_000, preserveRecent: 3 });
    const providerOptions = { summarization: { force: true } };
    await generateText({ model: run.model, messages, providerOptions });
    expect(run.summarizer.doGenerateCalls).toHaveLength(1);
  });
});

describe('a stored summary', () => {
  const thinking = { type: 'reasoning' as const, text: 'What follows belongs to this.' };
  const history: ModelMessage[] = [
    user(`Go on until you are done. ${words(0, 30)}`),
    ...Array.from({ length: 16 }, (_, index) => assistant(`Step ${index}: ${words(index, 40)}`)),
  ];

  it('is not applied where its end has come to lie inside of what belongs together', async () => {
    const run = setUp();
    await generateText({ model: run.model, messages: history });
    const [applied] = eventsOf(run, 'applied');
    const cut = applied?.coveredMessages ?? 0;
    expect(cut).toBeGreaterThan(2);

    // Reasoning identifies nothing, so the record is found; it must not be parted from what it led to.
    const joined = history.map((message, index): ModelMessage => {
      if (index !== cut - 1 || message.role !== 'assistant') return message;
      return {
        role: 'assistant',
        content: [{ type: 'text', text: `Step ${index - 1}: ${words(index - 1, 40)}` }, thinking],
      };
    });
    await generateText({ model: run.model, messages: [...joined, user('Well?')] });
    const sent = lastPrompt(run.inner);
    const texts = sent.map(textOf);
    const isSent = (index: number): boolean =>
      texts.some((text) => text.startsWith(`Step ${index - 1}:`));
    expect(isSent(cut - 1)).toBe(isSent(cut));
  });

  it('is applied again where nothing of that changed', async () => {
    const run = setUp();
    await generateText({ model: run.model, messages: history });
    await generateText({ model: run.model, messages: [...history, user('Well?')] });
    const [first, second] = eventsOf(run, 'applied');
    expect(second?.recordId).toBe(first?.recordId);
    expect(run.summarizer.doGenerateCalls).toHaveLength(1);
  });
});

describe('a summary that could not be made', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const minute = 60_000;
  const unusable = (): MockLanguageModelV4 => summarizerModel('This is no JSON.');
  const unreachable = (): MockLanguageModelV4 =>
    new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'summarizer',
      doGenerate: async () => {
        throw new TypeError('fetch failed');
      },
    });

  it.each([
    ['ten minutes for an answer that is unusable', unusable, 10 * minute],
    ['a second for a model that cannot be reached', unreachable, 1000],
  ])('is not asked for again before its time: %s', async (_what, summarizer, lifetime) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const run = setUp({ fallbackStrategy: false }, { summarizer: summarizer() });
    const call = async (): Promise<number> => {
      const before = run.summarizer.doGenerateCalls.length;
      await generateText({ model: run.model, messages: chat(21) });
      return run.summarizer.doGenerateCalls.length - before;
    };
    expect(await call()).toBeGreaterThan(0);
    expect(await call()).toBe(0);
    vi.advanceTimersByTime(lifetime - 1);
    expect(await call()).toBe(0);
    expect(eventsOf(run, 'skipped')).toMatchObject([
      { reason: 'recent-failure' },
      { reason: 'recent-failure' },
    ]);
    vi.advanceTimersByTime(1);
    expect(await call()).toBeGreaterThan(0);
  });
});

describe('the placeholder for a summary without room', () => {
  it('stands in the prompt and is not handed to a tree store', async () => {
    const persisted: string[] = [];
    const summaryTreeStore: SummaryTreeStore = {
      persist: async (id) => {
        persisted.push(id);
      },
      getFinalSummary: async () => undefined,
      list: async () => [],
      delete: async () => {},
    };
    const providerOptions = { summarization: { conversationId: 'chat-1' } };
    const without = setUp({ contextLength: 450, summaryTreeStore });
    await generateText({ model: without.model, messages: chat(21, 20), providerOptions });
    expect(summaryOf(lastPrompt(without.inner))).toContain(
      '[Summary omitted - insufficient budget]',
    );
    expect(persisted).toEqual([]);

    const withRoom = setUp({ summaryTreeStore });
    await generateText({ model: withRoom.model, messages: chat(21), providerOptions });
    expect(persisted).toHaveLength(1);
  });
});

describe('reported usage that cannot be true', () => {
  /** A model that reports so many input tokens. */
  const reporting = (total: number): MockLanguageModelV4 =>
    new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'reporting',
      doGenerate: async () => ({
        ...textResult('Understood.'),
        usage: {
          inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 3, text: 3, reasoning: 0 },
        },
      }),
    });

  it.each([
    ['a tenth of what was counted', 70],
    ['ten times as much', 7000],
  ])('is not believed: %s', async (_what, total) => {
    const run = setUp(
      { contextLength: 1200 },
      {
        inner: reporting(total),
      },
    );
    const messages = [...chat(15), assistant('Understood.'), user('And now?')];
    await generateText({ model: run.model, messages: chat(15) });
    await generateText({ model: run.model, messages });
    const [first, second] = eventsOf(run, 'check');
    expect(first?.measuredBy).toBe('count');
    expect(second?.measuredBy).not.toBe('usage');
    expect((second?.tokens ?? 0) - (first?.tokens ?? 0)).toBeGreaterThan(0);
    expect((second?.tokens ?? 0) - (first?.tokens ?? 0)).toBeLessThan(100);
  });

  describe('that a provider leaves out', () => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi.' }] }];
    const parts = textParts('Understood.').map((part) =>
      part.type === 'finish' ? untyped<typeof part>({ ...part, usage: undefined }) : part,
    );
    const silent = (): MockLanguageModelV4 =>
      new MockLanguageModelV4({
        doGenerate: async () => untyped({ ...textResult('Understood.'), usage: undefined }),
        doStream: async () => ({ stream: simulateReadableStream({ chunks: parts }) }),
      });

    it('costs no answer', async () => {
      const { model, inner } = setUp({}, { inner: silent() });
      const answer = await untyped<LanguageModelV4>(model).doGenerate({ prompt });
      expect(answer).toMatchObject(await inner.doGenerate({ prompt }));
    });

    it('costs no stream', async () => {
      const { model } = setUp({}, { inner: silent() });
      const { stream } = await untyped<LanguageModelV4>(model).doStream({ prompt });
      const read = [];
      for await (const part of stream) read.push(part.type);
      expect(read).toEqual(parts.map(({ type }) => type));
    });
  });
});
