import { describe, expect, it } from 'vitest';
import { learnedLimits } from '../../src/overflow/learned-limits.ts';
import { resolvePolicy } from '../../src/options/resolve-policy.ts';
import { learnLimit, stricterLimit } from '../../src/overflow/learn-limit.ts';

type LearnedFrom = Parameters<typeof learnLimit>[1];

const model = { provider: 'openai.responses', modelId: 'test-model' };

describe('learnLimit', () => {
  it.each([
    ['nothing but that it was too long', {}, { sentTokens: 1000 }, 800],
    ['a limit below our count', { limit: 500 }, { sentTokens: 1000 }, 475],
    ['a limit above our count', { limit: 1200 }, { sentTokens: 1000 }, 800],
    ['a count above ours', { limit: 1000, tokens: 1250 }, { sentTokens: 1000 }, 760],
    ['a count below ours', { limit: 900, tokens: 950 }, { sentTokens: 1000 }, 855],
    ['a count of something else', { limit: 1200, tokens: 50_000 }, { sentTokens: 1000 }, 800],
    [
      'room for an answer',
      { limit: 1000, tokens: 900, answerTokens: 300 },
      { sentTokens: 900 },
      665,
    ],
    [
      "the caller's answer",
      { limit: 1000, answerTokens: 300 },
      { sentTokens: 900, maxOutputTokens: 400 },
      570,
    ],
    ['an answer as large as all', { limit: 1000, answerTokens: 1000 }, { sentTokens: 900 }, 475],
    [
      'a limit of the prompt alone',
      { limit: 1000, isInputLimit: true },
      { sentTokens: 1100, maxOutputTokens: 400 },
      950,
    ],
  ])(
    'makes of %s a limit that the next prompt keeps to',
    (_what, overflow, call: LearnedFrom, limit) => {
      const learned = learnLimit(overflow, call);
      const policy = resolvePolicy(
        { contextLength: 100_000 },
        model,
        call.maxOutputTokens === undefined ? {} : { maxOutputTokens: call.maxOutputTokens },
        learned,
      );
      expect(policy.limit).toBe(limit);
    },
  );

  it('corrects what the caller configured, by provider too, and what the table says', () => {
    const learned = learnLimit({ limit: 8192 }, { sentTokens: 9000 });
    const gpt = { ...model, modelId: 'gpt-4.1' };
    const providers = { openai: { contextLength: 50_000 } };
    for (const options of [
      {},
      { contextLength: 100_000 },
      { contextLength: () => 9000 },
      { providers },
    ]) {
      expect(resolvePolicy(options, gpt, {}, learned)).toMatchObject({
        contextLength: 8192,
        contextLengthKnown: true,
        limit: 7782,
      });
    }
    expect(resolvePolicy({ contextLength: 4000 }, gpt, {}, learned).contextLength).toBe(4000);
  });
});

describe('stricterLimit', () => {
  it('keeps of each figure the lesser', () => {
    const one = { contextLength: 1000, usableShare: 0.9 };
    const other = { contextLength: 2000, inputLimit: 500, answerTokens: 10, usableShare: 0.8 };
    const both = { contextLength: 1000, inputLimit: 500, answerTokens: 10, usableShare: 0.8 };
    expect(stricterLimit(undefined, one)).toBe(one);
    expect(stricterLimit(one, other)).toEqual(both);
    expect(stricterLimit(other, one)).toEqual(both);
  });
});

describe('learnedLimits', () => {
  it('knows models apart, and forgets the oldest of more than a thousand', () => {
    const memory = learnedLimits();
    for (let index = 0; index <= 1000; index += 1) {
      const refusal = { evidence: 'stated', refusedTokens: 1000 } as const;
      memory.remember(`p:${index}`, { inputLimit: index, usableShare: 1 }, refusal);
    }
    expect(memory.recall('p:0')).toBeUndefined();
    expect(memory.recall('p:1')?.inputLimit).toBe(1);
    expect(memory.recall('p:1000')?.inputLimit).toBe(1000);
    expect(memory.recall('q:1')).toBeUndefined();
  });
});
