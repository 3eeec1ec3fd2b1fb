import { describe, expect, it } from 'vitest';
import { plainRates, promptTokens } from '../../../src/sizing/size-rates.ts';

describe('promptTokens', () => {
  it.each([
    ['a dearer tokenizer', 100, 0, { multiplier: 1.5, least: 1, hidden: 49 }, 150],
    ['a text that the provider adds', 100, 0, { multiplier: 1.5, least: 1, hidden: 51 }, 151],
    ['a cheaper tokenizer', 100, 0, { multiplier: 0.5, least: 0.5, hidden: 10 }, 60],
    ['frames of 4 tokens a message', 100, 3, { multiplier: 1.5, least: 1, hidden: 0 }, 162],
  ])('allows for %s', (_what, counted, messages, rates, expected) => {
    expect(promptTokens(counted, messages, rates)).toBe(expected);
  });

  it('knows nothing but a factor that was given', () => {
    expect(plainRates(1.2)).toEqual({ multiplier: 1.2, least: 1.2, hidden: 0 });
  });
});
