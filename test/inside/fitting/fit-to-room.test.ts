import { describe, expect, it } from 'vitest';
import { fitToRoom } from '../../../src/fitting/fit-to-room.ts';
import { keepsLess } from '../../../src/fitting/fitting-draft.ts';
import { words } from '../../support/messages.ts';
import { assistant, user } from '../../support/prompt-messages.ts';
import { callToFit } from './call-to-fit.ts';

describe('fitToRoom', () => {
  it.each([
    ['not below 200 characters', 700, 0.5, 200],
    ['to a quarter of a character for a token', 6000, 6, 1500],
    ['not above 2,000 characters', 12_000, 12, 2000],
  ])('shortens a text that is repeated, %s', async (_how, target, scale, characters) => {
    const long = words(1, 1000 * scale);
    const answers = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? assistant(words(index, 100 * scale)) : user(`Go on: ${index}`),
    );
    const given = await callToFit([user(long), ...answers]);
    const fitted = await fitToRoom({ ...given, target });
    const first = fitted?.composition?.userTexts?.[0] ?? '';
    expect(first.startsWith(long.slice(0, 50))).toBe(true);
    expect(first.length).toBeLessThanOrEqual(characters);
    expect(first.length).toBeGreaterThan(characters * 0.9);
  });

  it('knows when what must stay takes the room', async () => {
    const given = await callToFit([user(words(1, 400)), assistant('Yes?'), user(words(2, 400))]);
    expect(await fitToRoom({ ...given, target: 300 })).toBeUndefined();
  });
});

describe('keepsLess', () => {
  it.each([
    ['fewer tokens', { tokens: 99, wholeMessages: 3 }, true],
    ['as many tokens in fewer whole messages', { tokens: 100, wholeMessages: 1 }, true],
    ['as much', { tokens: 100, wholeMessages: 2 }, false],
    ['as many tokens in more whole messages', { tokens: 100, wholeMessages: 3 }, false],
    ['more tokens in fewer whole messages', { tokens: 101, wholeMessages: 1 }, false],
    [
      'what the repeated words of the user take',
      { tokens: 84, wholeMessages: 1, repeated: 1 },
      false,
    ],
    ['more than they take', { tokens: 83, wholeMessages: 1, repeated: 1 }, true],
  ])('of %s', (_what, one, isLess) => {
    const other = { tokens: 100, wholeMessages: 2, repeated: 0 };
    expect(keepsLess({ repeated: 0, ...one }, other)).toBe(isLess);
  });

  it('of words of the user in both', () => {
    const one = { tokens: 99, wholeMessages: 2, repeated: 2 };
    expect(keepsLess(one, { tokens: 100, wholeMessages: 2, repeated: 1 })).toBe(true);
  });
});
