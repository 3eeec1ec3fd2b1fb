import { describe, expect, it } from 'vitest';
import { answerReserve } from '../../../src/options/resolve-policy.ts';

const anthropic = { anthropic: { thinking: { type: 'enabled', budgetTokens: 5000 } } };

describe('answerReserve', () => {
  it.each([
    ['nothing', {}, undefined],
    ['the answer', { maxOutputTokens: 1000 }, 1000],
    ['Anthropic', { maxOutputTokens: 1000, providerOptions: anthropic }, 6000],
    ['thinking alone', { providerOptions: anthropic }, 5000],
    [
      'thinking that is off',
      { providerOptions: { anthropic: { thinking: { type: 'disabled', budgetTokens: 5000 } } } },
      undefined,
    ],
    [
      'Bedrock',
      {
        maxOutputTokens: 1000,
        providerOptions: { bedrock: { reasoningConfig: { budgetTokens: 2000 } } },
      },
      3000,
    ],
    [
      'Google, whose thinking is part of the answer',
      {
        maxOutputTokens: 1000,
        providerOptions: { google: { thinkingConfig: { thinkingBudget: 4000 } } },
      },
      4000,
    ],
    [
      'a dynamic budget',
      { providerOptions: { google: { thinkingConfig: { thinkingBudget: -1 } } } },
      undefined,
    ],
  ])('keeps room for %s', (_, params, reserve) => {
    expect(answerReserve(params)).toBe(reserve);
  });
});
