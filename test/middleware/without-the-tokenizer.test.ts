import { describe, expect, it, vi } from 'vitest';
import { countPromptTokens } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { called } from '../support/set-up.ts';

// What bundlers put in the place of a module that is to be left out.
vi.mock('gpt-tokenizer/bpeRanks/o200k_base', () => ({ default: {} }));

describe('a bundle without the tables of the tokenizer', () => {
  it.each(['llm', 'rule-based'] as const)('still summarizes in time, %s', async (strategy) => {
    const run = await called(chat(25), { strategy });
    expect(summaryOf(lastPrompt(run.inner))).toMatch(/^\[summary-depth:0\]/);
    const check = run.events.find(({ type }) => type === 'check');
    expect(check).toMatchObject({ measuredBy: 'estimate', exact: false });
    expect(run.events.filter(({ type }) => type === 'warning')).toMatchObject([
      { code: 'tokenizer-missing' },
    ]);
    expect(run.events.filter(({ type }) => type === 'failed')).toEqual([]);
  });

  it('has no exact count to give', async () => {
    await expect(countPromptTokens({ messages: chat(1) })).rejects.toThrow(
      "The tokenizer's tables are not part of this bundle.",
    );
  });
});
