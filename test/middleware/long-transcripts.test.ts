import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { countPromptTokens } from '../../src/index.ts';
import { apiError } from '../retry/refusing-model.ts';
import { httpError } from '../strategies/llm/fixtures.ts';
import { askedOf, extractiveModel, kindsOf } from '../strategies/levels/extractive-model.ts';
import { assistant, user, words } from '../support/messages.ts';
import { lastPrompt, summaryJson } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

/** About 20,000 tokens of messages, each with an identifier of its own. */
const messages = Array.from({ length: 161 }, (_, index) => {
  const text = `Question TICKET-${index}X was raised. ${words(index, 110)}.`;
  return index % 2 === 0 ? user(text) : assistant(text);
});
const options = { contextLength: 16_000, maxTranscriptTokens: 6000 };

describe('a transcript above maxTranscriptTokens', () => {
  it('is summarised through the tree, its record written by one call', async () => {
    const lines: string[] = [];
    const summarizer = extractiveModel();
    const { inner, model, events } = setUp(
      { ...options, debug: (line) => lines.push(line) },
      { summarizer },
    );
    await generateText({ model, messages });
    const kinds = kindsOf(summarizer);
    const chunks = kinds.filter((kind) => kind === 'chunk').length;
    const groups = Math.ceil(chunks / 5);
    expect(chunks).toBeGreaterThan(5);
    expect(kinds).toEqual([
      ...Array.from({ length: chunks }, () => 'chunk'),
      ...Array.from({ length: groups }, () => 'meta'),
      'object',
    ]);
    const prompt = lastPrompt(inner);
    const { total } = await countPromptTokens({ prompt, model: inner });
    expect(total).toBeLessThan(16_000);
    expect(JSON.stringify(summaryJson(prompt))).toContain('TICKET-0X');

    const progress = events.filter((event) => event.type === 'progress');
    expect(progress).toHaveLength(chunks + groups + 1);
    expect(progress[1]).toEqual({
      type: 'progress',
      strategy: 'llm',
      layer: 1,
      completed: 2,
      total: chunks,
      provider: inner.provider,
      modelId: inner.modelId,
    });
    expect(lines).toContain(`[summarization] chunk 2 of ${chunks}`);
    expect(lines).toContain('[summarization] final summary 1 of 1');
    expect(events.find((event) => event.type === 'end')).toMatchObject({
      strategy: 'llm',
      degraded: false,
      usage: { inputTokens: 100 * kinds.length },
    });
  });

  it('makes at most three failing calls before the rules take over, and says what was billed', async () => {
    const summarizer = extractiveModel((_call, { kind }) => {
      if (kind === 'meta') throw httpError(503);
    });
    const { model, events } = setUp(options, { summarizer });
    await generateText({ model, messages });
    expect(events.map(({ type }) => type)).toContain('fallback');
    const failed = summarizer.doGenerateCalls.filter((call) => askedOf(call).kind === 'meta');
    expect(failed.length).toBeLessThanOrEqual(3);
    const billed = summarizer.doGenerateCalls.length - failed.length;
    expect(events.find((event) => event.type === 'failed')).toMatchObject({
      usage: { inputTokens: 100 * billed, outputTokens: 10 * billed },
    });
    expect(events.find((event) => event.type === 'end')).toMatchObject({ degraded: true });
  });

  it('is read in chunks when the model refuses it, and the rules are not needed', async () => {
    const summarizer = extractiveModel((_call, { kind, prompt }) => {
      if (kind !== 'object' || prompt.length < 20_000) return;
      throw apiError("This model's maximum context length is 6000 tokens.");
    });
    const { inner, model, events } = setUp({ contextLength: 16_000 }, { summarizer });
    await generateText({ model, messages });
    expect(kindsOf(summarizer)[0]).toBe('object');
    expect(kindsOf(summarizer)).toContain('chunk');
    expect(events.map(({ type }) => type)).not.toContain('fallback');
    expect(events.find((event) => event.type === 'end')).toMatchObject({ strategy: 'llm' });
    expect(JSON.stringify(summaryJson(lastPrompt(inner)))).toContain('TICKET-0X');
  });

  it('is one call when it fits', async () => {
    const { model, summarizer, events } = setUp(
      { contextLength: 16_000 },
      { summarizer: extractiveModel() },
    );
    await generateText({ model, messages });
    expect(kindsOf(summarizer)).toEqual(['object']);
    expect(events.map(({ type }) => type)).not.toContain('progress');
  });
});
