import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../src/prompt/prompt-types.ts';
import type { SummaryProgress } from '../../../src/strategies/summary-strategy.ts';
import { llmStrategy } from '../../../src/strategies/llm/llm-strategy.ts';
import { loadTextCounter } from '../../../src/tokens/text/load-text-counter.ts';
import {
  answer,
  assistant,
  content,
  httpError,
  modelResult,
  promptText,
  record,
  summarizer,
  summaryInput,
  user,
} from './fixtures.ts';
import { askedOf, extractiveModel, kindsOf } from '../levels/extractive-model.ts';
import { errorAfter, withTimers } from './watch.ts';

const { count } = await loadTextCounter();

/** Messages of about 80 tokens, each with an identifier of its own. */
function longConversation(length: number, from = 0): readonly Message[] {
  return Array.from({ length }, (_, index) => {
    const filler = 'The build of the service was looked at again, and nothing new came up. '.repeat(
      4,
    );
    const text = `Look at TICKET-${from + index}X next. ${filler}`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

/** About 5,000 tokens. */
const messages = longConversation(60);
const maxTranscriptTokens = 2000;
const ticketsIn = (text: string): readonly number[] =>
  Array.from(text.matchAll(/TICKET-(\d+)X/g), ([, id]) => Number(id));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

describe('summarizeTranscript', () => {
  it('reads in one call by default what fits in 0.6 of the context', async () => {
    const model = summarizer([answer({ summary: 'Short.' })]);
    const output = await withTimers(llmStrategy().summarize(summaryInput(model, { messages })));
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(output.hierarchical).toBeUndefined();
  });

  it('reads what is longer in chunks a model may read, and writes the record from their summaries', async () => {
    const model = extractiveModel();
    const output = await withTimers(
      llmStrategy().summarize(summaryInput(model, { messages, maxTranscriptTokens })),
    );
    const calls = model.doGenerateCalls.map(askedOf);
    const chunks = calls.filter(({ kind }) => kind === 'chunk');
    expect(chunks.length).toBeGreaterThan(2);
    expect(calls.map(({ kind }) => kind)).toEqual([...chunks.map(() => 'chunk'), 'object']);
    const seen = chunks.flatMap(({ prompt }) => ticketsIn(prompt));
    expect(new Set(seen)).toEqual(new Set(messages.keys()));
    for (const { prompt } of model.doGenerateCalls) {
      const texts = prompt.map((message) =>
        message.role === 'system' ? message.content : promptText({ prompt: [message] }),
      );
      expect(count(texts.join('\n'))).toBeLessThanOrEqual(maxTranscriptTokens);
    }
    expect(output.content.summary).toContain('TICKET-0X');
    expect(output.content.summary).toContain('TICKET-59X');
    expect(output.usage).toEqual({
      inputTokens: 100 * calls.length,
      outputTokens: 10 * calls.length,
    });
    expect(output.hierarchical).toMatchObject({
      l2Summaries: [],
      l3Summary: output.content.summary,
    });
    expect(output.hierarchical?.l1Summaries).toHaveLength(chunks.length);
  });

  it('groups the chunks of what is longer than 15,000 tokens', async () => {
    const model = extractiveModel();
    const output = await withTimers(
      llmStrategy().summarize(
        summaryInput(model, { messages: longConversation(300), maxTranscriptTokens: 8000 }),
      ),
    );
    const { l1Summaries = [], l2Summaries = [] } = output.hierarchical ?? {};
    expect(l1Summaries.length).toBeGreaterThan(6);
    expect(l2Summaries).toHaveLength(Math.ceil(l1Summaries.length / 5));
    expect(l1Summaries.map(({ parentGroup }) => parentGroup)).toEqual(
      l1Summaries.map((_, index) => Math.floor(index / 5)),
    );
    expect(kindsOf(model)).toEqual([
      ...l1Summaries.map(() => 'chunk'),
      ...l2Summaries.map(() => 'meta'),
      'object',
    ]);
    expect(askedOf(model.doGenerateCalls.at(-1)).texts.join(' ')).toContain(
      l2Summaries[0]?.content,
    );
  });

  it('reads all of one message that is larger than a chunk', async () => {
    const words = Array.from({ length: 2000 }, (_, index) => `w${index}w`);
    const model = extractiveModel();
    const text = words.join(' ');
    await withTimers(
      llmStrategy().summarize(summaryInput(model, { messages: [user(text)], maxTranscriptTokens })),
    );
    const chunks = model.doGenerateCalls.slice(0, -1).map(promptText);
    expect(chunks.length).toBeGreaterThan(2);
    const seen = chunks.flatMap((prompt) => prompt.match(/w\d+w/g) ?? []);
    expect(new Set(seen)).toEqual(new Set(words));
    // Every chunk begins with the end of the one before
    expect(seen.length).toBeGreaterThan(words.length);
  });

  it('shows every chunk the record before, and no narrative that may not be read', async () => {
    const previous = record(content({ summary: 'Old narrative.', keyPoints: ['Port 8443'] }));
    for (const usePreviousNarrative of [true, false]) {
      const model = extractiveModel();
      const input = { messages, previous, usePreviousNarrative, maxTranscriptTokens };
      await withTimers(llmStrategy().summarize(summaryInput(model, input)));
      for (const prompt of model.doGenerateCalls.map(promptText)) {
        expect(prompt).toContain('Port 8443');
        expect(prompt.includes('Old narrative.')).toBe(usePreviousNarrative);
      }
    }
  });

  it('reads messages even when the previous record fills the model', async () => {
    const previous = record(content({ summary: 'Long narrative. '.repeat(800) }));
    const model = extractiveModel();
    await withTimers(
      llmStrategy().summarize(summaryInput(model, { messages, previous, maxTranscriptTokens })),
    );
    const seen = model.doGenerateCalls.flatMap((call) => ticketsIn(promptText(call)));
    expect(new Set(seen).size).toBe(messages.length);
  });

  it('reports how far it has come', async () => {
    const progress: SummaryProgress[] = [];
    const input = summaryInput(extractiveModel(), { messages, maxTranscriptTokens });
    const onProgress = (step: SummaryProgress): void => void progress.push(step);
    const output = await withTimers(llmStrategy().summarize({ ...input, onProgress }));
    const total = output.hierarchical?.l1Summaries.length ?? 0;
    expect(progress).toEqual([
      ...Array.from({ length: total }, (_, index) => ({ layer: 1, completed: index + 1, total })),
      { layer: 3, completed: 1, total: 1 },
    ]);
  });

  it('pays only for the new chunks of a conversation that has grown', async () => {
    const model = extractiveModel();
    const strategy = llmStrategy();
    await withTimers(
      strategy.summarize(
        summaryInput(model, { messages: longConversation(300), maxTranscriptTokens: 8000 }),
      ),
    );
    const before = model.doGenerateCalls.length;
    await withTimers(
      strategy.summarize(
        summaryInput(model, { messages: longConversation(301), maxTranscriptTokens: 8000 }),
      ),
    );
    expect(kindsOf(model, before)).toEqual(['chunk', 'meta', 'object']);
  });

  it('keeps the summaries of one strategy from another', async () => {
    const model = extractiveModel();
    const input = summaryInput(model, { messages, maxTranscriptTokens });
    await withTimers(llmStrategy().summarize(input));
    const calls = model.doGenerateCalls.length;
    await withTimers(llmStrategy().summarize(input));
    expect(model.doGenerateCalls).toHaveLength(2 * calls);
  });
});

describe('summarizeTranscript with a failing model', () => {
  it('makes at most three failing calls for all chunks together, and names the chunk', async () => {
    const model = extractiveModel(() => {
      throw httpError(503);
    });
    const error = await errorAfter(
      llmStrategy().summarize(summaryInput(model, { messages, maxTranscriptTokens })),
    );
    expect(model.doGenerateCalls.length).toBeLessThanOrEqual(3);
    expect(error).toMatchObject({ reason: 'transport', level: 'DETAILED', retryable: true });
    expect(error.chunkIndex).toBeTypeOf('number');
    expect(error.cause).toBeUndefined();
  });

  it('keeps the chunks that were finished for the next attempt', async () => {
    let isDown = true;
    const model = extractiveModel((call) => {
      if (call >= 2 && isDown) throw httpError(400);
    });
    const strategy = llmStrategy();
    const input = summaryInput(model, { messages, maxTranscriptTokens });
    await errorAfter(strategy.summarize(input));
    isDown = false;
    const before = model.doGenerateCalls.length;
    const { hierarchical } = await withTimers(strategy.summarize(input));
    const chunks = hierarchical?.l1Summaries.length ?? 0;
    expect(model.doGenerateCalls.length - before).toBe(chunks - 2 + 1);
  });

  it('keeps them when it is aborted, too', async () => {
    const controller = new AbortController();
    const model = extractiveModel((call) => {
      if (call === 3) controller.abort(new Error('gone'));
    });
    const strategy = llmStrategy();
    const input = summaryInput(model, { messages, maxTranscriptTokens });
    await expect(
      withTimers(strategy.summarize({ ...input, abortSignal: controller.signal })),
    ).rejects.toThrow('gone');
    const { length } = model.doGenerateCalls;
    const { hierarchical } = await withTimers(strategy.summarize(input));
    const chunks = hierarchical?.l1Summaries.length ?? 0;
    const paidAgain = model.doGenerateCalls.length - chunks - 1;
    expect(paidAgain).toBeLessThan(length);
    expect(paidAgain).toBeLessThanOrEqual(4);
  });

  it('lets the next model finish what the first one began', async () => {
    const first = extractiveModel((call) => {
      if (call >= 2) throw httpError(400);
    }, 'first');
    const second = extractiveModel(() => {}, 'second');
    const output = await withTimers(
      llmStrategy({ models: [first, second] }).summarize(
        summaryInput(first, { messages, maxTranscriptTokens }),
      ),
    );
    const chunks = output.hierarchical?.l1Summaries.length ?? 0;
    expect(kindsOf(second)).toEqual([
      ...Array.from({ length: chunks - 2 }, () => 'chunk'),
      'object',
    ]);
    expect(output.content.summary).toContain('TICKET-59X');
  });

  it('asks the next model when the first one is down from the beginning', async () => {
    const first = extractiveModel(() => {
      throw httpError(503);
    }, 'first');
    const second = extractiveModel(() => {}, 'second');
    const run = llmStrategy({ models: [first, second] }).summarize(
      summaryInput(first, { messages, maxTranscriptTokens }),
    );
    const error = await errorAfter(run).catch(() => undefined);
    expect(error).toBeUndefined();
    expect(first.doGenerateCalls).toHaveLength(2);
    expect(kindsOf(second).at(-1)).toBe('object');
  });

  it('ends at an answer of the wrong form', async () => {
    const model = summarizer((_call, options) =>
      askedOf(options).kind === 'object' ? modelResult('nonsense') : modelResult('Looked at.'),
    );
    const error = await errorAfter(
      llmStrategy().summarize(summaryInput(model, { messages, maxTranscriptTokens })),
    );
    expect(error.reason).toBe('invalid-output');
    expect(kindsOf(model).filter((kind) => kind === 'object')).toHaveLength(1);
  });
});
