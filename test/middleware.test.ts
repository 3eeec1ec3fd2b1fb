import { generateText, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { summarizationMiddleware, type SummarizationEvent, type SummarizationOptions } from '../src/index.ts';
import { assistant, chat, user, words } from './support/messages.ts';
import { answer, chatModel, summarizerModel } from './support/models.ts';
import { lastPrompt, promptsOf, shapeOf, summaryJson, summaryOf, textOf } from './support/prompts.ts';

function setUp(options: SummarizationOptions = {}) {
  const inner = chatModel();
  const summarizer = summarizerModel(answer({ summary: 'They spoke of rivers.' }));
  const events: SummarizationEvent[] = [];
  const model = wrapLanguageModel({
    model: inner,
    middleware: summarizationMiddleware({
      contextLength: 1000,
      summarizerModelPreference: summarizer,
      onEvent: (event) => events.push(event),
      ...options,
    }),
  });
  return { inner, summarizer, events, model };
}

describe('summarizationMiddleware', () => {
  it('summarises a long chat once and keeps the tail message by message', async () => {
    const { inner, summarizer, events, model } = setUp();
    const messages = chat(19, 40);
    await generateText({ model, instructions: 'You are kind.', messages });

    const prompt = lastPrompt(inner);
    expect(shapeOf(prompt)).toMatch(/^sSu/);
    expect(summaryOf(prompt)).toMatch(/^\[summary-depth:0\] /);
    expect(summaryJson(prompt)['summary']).toBe('They spoke of rivers.');
    expect(prompt.slice(-6).map(textOf)).toEqual(messages.slice(-6).map(({ content }) => content));
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(events.map(({ type }) => type)).toEqual(['check', 'start', 'end', 'applied']);
  });

  it('leaves a short chat alone, the very same prompt', async () => {
    const { inner, summarizer, model } = setUp();
    await generateText({ model, messages: chat(5) });
    expect(shapeOf(lastPrompt(inner))).toBe('uauau');
    expect(summarizer.doGenerateCalls).toHaveLength(0);
  });

  it('applies the summary to the next request without paying again, byte for byte', async () => {
    const { inner, summarizer, model } = setUp();
    const messages = chat(19, 40);
    await generateText({ model, messages });
    await generateText({ model, messages: structuredClone([...messages, assistant('Fine.'), user('Go on.')]) });

    const [first = [], second = []] = promptsOf(inner);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(JSON.stringify(second.slice(0, first.length))).toBe(JSON.stringify(first));
    expect(second.slice(first.length).map(textOf)).toEqual(['Fine.', 'Go on.']);
  });
});
