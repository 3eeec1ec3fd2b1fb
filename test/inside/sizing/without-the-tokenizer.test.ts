import { describe, expect, it, vi } from 'vitest';
import { user } from '../../support/prompt-messages.ts';
import { intervalsOf, reported } from './sized-call.ts';

// What bundlers put in the place of a module that is to be left out.
vi.mock('gpt-tokenizer/bpeRanks/o200k_base', () => ({ default: {} }));

describe('sizes without the tables of the tokenizer', () => {
  it.each([
    ['counts', [user('A long text. '.repeat(25_000)), user('Short.')], undefined, 'estimate'],
    ['counts beside a reported size', undefined, reported, 'usage'],
  ])('are estimates in the place of %s', async (_what, sent, usage, measuredBy) => {
    const intervals = await intervalsOf(usage === undefined ? {} : { reported: usage }, sent);
    const estimated = intervals.filter(({ tokenizer }) => tokenizer !== 'unused');
    expect(estimated.length).toBeGreaterThan(1);
    for (const interval of estimated) {
      expect(interval).toMatchObject({ tokenizer: 'missing', measuredBy });
      expect(interval.tokens).toBeGreaterThan(5);
      expect(interval.counted).toBeUndefined();
      expect(interval.observed).toBeUndefined();
    }
    expect(estimated.at(-1)?.measure).toBeDefined();
  });
});
