import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../src/options/read-options.ts';
import { resolvePolicy } from '../../../src/options/resolve-policy.ts';
import { LearnedLimits, learnLimit, stricterLimit } from '../../../src/overflow/learned-limits.ts';

type LearnedFrom = Parameters<typeof learnLimit>[1];

const model = { provider: 'openai.responses', modelId: 'gpt-test' };

describe('learnLimit', () => {
  it.each([
    ['nothing but that it was too long', {}, { sentTokens: 1000 }, 800],
    ['a limit below our count', { limit: 500 }, { sentTokens: 1000 }, 475],
    ['a limit above our count', { limit: 1200 }, { sentTokens: 1000 }, 800],
    ['a count above ours', { limit: 1000, tokens: 1250 }, { sentTokens: 1000 }, 760],
    ['a count below ours', { limit: 900, tokens: 950 }, { sentTokens: 1000 }, 855],
    ['a count of something else', { limit: 1200, tokens: 50_000 }, { sentTokens: 1000 }, 800],
    ['a count four times ours', { limit: 1200, tokens: 4000 }, { sentTokens: 1000 }, 285],
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
        readOptions({ contextLength: 100_000 }),
        model,
        call.maxOutputTokens === undefined ? {} : { maxOutputTokens: call.maxOutputTokens },
        learned,
      );
      expect(policy.limit).toBe(limit);
    },
  );

  const input = { limit: 3000, isInputLimit: true };
  const ofInput = { inputLimit: 3000 };
  const ofAll = { contextLength: 1000 };

  it.each([
    ['a count half of the stated', { ...input, tokens: 1000 }, { sentTokens: 500 }, ofInput, 0.475],
    ['a smaller one', { ...input, tokens: 1000 }, { sentTokens: 499 }, ofInput, 0.5],
    ['a count twice the stated', { ...input, tokens: 1000 }, { sentTokens: 2000 }, ofInput, 0.95],
    ['a larger one', { ...input, tokens: 1000 }, { sentTokens: 2400 }, ofInput, 0.64],
    ['a prompt as large as the limit', input, { sentTokens: 3000 }, ofInput, 0.8],
    ['a larger prompt', input, { sentTokens: 3001 }, ofInput, 0.95],
    [
      "the caller's answer, which is not one of the provider",
      { limit: 1000, answerTokens: 300 },
      { sentTokens: 750, maxOutputTokens: 250 },
      ofAll,
      0.8,
    ],
    [
      "the provider's answer",
      { limit: 1000, answerTokens: 250 },
      { sentTokens: 750 },
      { ...ofAll, answerTokens: 250 },
      0.8,
    ],
    [
      'an answer as large as all, of which half is left',
      { limit: 1000, answerTokens: 1000 },
      { sentTokens: 450 },
      { ...ofAll, answerTokens: 1000 },
      0.72,
    ],
    ['no answer', { limit: 1000 }, { sentTokens: 1000 }, ofAll, 0.8],
  ])('makes of %s a share that is filled', (_what, overflow, call: LearnedFrom, limits, share) => {
    const learned = learnLimit(overflow, call);
    expect(learned).toStrictEqual({ ...limits, usableShare: expect.closeTo(share, 6) });
  });

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
      expect(resolvePolicy(readOptions(options), gpt, {}, learned)).toMatchObject({
        contextLength: 8192,
        contextLengthKnown: true,
        limit: 7782,
      });
    }
    expect(
      resolvePolicy(readOptions({ contextLength: 4000 }), gpt, {}, learned).contextLength,
    ).toBe(4000);
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

describe('LearnedLimits', () => {
  const learned = { contextLength: 500, usableShare: 0.9 };
  const stated = { evidence: 'stated', refusedTokens: 1000 } as const;
  const refused = { ...stated, evidence: 'refused' } as const;

  it('says what is news, and what it rests on', () => {
    const limits = new LearnedLimits();
    limits.accept('p', 300);
    const news = { contextLength: 500, inputLimit: undefined, acceptedTokens: 300 };
    expect(limits.remember('p', learned, stated)).toEqual({ ...news, ...stated });
    expect(limits.remember('p', { ...learned, contextLength: 600 }, stated)).toBeUndefined();
    expect(limits.remember('p', { ...learned, inputLimit: 400 }, refused)).toEqual({
      ...news,
      ...refused,
      inputLimit: 400,
    });
    expect(limits.recall('p')).toMatchObject({ contextLength: 500, inputLimit: 400 });
  });

  it.each([
    ['as much as was taken', refused, 1000, undefined],
    ['more than was taken', refused, 999, 999],
    ['less than was taken, by what the provider states', stated, 2000, 2000],
  ])('learns from a prompt refused at %s', (_what, refusal, accepted, expected) => {
    const limits = new LearnedLimits();
    limits.accept('p', accepted);
    limits.remember('p', learned, refusal);
    expect(limits.recall('p')?.contextLength).toBe(expected);
  });

  it.each([
    ['a limit of all', learned, 625, true],
    ['a limit of all, by more than counts differ', learned, 626, false],
    ['a limit of the prompt', { inputLimit: 400, usableShare: 1 }, 500, true],
    ['a limit of the prompt, by more', { inputLimit: 400, usableShare: 1 }, 501, false],
  ])('forgets a limit that is contradicted: %s', (_what, limit, tokens, isKept) => {
    const limits = new LearnedLimits();
    limits.remember('p', limit, stated);
    limits.accept('p', tokens);
    expect(limits.recall('p') !== undefined).toBe(isKept);
    limits.accept('p', 100);
    expect(limits.accepted('p')).toBe(tokens);
  });
});
