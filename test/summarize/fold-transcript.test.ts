import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../src/prompt/prompt-types.ts';
import { llmStrategy } from '../../src/summarize/llm-strategy.ts';
import { loadTextCounter } from '../../src/tokens/load-text-counter.ts';
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
import { withTimers } from './watch.ts';

const { count } = await loadTextCounter();

/** 60 messages of about 60 tokens, each with a word of its own. */
const messages: readonly Message[] = Array.from({ length: 60 }, (_, index) => {
  const text = `Sentinel-${index}x. ${'The build of the service was looked at again. '.repeat(6)}`;
  return index % 2 === 0 ? user(text) : assistant(text);
});

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

describe('foldTranscript', () => {
  it('reads every message, in order, in pieces a model may read', async () => {
    const maxTranscriptTokens = 1200;
    const model = summarizer((call) =>
      answer({ summary: `Up to call ${call}.`, keyPoints: [`Point ${call}`] }),
    );
    const output = await withTimers(
      llmStrategy().summarize(summaryInput(model, { messages, maxTranscriptTokens })),
    );
    const prompts = model.doGenerateCalls.map(promptText);
    expect(prompts.length).toBeGreaterThan(4);
    expect(prompts.length).toBeLessThan(12);
    const seen = prompts.flatMap((prompt) =>
      Array.from(prompt.matchAll(/Sentinel-(\d+)x/g), ([, id]) => Number(id)),
    );
    expect(seen).toEqual(messages.map((_, index) => index));
    for (const { prompt } of model.doGenerateCalls) {
      const texts = prompt.map((message) =>
        message.role === 'system' ? message.content : promptText({ prompt: [message] }),
      );
      expect(count(texts.join('\n'))).toBeLessThanOrEqual(maxTranscriptTokens);
    }
    prompts.slice(1).forEach((prompt, index) => {
      expect(prompt).toContain(`"summary":"Up to call ${index}."`);
      expect(prompt).toContain(`"Point ${index}"`);
    });
    const last = prompts.length - 1;
    expect(output.content.summary).toBe(`Up to call ${last}.`);
    expect(output.content.keyPoints).toHaveLength(prompts.length);
    expect(output.usage).toEqual({
      inputTokens: 100 * prompts.length,
      outputTokens: 10 * prompts.length,
    });
  });

  it('reads all of one message that is larger than a piece', async () => {
    const words = Array.from({ length: 2000 }, (_, index) => `w${index}w`);
    const model = summarizer([answer({ summary: 'Words.' })]);
    await withTimers(
      llmStrategy().summarize(
        summaryInput(model, { messages: [user(words.join(' '))], maxTranscriptTokens: 2000 }),
      ),
    );
    const seen = model.doGenerateCalls.flatMap((call) => promptText(call).match(/w\d+w/g) ?? []);
    expect(seen).toEqual(words);
    expect(model.doGenerateCalls.length).toBeGreaterThan(2);
  });

  it('reads messages even when the previous record fills the budget', async () => {
    const previous = record(content({ summary: 'Long narrative. '.repeat(400) }));
    const model = summarizer([answer({ summary: 'Short.' })]);
    await withTimers(
      llmStrategy().summarize(
        summaryInput(model, {
          messages,
          previous,
          maxTranscriptTokens: 1200,
          maxSummaryTokens: 200,
        }),
      ),
    );
    const seen = model.doGenerateCalls.flatMap(
      (call) => promptText(call).match(/Sentinel-\d+x/g) ?? [],
    );
    expect(seen).toHaveLength(messages.length);
  });

  it('reads in one call by default what fits in 0.6 of the context', async () => {
    const model = summarizer([answer({ summary: 'Short.' })]);
    await withTimers(llmStrategy().summarize(summaryInput(model, { messages })));
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('continues with the narrative of the fold, not of the previous record, when that may not be read', async () => {
    const previous = record(content({ summary: 'Old narrative.', keyPoints: ['Port 8443'] }));
    const model = summarizer([answer({ summary: 'New narrative.' })]);
    await withTimers(
      llmStrategy().summarize(
        summaryInput(model, {
          messages,
          previous,
          usePreviousNarrative: false,
          maxTranscriptTokens: 1500,
        }),
      ),
    );
    const [first, second] = model.doGenerateCalls.map(promptText);
    expect(first).not.toContain('narrative."');
    expect(second).toContain('"summary":"New narrative."');
    expect(model.doGenerateCalls.map(promptText).join('')).not.toContain('Old narrative');
  });

  it('shares three failures among all pieces, and bills failed calls too', async () => {
    const model = summarizer((call) =>
      call % 2 === 0 ? httpError(503) : answer({ summary: 'Short.' }),
    );
    const run = llmStrategy().summarize(
      summaryInput(model, { messages, maxTranscriptTokens: 1200 }),
    );
    await expect(withTimers(run)).rejects.toMatchObject({ reason: 'transport' });
    expect(model.doGenerateCalls).toHaveLength(5);
  });

  it('finishes with the model that answered, from the piece that failed', async () => {
    const first = summarizer(
      (call) => (call === 0 ? answer({ summary: 'Half.' }) : httpError(503)),
      'first',
    );
    const second = summarizer([answer({ summary: 'Whole.' })], 'second');
    const output = await withTimers(
      llmStrategy({ models: [first, second] }).summarize(
        summaryInput(first, { messages, maxTranscriptTokens: 1500 }),
      ),
    );
    expect(output.content.summary).toBe('Whole.');
    expect(first.doGenerateCalls).toHaveLength(3);
    const seen = [first.doGenerateCalls[0], ...second.doGenerateCalls].flatMap(
      (call) => promptText(call).match(/Sentinel-\d+x/g) ?? [],
    );
    expect(seen).toHaveLength(messages.length);
    expect(promptText(second.doGenerateCalls[0])).toContain('"summary":"Half."');
  });

  it('ends at the first unusable answer', async () => {
    const model = summarizer((call) =>
      call === 1 ? modelResult('nonsense') : answer({ summary: 'Short.' }),
    );
    const run = llmStrategy().summarize(
      summaryInput(model, { messages, maxTranscriptTokens: 1200 }),
    );
    await expect(withTimers(run)).rejects.toMatchObject({ reason: 'invalid-output' });
    expect(model.doGenerateCalls).toHaveLength(2);
  });
});
