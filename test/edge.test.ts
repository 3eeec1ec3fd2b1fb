// @vitest-environment edge-runtime
import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { summarize } from '../src/index.ts';
import { chat, words } from './support/messages.ts';
import { chatModel } from './support/models.ts';
import { lastPrompt, summaryOf } from './support/prompts.ts';
import { setUp } from './support/set-up.ts';

describe('the root entry', () => {
  it('summarises in an edge runtime', async () => {
    expect(globalThis).toHaveProperty('EdgeRuntime');
    const { inner, model } = setUp();
    await generateText({ model, messages: chat(19) });
    expect(summaryOf(lastPrompt(inner))).toMatch(/^\[summary-depth:0\]/);
  });

  it('summarises a long text in an edge runtime', async () => {
    const model = chatModel({ text: 'They spoke of rivers.' });
    const { hierarchical } = await summarize(words(1, 9000), { model });
    expect(hierarchical?.l1Summaries.length).toBeGreaterThan(2);
    expect(model.doGenerateCalls.length).toBe(1 + (hierarchical?.l1Summaries.length ?? 0));
  });
});
