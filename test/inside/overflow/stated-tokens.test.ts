import { describe, expect, it } from 'vitest';
import { statedTokens, type StatedTokens } from '../../../src/overflow/stated-tokens.ts';

const none: StatedTokens = {
  limit: undefined,
  isInputLimit: false,
  tokens: undefined,
  answerTokens: undefined,
};

describe('statedTokens', () => {
  it.each<[string, Partial<StatedTokens>]>([
    ['maximum context length is 5000', { limit: 5000 }],
    ['maximum context length of 5000', { limit: 5000 }],
    ['maximum context length: 5000', { limit: 5000 }],
    ['5000 maximum context length', { limit: 5000 }],
    ['while limit is 5000', { limit: 5000 }],
    ['context length of only 5000', { limit: 5000 }],
    ['model token limit: 5000', { limit: 5000 }],
    ['configured limit of 5000', { limit: 5000, isInputLimit: true }],
    ['maximum number of tokens allowed (5000)', { limit: 5000, isInputLimit: true }],
    ['maximum prompt length is 5000', { limit: 5000, isInputLimit: true }],
    ['exceeds the limit of 5000', { limit: 5000, isInputLimit: true }],
    ['> 5000 maximum', { limit: 5000, isInputLimit: true }],
    ['exceeds the limit of 4000, maximum context length: 5000', { limit: 5000 }],
    ['maximum context length: 255', {}],
    ['maximum context length: 256', { limit: 256 }],
    ['maximum prompt length is 255', {}],
    ['maximum prompt length is 256', { limit: 256, isInputLimit: true }],
    ['resulted in 5000', { tokens: 5000 }],
    ['too long: 5000', { tokens: 5000 }],
    ['input token count (5000)', { tokens: 5000 }],
    ['token count of 5000', { tokens: 5000 }],
    ['request contains 5000', { tokens: 5000 }],
    ['prompt contains 5000', { tokens: 5000 }],
    ['your request has 5000', { tokens: 5000 }],
    ['current length is 5000', { tokens: 5000 }],
    ['keep the first 5000', { tokens: 5000 }],
    ['resulted in 0', {}],
    ['resulted in 1', { tokens: 1 }],
    ['requested about 5000', { tokens: 5000 }],
    ['requested 5000', { tokens: 5000 }],
    ['requested: 5000', { tokens: 5000 }],
    ['requested 5000 (of which 1000 in the completion)', { tokens: 4000, answerTokens: 1000 }],
    ['requested 5000 (of which 1000 in the output)', { tokens: 4000, answerTokens: 1000 }],
    ['requested 1000 (of which 1000 in the completion)', { answerTokens: 1000 }],
    ['requested 900 (of which 1000 in the completion)', { answerTokens: 1000 }],
    ['resulted in 3000, requested 5000, 1000 in the output', { tokens: 3000, answerTokens: 1000 }],
    ["resulted in 1,234.567_890'1\u00a02\u202f3", { tokens: 1_234_567_890_123 }],
  ])('reads: %s', (text, stated) => {
    expect(statedTokens(text, () => false)).toEqual({ ...none, ...stated });
  });

  it('reads the sum of a prompt and an answer, and no other number beside it', () => {
    const text =
      'resulted in 7000. limit: 143,653 + 64,000 > 200,000, maximum context length: 9000';
    expect(statedTokens(text, () => false)).toStrictEqual({
      limit: 200_000,
      tokens: 143_653,
      answerTokens: 64_000,
    });
    expect(statedTokens('1 + 2 > 255', () => false).limit).toBeUndefined();
    expect(statedTokens('1 + 2 > 256', () => false).limit).toBe(256);
  });

  it.each([',', '.', '_', "'", '\u00a0', '\u202f', ".'", ",,'"])(
    'passes over a quotation that ends before %j',
    (end) => {
      const quoted = 'maximum context length is 256';
      const text = `${quoted}${end} and of the model: maximum context length is 5000${end}`;
      expect(statedTokens(text, (words) => words === quoted).limit).toBe(5000);
    },
  );
});
