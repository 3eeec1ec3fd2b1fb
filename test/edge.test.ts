// @vitest-environment edge-runtime
import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { chat } from './support/messages.ts';
import { lastPrompt, summaryOf } from './support/prompts.ts';
import { setUp } from './support/set-up.ts';

describe('the root entry', () => {
  it('summarises in an edge runtime', async () => {
    expect(globalThis).toHaveProperty('EdgeRuntime');
    const { inner, model } = setUp();
    await generateText({ model, messages: chat(19) });
    expect(summaryOf(lastPrompt(inner))).toMatch(/^\[summary-depth:0\]/);
  });
});
