import { generateText } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chat, user } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What a runtime does that compiles no code from bytes. */
const compile = vi.fn<(bytes: unknown) => never>(function refuse() {
  throw new Error('Wasm code generation disallowed by embedder');
});

describe.each([
  ['has no WebAssembly', undefined],
  ['refuses to compile WebAssembly', { Module: compile }],
])('a runtime that %s', (_what, value) => {
  it('finds a conversation again, and no other one', async () => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', value);
    // What was loaded before keeps the hash that it made.
    const { setUp } = await import('../support/set-up.ts');
    const summarizer = summarizerModel(({ prompt }) => {
      const [, amount = 'no'] = /(\d000) euros/.exec(JSON.stringify(prompt)) ?? [];
      return answer({ summary: `They may spend ${amount} euros.` });
    });
    const { inner, model } = setUp({}, { summarizer });
    for (const amount of [4000, 6000, 4000, 6000]) {
      const opening = user(`${'I plan a journey. '.repeat(20)}I may spend ${amount} euros.`);
      await generateText({ model, messages: [opening, ...chat(19).slice(1)] });
      expect(summaryOf(lastPrompt(inner))).toContain(`They may spend ${amount} euros.`);
    }
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(compile.mock.calls.length > 0).toBe(value !== undefined);
  });
});
