// @vitest-environment edge-runtime
import { streamText } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { summarize } from '../src/entries/text/index.ts';
import { chat, words } from './support/messages.ts';
import { chatModel } from './support/models.ts';
import { lastPrompt, promptsOf, summaryOf } from './support/prompts.ts';
import { called } from './support/set-up.ts';
import { sharedStore } from './support/shared-store.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the root entry', () => {
  it('summarizes in an edge runtime', async () => {
    expect(globalThis).toHaveProperty('EdgeRuntime');
    const { inner } = await called(chat(19));
    expect(summaryOf(lastPrompt(inner))).toMatch(/^\[summary-depth:0\]/);
  });

  it('summarizes where a process throws for what it lacks', async () => {
    // As in the edge runtime of Next.js.
    const getBuiltinModule = vi.fn<() => void>(() => {
      throw new Error('A Node.js API is used (process.getBuiltinModule)');
    });
    vi.stubGlobal('process', { getBuiltinModule });
    const { inner } = await called(chat(19));
    expect(summaryOf(lastPrompt(inner))).toMatch(/^\[summary-depth:0\]/);
    expect(getBuiltinModule).toHaveBeenCalled();
  });

  it('answers where the warning log of the SDK throws, and warns on the console', async () => {
    // As in the edge runtime of Next.js.
    const emitWarning = vi.fn<() => void>(() => {
      throw new Error('A Node.js API is used (process.emitWarning)');
    });
    vi.stubGlobal('process', { emitWarning });
    vi.stubGlobal('AI_SDK_LOG_WARNINGS', undefined);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { inner, model } = await called(chat(19), { store: sharedStore().open() });
    await streamText({ model, messages: chat(19) }).consumeStream();
    expect(summaryOf(lastPrompt(inner))).toMatch(/^\[summary-depth:0\]/);
    expect(emitWarning).not.toHaveBeenCalled();
    expect(warn.mock.calls).toEqual([[expect.stringContaining('is set without secret')]]);
  });

  it('summarizes a long text in an edge runtime', async () => {
    const model = chatModel({ text: 'They spoke of rivers.' });
    const { hierarchical } = await summarize(words(1, 9000), { model });
    expect(hierarchical?.l1Summaries.length).toBeGreaterThan(2);
    expect(promptsOf(model).length).toBe(1 + (hierarchical?.l1Summaries.length ?? 0));
  });
});
